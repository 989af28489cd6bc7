"""A device as the objects that its agent answers with, and as a recording for snmpsim. Pure.

Values are those of the standard MIBs (RFC 1213, 2863, 4293, 4188, 4363, 2790, 3433, IEEE 802.1AB), by
numeric OID; `device.QUIRKS` says which agents deviate, and how. Counters move: snmpsim's variation `numeric`
returns `initial + rate x seconds since its start`, so all agents of one process count exactly, however
often they are asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv6Address, ip_address

from backstay_lab.zoo.device import IF_TYPES, VLAN, ZooDevice, ZooPort

Oid = tuple[int, ...]
INTEGER, OCTETS, NULL, OBJECT, IP, COUNTER, GAUGE, TICKS, COUNTER64 = 2, 4, 5, 6, 64, 65, 66, 67, 70
"""Tags of SNMP's types (RFC 2578)."""
WIDTH_32 = 1 << 32
LARGEST = WIDTH_32 - 1

MIB2: Oid = (1, 3, 6, 1, 2, 1)
SYSTEM, IF, IFX, STACK = (*MIB2, 1), (*MIB2, 2, 2, 1), (*MIB2, 31, 1, 1, 1), (*MIB2, 31, 1, 2, 1, 3)
IP_MIB, BRIDGE, HOST, PART = (*MIB2, 4), (*MIB2, 17), (*MIB2, 25), (*MIB2, 47, 1, 1, 1, 1)
SENSOR = (*MIB2, 99, 1, 1, 1)
LLDP: Oid = (1, 0, 8802, 1, 1, 2, 1)
LAG: Oid = (1, 2, 840, 10006, 300, 43, 1, 2, 1, 1)
FIRST_FDB = 65_536
"""The first identifier of a forwarding database that is no VLAN."""
MAPPED_FDB = 7
UNKNOWN_LLDP_PORT = 4_000
LACP_ACTIVE, LACP_STATIC = 0xBC, 0x00
"""LacpState, the most significant bit first: active, aggregation, synchronised, collecting, distributing;
and none of them."""
DAY_S = 86_400
PACKET_OCTETS = 700


@dataclass(frozen=True, slots=True)
class Cell:
    """One object's value. A `rate` per second makes it a counter that starts at `value`."""

    tag: int
    value: int | bytes | Oid
    rate: float = 0.0

    def at(self, seconds: float) -> int | bytes | Oid:
        """The value that many seconds after the start; 32-bit types wrap."""
        if not self.rate or not isinstance(self.value, int):
            return self.value
        number = int(self.value + self.rate * seconds)
        return number if self.tag == COUNTER64 else number % WIDTH_32


Recording = Mapping[Oid, Cell]


def recording(device: ZooDevice, scale: float = 1.0) -> dict[Oid, Cell]:
    """Every object of the device's agent, in order. `scale` is the factor of its traffic."""
    found: dict[Oid, Cell] = {}
    for part in (
        _system,
        _interfaces,
        _addresses,
        _neighbours,
        _stack,
        _bridge,
        _lldp,
        _lag,
        _host,
        _sensors,
    ):
        found |= part(device)
    found |= dict(_parsed(line) for line in device.objects)
    if "null-cells" in device.quirks:
        found |= {oid: Cell(NULL, b"") for oid in _spoilt(device)}
    if "holes" in device.quirks:
        for oid in _spoilt(device):
            del found[oid]
    moving = (COUNTER, COUNTER64)
    scaled = {
        oid: replace(cell, rate=cell.rate * scale) if cell.tag in moving else cell
        for oid, cell in found.items()
    }
    return dict(sorted(scaled.items()))


def snmprec(objects: Recording) -> str:
    """The recording as snmpsim reads it: `OID|type|value`, in order."""
    return "".join(f"{'.'.join(map(str, oid))}|{_value(cell)}\n" for oid, cell in objects.items())


def _value(cell: Cell) -> str:
    match cell.value:
        case int(number) if cell.rate:
            limit = "" if cell.tag == COUNTER64 else f",max={WIDTH_32},wrap=1"
            return f"{cell.tag}:numeric|initial={number},rate={cell.rate:.6f}{limit}"
        case int(number):
            return f"{cell.tag}|{number}"
        case bytes(octets):
            return f"{cell.tag}x|{octets.hex()}" if octets else f"{cell.tag}|"
        case parts:
            return f"{cell.tag}|{'.'.join(map(str, parts))}"


def _parsed(line: str) -> tuple[Oid, Cell]:
    oid, tag, value = line.split("|")
    return tuple(map(int, oid.split("."))), Cell(int(tag), int(value))


