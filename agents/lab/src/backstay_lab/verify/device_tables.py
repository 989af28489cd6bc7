"""A device's tables from the output of net-snmp's snmpbulkwalk, by numeric OID. Pure.

Independent of the agent's parsers: it shares no code with them, so an error in either shows. Peculiarities of
makes are understood as the standards and their vendors describe them (`backstay_lab.zoo.device.QUIRKS`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv4Network, ip_address

Oid = tuple[int, ...]
SnmpValue = int | bytes | str | None
"""A number, octets, the text of an address or object identifier; None for NULL."""
OPTIONS = ("-On", "-Oe", "-OU", "-Ot", "-Ox")
"""Numbers instead of names, enumerations and times; strings as hexadecimal octets."""
ROOTS = ("1.0.8802.1.1.2", "1.3.6.1.2.1.2", "1.3.6.1.2.1.4", "1.3.6.1.2.1.17", "1.3.6.1.2.1.31")
"""The subtrees that are read."""

IF, IFX = "1.3.6.1.2.1.2.2.1", "1.3.6.1.2.1.31.1.1.1"
OLD_ADDRESS, NEW_ADDRESS = "1.3.6.1.2.1.4.20.1", "1.3.6.1.2.1.4.34.1"
OLD_ARP, NEW_ARP = "1.3.6.1.2.1.4.22.1", "1.3.6.1.2.1.4.35.1"
BRIDGE = "1.3.6.1.2.1.17"
LLDP_LOCAL, LLDP_REMOTE = "1.0.8802.1.1.2.1.3.7.1", "1.0.8802.1.1.2.1.4.1.1"
MOST = 4294967295
LOOPBACK = 24
LEARNED = 3
OWN_ENTRIES = (2, 5)
"""invalid and local, of both types of neighbour entries."""


def parse_walk(output: str) -> dict[Oid, SnmpValue]:
    """Object to value of snmpbulkwalk's output with OPTIONS; long octet strings have several lines."""
    found: dict[Oid, SnmpValue] = {}
    whole: list[str] = []
    for line in output.splitlines():
        if line.startswith("."):
            whole.append(line)
        elif whole:
            whole[-1] += f" {line}"
    for line in whole:
        name, _, value = line.partition(" = ")
        if not value.startswith("No "):
            found[oid(name)] = _value(value.strip())
    return found


def oid(text: str) -> Oid:
    """The numbers of an object identifier."""
    return tuple(int(part) for part in text.strip(".").split("."))


def _value(text: str) -> SnmpValue:
    kind, _, rest = text.partition(": ")
    if text == '""':
        return b""
    match kind:
        case "Hex-STRING":
            return bytes.fromhex(rest)
        case "INTEGER" | "Gauge32" | "Counter32" | "Counter64":
            return int(rest.split()[0])
        case "IpAddress" | "OID":
            return rest.strip()
    return int(text) if text.isdigit() else None


@dataclass(frozen=True, slots=True)
class DevicePortFacts:
    """A port as the inventory should have it."""

    index: int
    name: str
    speed: int
    carrier: str
    mac: str
    is_wide: bool
    """Whether it has 64-bit counters."""


