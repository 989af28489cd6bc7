"""For arbitrary devices: the anonymised recording is read alike, and nothing of the site remains."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.values import Oid, Value
from backstay_agent.parsers import ifmib, ipmib
from backstay_agent.recording.addresses import AddressMap
from backstay_agent.recording.anonymiser import anonymise
from backstay_agent.recording.replay import replay, structure
from backstay_agent.recording.snmprec import Record, parse, write

Address = IPv4Address | IPv6Address
_LOCAL, _REMOTE = (1, 0, 8802, 1, 1, 2, 1, 3, 7, 1), (1, 0, 8802, 1, 1, 2, 1, 4, 1, 1)
_BRIDGE_PORT, _LEARNT = (1, 3, 6, 1, 2, 1, 17, 4, 3, 1, 2), (1, 3, 6, 1, 2, 1, 17, 4, 3, 1, 3)
_VLAN_PORT = (1, 3, 6, 1, 2, 1, 17, 7, 1, 2, 2, 1, 2)
_STORAGE = (1, 3, 6, 1, 2, 1, 25, 2, 3, 1)
_PORT_NAMES = ("Ethernet1/{}", "ge-0/0/{}", "swp{}", "port {}", "gh0{:02d}", "1/1/c{}/1")
_OCTET = st.integers(20, 250)
"""Not small, so that no address occurs by chance in an index."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-_ äöüÄÖÜßéλ漢𐐷"


@dataclass
class Site:
    """A device's objects, and what must not remain of them."""

    objects: dict[Oid, tuple[int, Value]] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    addresses: set[Address] = field(default_factory=set)
    macs: set[bytes] = field(default_factory=set)

    def text(self, oid: Oid, value: str, encoding: str = "utf-8") -> None:
        self.objects[oid] = ber.OCTETS, value.encode(encoding, "replace")

    def records(self) -> list[Record]:
        return [Record(oid, tag, value) for oid, (tag, value) in sorted(self.objects.items())]


@st.composite
def host_names(draw: st.DrawFn) -> str:
    """`zq...`, which no port's name or word of the objects has."""
    label = "zq" + draw(st.text(_LETTERS, min_size=3, max_size=12)).strip()
    name = label if len(label) > 3 else f"{label}qz"
    return draw(st.sampled_from([name, f"{name}.zqdomain.test", name.upper()]))


def addresses_of(draw: st.DrawFn) -> tuple[Address, int]:
    """An address in one of a few networks, and the length of its prefix."""
    third = draw(st.sampled_from([33, 34, 77]))
    kind = draw(st.sampled_from(["10", "192", "172", "public", "six", "eui", "local"]))
    last = bytes(draw(st.lists(_OCTET, min_size=8, max_size=8)))
    if kind in ("10", "192", "172", "public"):
        head = {"10": (10, 200), "192": (192, 168), "172": (172, 22), "public": (129, 13)}[kind]
        length = draw(st.sampled_from([8, 16, 20, 24, 26, 30, 31, 32]))
        return IPv4Address(bytes((*head, third, last[0]))), length
    if kind == "eui":
        last = bytes((last[0] & 0xFC, *last[1:3], 0xFF, 0xFE, *last[5:]))
    net = (
        bytes.fromhex("fe80000000000000")
        if kind == "local"
        else bytes((0x20, 0x41, 77, 99, 88, third, 44, 55))
    )
    return IPv6Address(net + last), draw(st.sampled_from([48, 64, 64, 100, 126, 128]))