def _spoilt(device: ZooDevice) -> list[Oid]:
    """ifAlias and ifMtu of each third port: nothing else depends on them."""
    places = [port.index for port in device.ports[::3]]
    return [oid for index in places for oid in ((*IFX, 18, index), (*IF, 4, index))]


def _text(device: ZooDevice, text: str) -> Cell:
    return Cell(OCTETS, text.encode() + (b"\0" if "trailing-nul" in device.quirks else b""))


def _octets(mac: str) -> bytes:
    return bytes.fromhex(mac.replace(":", ""))


def _system(device: ZooDevice) -> dict[Oid, Cell]:
    object_id = tuple(map(int, device.object_id.split(".")))
    return {
        (*SYSTEM, 1, 0): _text(device, device.descr),
        (*SYSTEM, 2, 0): Cell(OBJECT, object_id),
        (*SYSTEM, 3, 0): Cell(TICKS, device.number * DAY_S * 100, 100.0),
        (*SYSTEM, 4, 0): _text(device, "nobody"),
        (*SYSTEM, 5, 0): _text(device, device.name),
        (*SYSTEM, 6, 0): _text(device, "rack"),
        (*SYSTEM, 7, 0): Cell(INTEGER, 72),
    }


def _interfaces(device: ZooDevice) -> dict[Oid, Cell]:
    found: dict[Oid, Cell] = {(*MIB2, 2, 1, 0): Cell(INTEGER, len(device.ports))}
    has_x = "mib2" not in device.quirks
    if has_x:
        found[(*MIB2, 31, 1, 5, 0)] = Cell(TICKS, 4200)
    for port in device.ports:
        found |= {(*IF, column, port.index): cell for column, cell in _if_row(device, port).items()}
        if has_x:
            found |= {(*IFX, column, port.index): cell for column, cell in _ifx_row(device, port).items()}
    return found


def _if_row(device: ZooDevice, port: ZooPort) -> dict[int, Cell]:
    return {
        1: Cell(INTEGER, port.index),
        2: _text(device, port.descr),
        3: Cell(INTEGER, port.if_type),
        4: Cell(INTEGER, 1500),
        5: Cell(GAUGE, LARGEST if port.is_full else min(port.speed, LARGEST)),
        6: Cell(OCTETS, _octets(port.mac)),
        7: Cell(INTEGER, 2 if port.state == "disabled" else 1),
        8: Cell(INTEGER, 1 if port.state == "up" else 2),
        9: Cell(TICKS, 4200),
        **_counters(port, COUNTER, octets=(10, 16), unicast=(11, 17)),
        12: Cell(COUNTER, 5_000, _multicast(port)),
        13: Cell(COUNTER, 11),
        14: Cell(COUNTER, 3),
        18: Cell(COUNTER, 6_000, _multicast(port)),
        19: Cell(COUNTER, 0),
        20: Cell(COUNTER, 0),
    }


def _ifx_row(device: ZooDevice, port: ZooPort) -> dict[int, Cell]:
    high = 0 if "no-high-speed" in device.quirks else round(port.speed / 1_000_000)
    row = {
        2: Cell(COUNTER, 1_000, _multicast(port)),
        3: Cell(COUNTER, 4_000),
        15: Cell(GAUGE, LARGEST if port.is_full else high),
        18: _text(device, f"{device.name} {port.label}"[:40]),
    }
    if not device.quirks & {"no-names", "cut-names"}:
        row[1] = _text(device, port.label)
    if "narrow" not in device.quirks:
        row |= _counters(port, COUNTER64, octets=(6, 10), unicast=(7, 11))
        multicast = Cell(COUNTER64, 1_000, _multicast(port))
        row |= {8: multicast, 9: Cell(COUNTER64, 4_000), 12: multicast, 13: Cell(COUNTER64, 2_000)}
    return row


def _multicast(port: ZooPort) -> float:
    return 0.5 if port.in_bps else 0.0


def _counters(
    port: ZooPort, tag: int, *, octets: tuple[int, int], unicast: tuple[int, int]
) -> dict[int, Cell]:
    """Octets and packets of both directions, since a day before the start."""
    row: dict[int, Cell] = {}
    for place, bps in enumerate((port.in_bps, port.out_bps)):
        for column, rate in ((octets[place], bps / 8), (unicast[place], bps / 8 / PACKET_OCTETS)):
            row[column] = Cell(tag, _wrapped(tag, round(rate * DAY_S)), rate)
    return row