@dataclass(frozen=True)
class DeviceTables:
    """The tables of one device."""

    objects: Mapping[Oid, SnmpValue]

    def column(self, name: str) -> dict[Oid, SnmpValue]:
        """Index to value."""
        start = oid(name)
        return {key[len(start) :]: value for key, value in self.objects.items() if key[: len(start)] == start}

    @cached_property
    def ports(self) -> list[DevicePortFacts]:
        """All but loopbacks, by ifIndex."""
        types, descr, names = self.column(f"{IF}.3"), self.column(f"{IF}.2"), self.column(f"{IFX}.1")
        admin, oper, macs = self.column(f"{IF}.7"), self.column(f"{IF}.8"), self.column(f"{IF}.6")
        wide = self.column(f"{IFX}.6")
        kept = [index for index in sorted(types) if types[index] != LOOPBACK]
        called = {index: _text(names.get(index)) or _text(descr.get(index)) for index in kept}
        shared = {name for name, times in Counter(called.values()).items() if times > 1}
        return [
            DevicePortFacts(
                index=index[0],
                name=f"{called[index]}#{index[0]}" if called[index] in shared else called[index],
                speed=self._speed(index),
                carrier="admin_down" if admin.get(index) != 1 else "up" if oper.get(index) == 1 else "down",
                mac=_hardware(macs.get(index)),
                is_wide=index in wide,
            )
            for index in kept
        ]

    def _speed(self, index: Oid) -> int:
        """ifSpeed, unless it is at its end, or ifHighSpeed differs by more than its rounding."""
        speed, high = self._number(f"{IF}.5", index), self._number(f"{IFX}.15", index)
        high = 0 if high == MOST else high * 1_000_000
        if speed == MOST or (high and abs(high - speed) >= 1_000_000):
            return high
        return speed

    def _number(self, column: str, index: Oid) -> int:
        value = self.objects.get((*oid(column), *index))
        return value if isinstance(value, int) else 0

    @cached_property
    def names(self) -> dict[int, str]:
        """Port names by ifIndex."""
        return {port.index: port.name for port in self.ports}

    def addresses(self) -> set[str]:
        """`port address/length`, without a length where the device has none."""
        masks = self.column(f"{OLD_ADDRESS}.3")
        found: dict[tuple[str, str], str] = {}
        prefixes = self.column(f"{NEW_ADDRESS}.5")
        for index, port in self.column(f"{NEW_ADDRESS}.3").items():
            if isinstance(port, int) and port in self.names:
                address = _inet(index)
                pointer = prefixes.get(index)
                length = str(pointer).rpartition(".")[2] if pointer not in (None, "0.0", ".0.0") else ""
                found[self.names[port], address] = length or _length(masks.get(tuple(index[2:])))
        for index, port in self.column(f"{OLD_ADDRESS}.2").items():
            if isinstance(port, int) and port in self.names:
                found.setdefault((self.names[port], ".".join(map(str, index))), _length(masks.get(index)))
        return {f"{port} {address}{length and '/'}{length}" for (port, address), length in found.items()}

    def neighbours(self) -> set[str]:
        """`port address mac` of both tables; the newer one decides."""
        found: dict[tuple[int, str], tuple[str, SnmpValue]] = {}
        for table, mac, kind in ((NEW_ARP, 4, 6), (OLD_ARP, 2, 4)):
            kinds = self.column(f"{table}.{kind}")
            for index, value in self.column(f"{table}.{mac}").items():
                address = _inet(index[1:]) if table == NEW_ARP else ".".join(map(str, index[1:]))
                found.setdefault((index[0], address), (_hardware(value), kinds.get(index)))
        return {
            f"{self.names[port]} {address} {mac}"
            for (port, address), (mac, kind) in found.items()
            if port in self.names and kind not in OWN_ENTRIES
        }

    def learnt(self) -> dict[str, set[str]]:
        """Port to the addresses learnt there, of both forwarding tables."""
        mapped = {index[0]: value for index, value in self.column(f"{BRIDGE}.1.4.1.2").items()}
        found: dict[str, set[str]] = {}
        for table, skip in ((f"{BRIDGE}.7.1.2.2.1", 1), (f"{BRIDGE}.4.3.1", 0)):
            states = self.column(f"{table}.3")
            for index, number in self.column(f"{table}.2").items():
                port = mapped.get(number) if mapped and isinstance(number, int) else number
                if isinstance(port, int) and port in self.names and states.get(index, LEARNED) == LEARNED:
                    # Seven parts: the number of octets comes first, as in an index of variable length.
                    found.setdefault(self.names[port], set()).add(_hardware(bytes(index[skip:][-6:])))
        return found

    def lldp(self) -> Iterator[tuple[str, str, str]]:
        """(own port, or empty where no table lists it; the neighbour's name; its port), each newest row."""
        local = self.column(f"{LLDP_LOCAL}.3")
        names, ports = self.column(f"{LLDP_REMOTE}.9"), self.column(f"{LLDP_REMOTE}.7")
        newest: dict[tuple[int, int], Oid] = {}
        for index in sorted(names):
            newest[index[1], index[2]] = index
        for (number, _), index in newest.items():
            own = _text(local.get((number,)))
            yield own if own in self.names.values() else "", _text(names[index]), _text(ports.get(index))


def _text(value: SnmpValue) -> str:
    return value.rstrip(b"\0").decode() if isinstance(value, bytes) else ""


def _hardware(value: SnmpValue) -> str:
    return value.hex(":") if isinstance(value, bytes) else ""


def _inet(index: Sequence[int]) -> str:
    """The address of an InetAddressType, length, octets index (RFC 4001), without its zone."""
    octets = {1: 4, 2: 16, 3: 4, 4: 16}[index[0]]
    return str(ip_address(bytes(index[2 : 2 + octets])))


def _length(mask: SnmpValue) -> str:
    """A mask's prefix length; empty for none, and for 0.0.0.0."""
    if not isinstance(mask, str) or mask == "0.0.0.0":  # noqa: S104 - a mask
        return ""
    return str(IPv4Network(f"0.0.0.0/{mask}").prefixlen)