def add_ports(draw: st.DrawFn, site: Site) -> list[int]:
    indexes = draw(st.lists(st.integers(1, 2**31 - 1), min_size=1, max_size=5, unique=True))
    template = draw(st.sampled_from(_PORT_NAMES))
    for place, index in enumerate(indexes, 1):
        site.text((*ifmib.IF_DESCR, index), template.format(place))
        if draw(st.booleans()):
            site.text((*ifmib.IF_NAME, index), template.format(place))
        numbers = {
            ifmib.IF_TYPE: draw(st.sampled_from([6, 24, 37, 161])),
            ifmib.IF_ADMIN: draw(st.integers(1, 3)),
            ifmib.IF_OPER: draw(st.integers(1, 7)),
            ifmib.IF_HIGH_SPEED: draw(st.sampled_from([0, 10, 1000, 40_000])),
            ifmib.IF_MTU: 1500,
        }
        for where, value in numbers.items():
            if draw(st.integers(0, 9)):
                site.objects[*where, index] = ber.INTEGER, value
        for column in draw(st.sampled_from([(6, 10), ()])):
            counter = draw(st.integers(0, 2**64 - 1))
            site.objects[*ifmib.IF_NAME[:-1], column, index] = ber.COUNTER64, counter
        site.objects[*ifmib.IF_PHYS, index] = ber.OCTETS, add_mac(draw, site)
        alias = draw(st.one_of(st.just(""), st.just(template.format(place)), host_names()))
        site.text((*ifmib.IF_ALIAS, index), alias, draw(st.sampled_from(["utf-8", "latin-1"])))
        add_name(site, alias if alias.lower().startswith("zq") else "", alone=True)
    return indexes


def add_mac(draw: st.DrawFn, site: Site) -> bytes:
    mac = bytes(draw(st.lists(_OCTET, min_size=6, max_size=6)))
    mac = draw(st.sampled_from([mac, mac[:5] + b"\x07", bytes(6), b"\xff" * 6]))
    if any(mac) and not mac[0] & 1:
        site.macs.add(mac)
    return mac


def add_name(site: Site, name: str, *, alone: bool = False) -> None:
    """Of a host's name, its label and its domain must not remain either."""
    if name:
        site.names |= {name} if alone else {name, name.partition(".")[0]}


def add_addresses(draw: st.DrawFn, site: Site, indexes: list[int]) -> None:
    for _ in range(draw(st.integers(0, 6))):
        address, length = addresses_of(draw)
        site.addresses.add(address)
        port, packed = draw(st.sampled_from(indexes)), tuple(address.packed)
        if address.version == 4 and draw(st.booleans()):
            site.objects[*ipmib.OLD_ADDRESS_IF, *packed] = ber.INTEGER, port
            mask = ((1 << 32) - (1 << (32 - length))).to_bytes(4, "big")
            site.objects[*ipmib.OLD_ADDRESS_MASK, *packed] = ber.ADDRESS, mask
            continue
        row = (1 if address.version == 4 else 2, len(packed), *packed)
        if address.version == 6 and draw(st.booleans()):
            row = (4, 20, *packed, 0, 0, 0, port % 256)
        net = int(address) >> (address.max_prefixlen - length) << (address.max_prefixlen - length)
        prefix = tuple(net.to_bytes(len(packed), "big"))
        pointer = (*ipmib.PREFIX_ENTRY, 5, port, row[0], row[1], *prefix, *row[2 + len(packed) :], length)
        site.objects[*ipmib.ADDRESS_IF, *row] = ber.INTEGER, port
        site.objects[*ipmib.ADDRESS_TYPE, *row] = ber.INTEGER, 1
        site.objects[*ipmib.ADDRESS_PREFIX, *row] = ber.OBJECT, draw(st.sampled_from([pointer, (0, 0)]))


def add_neighbours(draw: st.DrawFn, site: Site, indexes: list[int]) -> None:
    for _ in range(draw(st.integers(0, 6))):
        address, _ = addresses_of(draw)
        site.addresses.add(address)
        port, mac = draw(st.sampled_from([*indexes, 5])), draw(st.sampled_from([b"", add_mac(draw, site)]))
        packed = tuple(address.packed)
        if address.version == 4 and draw(st.booleans()):
            columns, row = (ipmib.MEDIA_MAC, ipmib.MEDIA_TYPE), (port, *packed)
        else:
            columns = (ipmib.PHYSICAL_MAC, ipmib.PHYSICAL_TYPE)
            row = (port, 1 if address.version == 4 else 2, len(packed), *packed)
            row = draw(st.sampled_from([row, row, (port, *packed)]))  # The last one is malformed.
        site.objects[*columns[0], *row] = ber.OCTETS, mac
        site.objects[*columns[1], *row] = ber.INTEGER, draw(st.integers(1, 5))


