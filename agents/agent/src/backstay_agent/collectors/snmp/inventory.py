"""Discovery of one SNMP device: what it is, its ports, addresses and neighbours, and its clock."""

from dataclasses import dataclass
from datetime import timedelta

from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.values import Session
from backstay_agent.parsers import ifmib, ps32, text
from backstay_agent.parsers.ifmib import DevicePort, Oid, Value
from backstay_wire import Neighbour


@dataclass(frozen=True, slots=True)
class Inventory:
    """A device as discovered at wall time `at_ns`."""

    at_ns: int
    sys_name: str
    sys_descr: str
    object_id: Oid
    uptime_s: float
    clock_ns: int | None
    ports: list[DevicePort]
    neighbours: list[Neighbour]


_SCALARS = [
    ifmib.SYS_DESCR,
    ifmib.SYS_OBJECT_ID,
    ifmib.SYS_UPTIME,
    ifmib.SYS_NAME,
    ifmib.HR_SYSTEM_DATE,
    ps32.DATE,
    ps32.TIME,
]


async def discover(session: Session, clock: Clock, local_offset: timedelta) -> Inventory:
    """Walk the device. `local_offset` is this host's offset from UTC (see ifmib.device_clock).

    The two older tables are walked only where the newer ones are empty. Raises what the session raises.
    """
    before = clock.wall_ns()
    scalars = await session.get(_SCALARS)
    # The device read its clock somewhere between our asking and its answer.
    at_ns = (before + clock.wall_ns()) // 2
    rows = await session.walk(list(ifmib.IF_COLUMNS))
    rows |= await session.walk([ifmib.ADDRESS_IF, ifmib.ADDRESS_TYPE, ifmib.ADDRESS_PREFIX])
    if not rows[ifmib.ADDRESS_IF]:
        rows |= await session.walk([ifmib.OLD_ADDRESS_IF, ifmib.OLD_ADDRESS_MASK])
    rows |= await session.walk([ifmib.PHYSICAL_MAC, ifmib.PHYSICAL_TYPE])
    if not rows[ifmib.PHYSICAL_MAC]:
        rows |= await session.walk([ifmib.MEDIA_MAC, ifmib.MEDIA_TYPE])
    ports = ifmib.ports(rows, ifmib.addresses(rows))
    uptime = scalars.get(ifmib.SYS_UPTIME)
    return Inventory(
        at_ns=at_ns,
        sys_name=_text(scalars.get(ifmib.SYS_NAME)),
        sys_descr=_text(scalars.get(ifmib.SYS_DESCR)),
        uptime_s=uptime / 100 if isinstance(uptime, int) else 0.0,
        object_id=_oid(scalars.get(ifmib.SYS_OBJECT_ID)),
        clock_ns=ifmib.device_clock(scalars.get(ifmib.HR_SYSTEM_DATE), local_offset)
        or ps32.device_clock(scalars.get(ps32.DATE), scalars.get(ps32.TIME), local_offset),
        ports=ports,
        neighbours=ifmib.neighbours(rows, {port.state.index: port.state.name for port in ports}),
    )


def _text(value: Value | None) -> str:
    return text.from_octets(value) if isinstance(value, bytes) else ""


def _oid(value: Value | None) -> Oid:
    return value if isinstance(value, tuple) else ()
