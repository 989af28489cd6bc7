"""IF-MIB, IP-MIB and HOST-RESOURCES-MIB objects (RFC 2863, 4293, 2790) into wire values, by numeric OID."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from ipaddress import IPv4Address, IPv6Address, ip_address

from backstay_agent.parsers import text
from backstay_wire import MAX_PORTS, Neighbour, PortState

Oid = tuple[int, ...]
Value = int | bytes | Oid
Rows = Mapping[Oid, Mapping[Oid, Value]]
"""column -> index -> value."""

_MIB2: Oid = (1, 3, 6, 1, 2, 1)
_IF: Oid = (*_MIB2, 2, 2, 1)
_IFX: Oid = (*_MIB2, 31, 1, 1, 1)

SYS_DESCR: Oid = (*_MIB2, 1, 1, 0)
SYS_OBJECT_ID: Oid = (*_MIB2, 1, 2, 0)
SYS_UPTIME: Oid = (*_MIB2, 1, 3, 0)
SYS_NAME: Oid = (*_MIB2, 1, 5, 0)
HR_SYSTEM_DATE: Oid = (*_MIB2, 25, 1, 2, 0)
IF_TABLE_LAST_CHANGE: Oid = (*_MIB2, 31, 1, 5, 0)

IF_DESCR, IF_TYPE, IF_MTU, IF_SPEED = (*_IF, 2), (*_IF, 3), (*_IF, 4), (*_IF, 5)
IF_PHYS, IF_ADMIN, IF_OPER = (*_IF, 6), (*_IF, 7), (*_IF, 8)
IF_NAME, IF_HIGH_SPEED, IF_ALIAS = (*_IFX, 1), (*_IFX, 15), (*_IFX, 18)
IF_HC_IN_OCTETS = (*_IFX, 6)
IF_COLUMNS = (
    IF_DESCR,
    IF_TYPE,
    IF_MTU,
    IF_SPEED,
    IF_PHYS,
    IF_ADMIN,
    IF_OPER,
    IF_NAME,
    IF_HIGH_SPEED,
    IF_ALIAS,
    IF_HC_IN_OCTETS,
)

# One tuple per wire column, in the wire's order: the objects to sum.
COUNTERS_64: tuple[tuple[Oid, ...], ...] = (
    ((*_IFX, 6),),
    ((*_IFX, 10),),
    ((*_IFX, 7), (*_IFX, 8), (*_IFX, 9)),
    ((*_IFX, 11), (*_IFX, 12), (*_IFX, 13)),
    ((*_IF, 14),),
    ((*_IF, 20),),
    ((*_IF, 13),),
    ((*_IF, 19),),
)
WIDTHS_64 = (64, 64, 64, 64, 32, 32, 32, 32)
COUNTERS_32: tuple[tuple[Oid, ...], ...] = (
    ((*_IF, 10),),
    ((*_IF, 16),),
    ((*_IF, 11), (*_IF, 12)),
    ((*_IF, 17), (*_IF, 18)),
    *COUNTERS_64[4:],
)
WIDTHS_32 = (32,) * 8

_ADDRESS: Oid = (*_MIB2, 4, 34, 1)
ADDRESS_IF, ADDRESS_TYPE, ADDRESS_PREFIX = (*_ADDRESS, 3), (*_ADDRESS, 4), (*_ADDRESS, 5)
_BROADCAST = 3
_OLD_ADDRESS: Oid = (*_MIB2, 4, 20, 1)
OLD_ADDRESS_IF, OLD_ADDRESS_MASK = (*_OLD_ADDRESS, 2), (*_OLD_ADDRESS, 3)
_PHYSICAL: Oid = (*_MIB2, 4, 35, 1)
PHYSICAL_MAC, PHYSICAL_TYPE = (*_PHYSICAL, 4), (*_PHYSICAL, 6)
_MEDIA: Oid = (*_MIB2, 4, 22, 1)
MEDIA_MAC, MEDIA_TYPE = (*_MEDIA, 2), (*_MEDIA, 4)

_LOOPBACK = 24
_UP = 1
_SPEED_FULL = 0xFFFFFFFF
# ipNetToMediaType and ipNetToPhysicalType; invalid(2) and local(5) are not neighbours.
_NEIGHBOUR_TYPE = {1: "other", 3: "dynamic", 4: "static"}


@dataclass(frozen=True, slots=True)
class DevicePort:
    """A discovered port."""

    state: PortState
    has_64_bit: bool


def _int(rows: Rows, column: Oid, index: Oid, default: int = 0) -> int:
    value = rows.get(column, {}).get(index)
    return value if isinstance(value, int) else default


def _text(rows: Rows, column: Oid, index: Oid) -> str:
    value = rows.get(column, {}).get(index)
    return text.from_octets(value) if isinstance(value, bytes) else ""


def ports(rows: Rows, addresses: Mapping[int, list[str]]) -> list[DevicePort]:
    """The walked IF_COLUMNS as ports in ifIndex order, without software loopbacks (ifType 24).

    A port's name is its ifName, else its ifDescr; if several share that name, `#ifIndex` is appended.
    """
    indexes = sorted(rows.get(IF_TYPE, {}).keys() | rows.get(IF_DESCR, {}).keys())
    kept = [i for i in indexes if len(i) == 1 and _int(rows, IF_TYPE, i) != _LOOPBACK][:MAX_PORTS]
    names = {i: _text(rows, IF_NAME, i) or _text(rows, IF_DESCR, i) or f"if{i[0]}" for i in kept}
    shared = {name for name, count in Counter(names.values()).items() if count > 1}
    return [
        DevicePort(
            state=PortState(
                name=text.name(f"{names[i][:110]}#{i[0]}" if names[i] in shared else names[i]),
                index=i[0],
                if_type=_int(rows, IF_TYPE, i),
                speed=_speed(rows, i),
                mtu=max(0, _int(rows, IF_MTU, i)),
                admin_up=_int(rows, IF_ADMIN, i) == _UP,
                oper_up=_int(rows, IF_OPER, i) == _UP,
                mac=_mac(rows, i),
                alias=_text(rows, IF_ALIAS, i),
                addresses=addresses.get(i[0], [])[:256],
            ),
            has_64_bit=i in rows.get(IF_HC_IN_OCTETS, {}),
        )
        for i in kept
    ]


def _speed(rows: Rows, index: Oid) -> int:
    """Bit/s: ifSpeed while it fits in 32 bits, else ifHighSpeed (in Mbit/s)."""
    speed = _int(rows, IF_SPEED, index)
    high = _int(rows, IF_HIGH_SPEED, index)
    return high * 1_000_000 if high and (speed == _SPEED_FULL or not speed) else speed


def _mac(rows: Rows, index: Oid) -> str:
    value = rows.get(IF_PHYS, {}).get(index)
    return text.hardware_address(value) if isinstance(value, bytes) else ""


def inet_address(index: Oid) -> IPv4Address | IPv6Address | None:
    """An InetAddressType, length, octets index (RFC 4001); None for other types than ipv4(1) and ipv6(2)."""
    if len(index) < 2 or (index[0], index[1]) not in ((1, 4), (2, 16)) or len(index) != 2 + index[1]:
        return None
    if any(part > 255 for part in index[2:]):
        return None
    return ip_address(bytes(index[2:]))


def addresses(rows: Rows) -> dict[int, list[str]]:
    """ipAddressTable without its broadcast addresses, or ipAddrTable if it is empty: `address/length` by
    ifIndex."""
    found: dict[int, list[str]] = {}
    for index, port in rows.get(ADDRESS_IF, {}).items():
        address = inet_address(index)
        prefix = rows.get(ADDRESS_PREFIX, {}).get(index)
        if rows.get(ADDRESS_TYPE, {}).get(index) == _BROADCAST:
            continue
        if address is not None and isinstance(port, int):
            # ipAddressPrefix points to a row whose last sub-identifier is the length; 0.0 points nowhere.
            known = isinstance(prefix, tuple) and len(prefix) > 10
            length = prefix[-1] if known and isinstance(prefix, tuple) else address.max_prefixlen
            found.setdefault(port, []).append(f"{address}/{length}")
    if found:
        return found
    for index, port in rows.get(OLD_ADDRESS_IF, {}).items():
        mask = rows.get(OLD_ADDRESS_MASK, {}).get(index)
        if isinstance(port, int) and isinstance(mask, bytes) and len(index) == len(mask) == 4:
            length = int.from_bytes(mask, "big").bit_count()
            found.setdefault(port, []).append(f"{'.'.join(map(str, index))}/{length}")
    return found


def neighbours(rows: Rows, names: Mapping[int, str]) -> list[Neighbour]:
    """ipNetToPhysicalTable, or ipNetToMediaTable if it is empty; `names` are ports by ifIndex."""
    found = _neighbours(rows.get(PHYSICAL_MAC, {}), rows.get(PHYSICAL_TYPE, {}), names, old=False)
    return found or _neighbours(rows.get(MEDIA_MAC, {}), rows.get(MEDIA_TYPE, {}), names, old=True)


def _neighbours(
    macs: Mapping[Oid, Value], types: Mapping[Oid, Value], names: Mapping[int, str], *, old: bool
) -> list[Neighbour]:
    found: list[Neighbour] = []
    for index, mac in macs.items():
        address = inet_address((1, 4, *index[1:]) if old else index[1:])
        kind = types.get(index)
        state = _NEIGHBOUR_TYPE.get(kind) if isinstance(kind, int) else None
        port = names.get(index[0]) if index else None
        if address is not None and state is not None and port is not None and isinstance(mac, bytes):
            entry = Neighbour(port=port, address=address, mac=text.hardware_address(mac), state=state)
            found.append(entry)
    return found


def clock_step_ns(raw: Value | None) -> int:
    """The resolution of a DateAndTime: a tenth of a second if it has tenths, else one second.

    Many agents, including net-snmp, always report 0 tenths.
    """
    return 100_000_000 if isinstance(raw, bytes) and len(raw) > 7 and raw[7] else 1_000_000_000


def device_clock(raw: Value | None, local_offset: timedelta) -> int | None:
    """DateAndTime (RFC 2579) in nanoseconds since the epoch; None if it is absent or impossible.

    Eleven octets carry the offset from UTC. Eight do not: then the device is assumed to use the time zone of
    this host, `local_offset`.
    """
    if not isinstance(raw, bytes) or len(raw) not in (8, 11):
        return None
    offset = local_offset
    if len(raw) == 11:
        sign = -1 if raw[8:9] == b"-" else 1
        offset = sign * timedelta(hours=raw[9], minutes=raw[10])
    try:
        # Deciseconds, and second 60 in a leap second, which datetime does not support.
        moment = datetime(
            year=int.from_bytes(raw[:2], "big"),
            month=raw[2],
            day=raw[3],
            hour=raw[4],
            minute=raw[5],
            second=min(raw[6], 59),
            microsecond=raw[7] * 100_000,
            tzinfo=timezone(offset),
        )
    except ValueError:
        return None
    elapsed = moment - datetime(1970, 1, 1, tzinfo=UTC)
    microseconds = elapsed // timedelta(microseconds=1)
    return microseconds * 1000 if microseconds >= 0 else None