def add_lldp(draw: st.DrawFn, site: Site, indexes: list[int]) -> None:
    for number in range(draw(st.integers(0, 4))):
        port, name, mac = draw(st.sampled_from([*indexes, 7])), draw(host_names()), add_mac(draw, site)
        row = (0, port, number)
        address, _ = addresses_of(draw)
        family = 1 if address.version == 4 else 2
        chassis: tuple[int, bytes] = draw(
            st.sampled_from([(4, mac), (5, bytes((family,)) + address.packed), (7, name.encode())])
        )
        site.addresses.add(address)
        site.objects[*_REMOTE, 4, *row] = ber.INTEGER, chassis[0]
        site.objects[*_REMOTE, 5, *row] = ber.OCTETS, chassis[1]
        kind, identity = draw(st.sampled_from([(3, mac), (5, b"Ethernet1/7"), (1, name.encode())]))
        site.objects[*_REMOTE, 6, *row] = ber.INTEGER, kind
        site.objects[*_REMOTE, 7, *row] = ber.OCTETS, identity
        site.text((*_REMOTE, 8, *row), draw(st.sampled_from(["Ethernet1/7", f"to {name}", ""])))
        site.text((*_REMOTE, 9, *row), name)
        add_name(site, name)
    for port in indexes:
        own = site.objects[*ifmib.IF_DESCR, port][1]
        identities = [(5, own), (7, str(port).encode()), (3, port_mac(site, port))]
        local: tuple[int, Value] = draw(st.sampled_from(identities))
        site.objects[*_LOCAL, 2, port % 4096] = ber.INTEGER, local[0]
        site.objects[*_LOCAL, 3, port % 4096] = ber.OCTETS, local[1]


def port_mac(site: Site, port: int) -> Value:
    return site.objects[*ifmib.IF_PHYS, port][1]


def add_forwarding(draw: st.DrawFn, site: Site, indexes: list[int]) -> None:
    for _ in range(draw(st.integers(0, 5))):
        port, mac = draw(st.sampled_from([*indexes, 0, 9])), add_mac(draw, site)
        counted = draw(st.sampled_from([(), (6,)]))
        site.objects[*_BRIDGE_PORT, *counted, *mac] = ber.INTEGER, port
        site.objects[*_LEARNT, *counted, *mac] = ber.INTEGER, draw(st.sampled_from([3, 4]))
        site.objects[*_VLAN_PORT, draw(st.integers(1, 5000)), *counted, *mac] = ber.INTEGER, port


@st.composite
def sites(draw: st.DrawFn) -> Site:
    site, name = Site(), draw(host_names())
    address, _ = addresses_of(draw)
    site.addresses.add(address)
    add_name(site, name)
    mac, node = add_mac(draw, site), draw(host_names()).replace(" ", "")
    add_name(site, node)
    description = draw(
        st.sampled_from(
            [
                "Cisco IOS Software, Version 15.2(4)E7",
                f"Linux {node} 5.10.0 x86_64",
                f"Router at {address} ({mac.hex(':')}), Serial Number: ZQ77X1",
                f"{name}: Dell OS 10.4.3.4",
            ]
        )
    )
    site.text(ifmib.SYS_DESCR, description)
    site.text(ifmib.SYS_NAME, name)
    site.objects[ifmib.SYS_OBJECT_ID] = ber.OBJECT, (1, 3, 6, 1, 4, 1, 9, 1, 1208)
    site.objects[ifmib.SYS_UPTIME] = ber.TICKS, draw(st.integers(0, 2**32 - 1))
    site.text((*_STORAGE, 3, 1), draw(st.sampled_from(["/var", f"{name.partition('.')[0]}:/export"])))
    site.objects[*_STORAGE, 5, 1] = ber.INTEGER, 100
    site.objects[*_STORAGE, 6, 1] = ber.INTEGER, 40
    indexes = add_ports(draw, site)
    add_addresses(draw, site, indexes)
    add_neighbours(draw, site, indexes)
    add_lldp(draw, site, indexes)
    add_forwarding(draw, site, indexes)
    return site


