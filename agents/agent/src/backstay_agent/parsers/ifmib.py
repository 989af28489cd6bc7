"""IF-MIB and HOST-RESOURCES-MIB objects (RFC 2863, 2790) into wire values, by numeric OID."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from backstay_agent.parsers import text
from backstay_wire import MAX_PORTS, PortState

Oid = tuple[int, ...]
Value = int | bytes | Oid
Rows = Mapping[Oid, Mapping[Oid, Value]]
"""column -> index -> value."""

MIB2: Oid = (1, 3, 6, 1, 2, 1)
_IF: Oid = (*MIB2, 2, 2, 1)
_IFX: Oid = (*MIB2, 31, 1, 1, 1)

SYS_DESCR: Oid = (*MIB2, 1, 1, 0)
SYS_OBJECT_ID: Oid = (*MIB2, 1, 2, 0)
SYS_UPTIME: Oid = (*MIB2, 1, 3, 0)
SYS_NAME: Oid = (*MIB2, 1, 5, 0)
HR_SYSTEM_DATE: Oid = (*MIB2, 25, 1, 2, 0)
IF_TABLE_LAST_CHANGE: Oid = (*MIB2, 31, 1, 5, 0)

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

LOOPBACK = 24
_UP = 1
_SPEED_FULL = 0xFFFFFFFF
_MEGA = 1_000_000


@dataclass(frozen=True, slots=True)
class DevicePort:
    """A discovered port."""

    state: PortState
    has_64_bit: bool


def integer(rows: Rows, column: Oid, index: Oid, default: int = 0) -> int:
    """A number of a table; `default` if absent or of another type."""
    value = rows.get(column, {}).get(index)
    return value if isinstance(value, int) else default


def _text(rows: Rows, column: Oid, index: Oid) -> str:
    value = rows.get(column, {}).get(index)
    return text.from_octets(value) if isinstance(value, bytes) else ""


def ports(rows: Rows, addresses: Mapping[int, list[str]]) -> list[DevicePort]:
    """The walked IF_COLUMNS as ports in ifIndex order, without software loopbacks (ifType 24).

    A port's name is its ifName, else its ifDescr; if several share that name within the wire's length,
    `#ifIndex` is appended.
    """
    indexes = sorted(rows.get(IF_TYPE, {}).keys() | rows.get(IF_DESCR, {}).keys())
    kept = [i for i in indexes if len(i) == 1 and integer(rows, IF_TYPE, i) != LOOPBACK][:MAX_PORTS]
    names = {i: text.name(_text(rows, IF_NAME, i) or _text(rows, IF_DESCR, i) or f"if{i[0]}") for i in kept}
    shared = {name for name, count in Counter(names.values()).items() if count > 1}
    return [
        DevicePort(
            state=PortState(
                name=f"{names[i][:110]}#{i[0]}" if names[i] in shared else names[i],
                index=i[0],
                if_type=integer(rows, IF_TYPE, i),
                speed=_speed(rows, i),
                mtu=max(0, integer(rows, IF_MTU, i)),
                admin_up=integer(rows, IF_ADMIN, i) == _UP,
                oper_up=integer(rows, IF_OPER, i) == _UP,
                mac=_mac(rows, i),
                alias=_text(rows, IF_ALIAS, i),
                addresses=addresses.get(i[0], [])[:256],
            ),
            has_64_bit=i in rows.get(IF_HC_IN_OCTETS, {}),
        )
        for i in kept
    ]


def _speed(rows: Rows, index: Oid) -> int:
    """Bit/s by ifHighSpeed (in Mbit/s), or by ifSpeed if the former is 0; 0: neither knows.

    ifSpeed is exact where it is what ifHighSpeed rounds; 4294967295 only says that it is more than that. Some
    devices state it in ifHighSpeed of tunnels as well, which is no speed at all.
    """
    speed, stated = integer(rows, IF_SPEED, index), integer(rows, IF_HIGH_SPEED, index)
    high = 0 if stated >= _SPEED_FULL else stated * _MEGA
    if speed >= _SPEED_FULL or (high and abs(high - speed) >= _MEGA):
        return high
    return speed


def _mac(rows: Rows, index: Oid) -> str:
    value = rows.get(IF_PHYS, {}).get(index)
    return text.hardware_address(value) if isinstance(value, bytes) else ""


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