def _wrapped(tag: int, value: int) -> int:
    return value if tag == COUNTER64 else value % WIDTH_32


def _inet(address: IPv4Address | IPv6Address, zone: int = 0) -> Oid:
    """InetAddressType, length and octets (RFC 4001); with a zone if there is one."""
    zoned = tuple(zone.to_bytes(4, "big")) if zone else ()
    kind = {4: 1, 6: 2}[address.version] + (2 if zone else 0)
    return (kind, len(address.packed) + len(zoned), *address.packed, *zoned)


def _addresses(device: ZooDevice) -> dict[Oid, Cell]:
    has_new = not device.quirks & {"mib2", "old-addresses"}
    owned = [(port, address) for port in device.ports for address in port.addresses]
    last = [address for _, address in owned if address.version == 4][-1:]
    found: dict[Oid, Cell] = {}
    for port, own in owned:
        if own.version == 4:
            mask = own.netmask.packed
            if "bad-masks" in device.quirks and own in last:
                mask = bytes(4)
            key = tuple(own.ip.packed)
            row = {1: Cell(IP, own.ip.packed), 2: Cell(INTEGER, port.index), 3: Cell(IP, mask)}
            found |= {(*IP_MIB, 20, 1, column, *key): cell for column, cell in row.items()}
        if has_new:
            zone = port.index if "zoned" in device.quirks and own.ip.is_link_local else 0
            prefix = (*IP_MIB, 32, 1, 5, port.index, *_inet(own.network.network_address, zone))
            pointer = (0, 0) if "prefix-nowhere" in device.quirks else (*prefix, own.network.prefixlen)
            row = {3: Cell(INTEGER, port.index), 4: Cell(INTEGER, 1), 5: Cell(OBJECT, pointer)}
            found |= {(*IP_MIB, 34, 1, column, *_inet(own.ip, zone)): cell for column, cell in row.items()}
    return found


def _neighbours(device: ZooDevice) -> dict[Oid, Cell]:
    found: dict[Oid, Cell] = {}
    for place, entry in enumerate(device.neighbours):
        index, address = device.port(entry.port).index, ip_address(entry.address)
        mac = Cell(OCTETS, _octets(entry.mac))
        is_old, is_new = _arp_tables(device, place, address)
        if is_old:
            row = {1: Cell(INTEGER, index), 2: mac, 3: Cell(IP, address.packed), 4: Cell(INTEGER, 3)}
            key = (index, *address.packed)
            found |= {(*IP_MIB, 22, 1, column, *key): cell for column, cell in row.items()}
        if is_new:
            key = (index, *_inet(address))
            row = {4: mac, 5: Cell(TICKS, 0), 6: Cell(INTEGER, 3), 7: Cell(INTEGER, 1), 8: Cell(INTEGER, 1)}
            found |= {(*IP_MIB, 35, 1, column, *key): cell for column, cell in row.items()}
    return found


def _arp_tables(device: ZooDevice, place: int, address: IPv4Address | IPv6Address) -> tuple[bool, bool]:
    """Whether the old and the new table have the entry."""
    if address.version == 6:
        return False, True
    if device.quirks & {"old-arp", "mib2"}:
        return True, False
    if "mixed-arp" in device.quirks:
        return place % 2 == 0, place % 2 == 1
    return "both-arp" in device.quirks, True


def _stack(device: ZooDevice) -> dict[Oid, Cell]:
    if "stack-lag" not in device.quirks:
        return {}
    return {
        (*STACK, device.port(port.aggregate).index, port.index): Cell(INTEGER, 1)
        for port in device.ports
        if port.aggregate
    }


def bridge_ports(device: ZooDevice) -> dict[str, int]:
    """Bridge port numbers by port."""
    ports = [port for port in device.ports if port.is_bridged]
    by_index = "ifindex-bridge" in device.quirks
    return {port.name: port.index if by_index else place for place, port in enumerate(ports, start=1)}


def _bridge(device: ZooDevice) -> dict[Oid, Cell]:
    if not device.bridge:
        return {}
    numbers = bridge_ports(device)
    found: dict[Oid, Cell] = {}
    if "ifindex-bridge" not in device.quirks:
        for name, number in numbers.items():
            found[(*BRIDGE, 1, 4, 1, 2, number)] = Cell(INTEGER, device.port(name).index)
    for entry in device.learnt:
        octets, number = tuple(_octets(entry.mac)), numbers[entry.port]
        key = (len(octets), *octets) if "length-prefixed-fdb" in device.quirks else octets
        if device.bridge in ("d", "both"):
            found |= _fdb_row((*BRIDGE, 4, 3, 1), key, number)
        if device.bridge in ("q", "both"):
            found |= _fdb_row((*BRIDGE, 7, 1, 2, 2, 1), (_fdb(device), *key), number)
    if "fdb-map" in device.quirks:
        found[(*BRIDGE, 7, 1, 4, 2, 1, 3, 0, VLAN)] = Cell(GAUGE, MAPPED_FDB)
    return found