@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(sites(), st.integers(0, 2**32))
def test_anonymised_recording_is_read_alike_and_has_no_name_or_address(site: Site, seed: int) -> None:
    records = site.records()
    found = anonymise(records, Random(seed)).records
    assert structure(replay(found)) == structure(replay(records))
    assert [record.oid for record in found] == sorted({record.oid for record in found})
    assert len(found) == len(records)
    assert sorted(record.tag for record in found) == sorted(record.tag for record in records)
    for octets in contents(found):
        assert list(remains(site, octets)) == []
    rewritten = write({"kept": ["nothing"]}, found)
    assert parse(rewritten.decode()) == ({"kept": ["nothing"]}, found, [])
    assert list(remains(site, rewritten)) == []


def contents(records: Sequence[Record]) -> Iterator[bytes]:
    """Every value's octets, and every index's numbers below 256 as octets."""
    for record in records:
        numbers = (*record.oid, *(record.value if isinstance(record.value, tuple) else ()))
        yield b"".join(bytes((part,)) if part < 256 else b"|" for part in numbers)
        if isinstance(record.value, bytes):
            yield record.value


def remains(site: Site, octets: bytes) -> Iterator[object]:
    """What of the site is in these octets, as text or as octets."""
    kept = AddressMap(Random(1))
    for encoding in ("utf-8", "latin-1"):
        text = octets.decode(encoding, "replace").lower()
        for name in site.names:
            if len(name.strip()) >= 4 and name.strip().lower() in text:
                yield name
        for address in site.addresses:
            if not kept.is_kept(address) and str(address) in text:
                yield address
        yield from (mac for mac in site.macs if mac.hex(":") in text or mac.hex() in text)
    yield from (one for one in site.addresses if not kept.is_kept(one) and one.packed in octets)
    yield from (mac for mac in site.macs if mac in octets)


@given(st.integers(0, 2**32), st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(1, 31)), max_size=8))
def test_ipv4_addresses_share_as_many_bits_as_before(seed: int, given_: list[tuple[int, int]]) -> None:
    addresses = [IPv4Address(number) for number, _ in given_]
    check_prefixes(AddressMap(Random(seed)), addresses)


@given(st.integers(0, 2**32), st.lists(st.integers(0, 2**128 - 1), max_size=8))
def test_ipv6_addresses_share_as_many_bits_as_before(seed: int, numbers: list[int]) -> None:
    addresses = [IPv6Address(number) for number in numbers]
    plain = [one for one in addresses if one.packed[11:13] != b"\xff\xfe" and any(one.packed[:12])]
    check_prefixes(AddressMap(Random(seed)), [one for one in plain if one.ipv4_mapped is None])


def check_prefixes(found: AddressMap, addresses: list[IPv4Address] | list[IPv6Address]) -> None:
    for one in addresses:
        for other in addresses:
            assert shared(one, other) == shared(found.address(one), found.address(other))


def shared(one: Address, other: Address) -> int:
    """Number of equal leading bits."""
    return one.max_prefixlen - (int(one) ^ int(other)).bit_length()


def test_well_known_addresses_and_private_ranges_stay() -> None:
    found = AddressMap(Random(3))
    for text in ("0.0.0.0", "127.0.0.1", "224.0.0.5", "255.255.255.255", "::", "::1", "ff02::1", "fe80::1"):
        assert found.is_kept(ip_address(text)), text
    for text in ("10.1.2.3", "172.20.1.1", "192.168.3.4", "100.64.1.1", "169.254.9.9"):
        address = found.address(ip_address(text))
        assert (address.is_private, address.is_link_local) == (
            ip_address(text).is_private,
            ip_address(text).is_link_local,
        )
        assert str(address) != text
    assert found.mac(bytes(6)) == bytes(6)
    assert found.mac(b"\xff" * 6) == b"\xff" * 6
    assert found.mac(bytes.fromhex("001122334455"))[:3] == bytes.fromhex("001122")