def _fdb(device: ZooDevice) -> int:
    if "fdb-ids" in device.quirks:
        return FIRST_FDB
    return MAPPED_FDB if "fdb-map" in device.quirks else VLAN


def _fdb_row(entry: Oid, key: Oid, number: int) -> dict[Oid, Cell]:
    return {(*entry, 2, *key): Cell(INTEGER, number), (*entry, 3, *key): Cell(INTEGER, 3)}


def lldp_numbers(device: ZooDevice) -> dict[str, int]:
    """lldpLocPortNum by port."""
    ports = [port for port in device.ports if port.if_type == IF_TYPES["ethernet"]]
    own = "lldp-numbers" in device.quirks
    return {port.name: place if own else port.index for place, port in enumerate(ports, start=1)}


def _lldp(device: ZooDevice) -> dict[Oid, Cell]:
    if not device.has_lldp:
        return {}
    numbers = lldp_numbers(device)
    found: dict[Oid, Cell] = {}
    for name, number in numbers.items():
        local = {2: Cell(INTEGER, 5), 3: _text(device, device.port(name).label), 4: _text(device, name)}
        found |= {(*LLDP, 3, 7, 1, column, number): cell for column, cell in local.items()}
    for place, peer in enumerate(device.peers, start=1):
        key = (90_000, numbers[peer.port], place)
        found |= _lldp_row(device, key, peer.chassis, peer.peer_port, peer.name)
        if "lldp-old-rows" in device.quirks:
            found |= _lldp_row(device, (100, *key[1:]), peer.chassis, "old", f"{peer.name}-before")
    if "lldp-unknown-port" in device.quirks:
        found |= _lldp_row(device, (0, UNKNOWN_LLDP_PORT, 99), "0e:5a:00:00:00:01", "port 1", "phone-1")
    return found


def _lldp_row(device: ZooDevice, key: Oid, chassis: str, port: str, name: str) -> dict[Oid, Cell]:
    row = {
        4: Cell(INTEGER, 4),
        5: Cell(OCTETS, _octets(chassis)),
        6: Cell(INTEGER, 5),
        7: _text(device, port),
        8: _text(device, port),
        9: _text(device, name),
    }
    return {(*LLDP, 4, 1, 1, column, *key): cell for column, cell in row.items()}


def _lag(device: ZooDevice) -> dict[Oid, Cell]:
    if "stack-lag" in device.quirks:
        return {}
    state = LACP_STATIC if "static-lag" in device.quirks else LACP_ACTIVE
    found: dict[Oid, Cell] = {}
    for port in device.ports:
        if port.aggregate:
            found[(*LAG, 13, port.index)] = Cell(INTEGER, device.port(port.aggregate).index)
            found[(*LAG, 21, port.index)] = Cell(OCTETS, bytes([state]))
    return found


def _host(device: ZooDevice) -> dict[Oid, Cell]:
    found: dict[Oid, Cell] = {}
    for index, (name, size, used) in enumerate(device.storage, start=1):
        row = {3: _text(device, name), 4: Cell(INTEGER, 4096), 5: Cell(INTEGER, size), 6: Cell(INTEGER, used)}
        found |= {(*HOST, 2, 3, 1, column, index): cell for column, cell in row.items()}
    for index, (name, status) in enumerate(device.devices, start=1):
        found |= {
            (*HOST, 3, 2, 1, 3, index): _text(device, name),
            (*HOST, 3, 2, 1, 5, index): Cell(INTEGER, status),
        }
    for place in range(device.processors):
        found[(*HOST, 3, 3, 1, 2, 768 + place)] = Cell(INTEGER, 10 + place)
    return found


def _sensors(device: ZooDevice) -> dict[Oid, Cell]:
    found: dict[Oid, Cell] = {}
    for index, (name, kind, value, precision) in enumerate(device.sensors, start=1):
        found[(*PART, 7, index)] = _text(device, name)
        row = {1: kind, 2: 9, 3: precision, 4: value, 5: 1}
        found |= {(*SENSOR, column, index): Cell(INTEGER, number) for column, number in row.items()}
    return found
