"""Discovery of one SNMP device: identity, ports, addresses and neighbours, and clock."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from backstay_agent.collectors.snmp import device_clock
from backstay_agent.collectors.snmp.device_clock import DeviceClock
from backstay_agent.collectors.snmp.neighbour_walk import walk_neighbours
from backstay_agent.collectors.snmp.table_readings import TableReadings
from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.interface import SnmpSession
from backstay_agent.host.snmp.values import Rows
from backstay_agent.parsers import ifmib, ipmib, text
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
    clock: DeviceClock | None
    ports: list[DevicePort]
    neighbours: list[Neighbour]


_SCALARS = [
    ifmib.SYS_DESCR,
    ifmib.SYS_OBJECT_ID,
    ifmib.SYS_UPTIME,
    ifmib.SYS_NAME,
    *device_clock.OIDS,
]


_SLOW_NS = 500_000_000
_DESCRIBING = tuple(column for column in ifmib.IF_COLUMNS if column != ifmib.IF_HC_IN_OCTETS)


class Discovery:
    """Discovers one device periodically. Its tables are evaluated only when they changed."""

    def __init__(self, session: SnmpSession, clock: Clock, readings: TableReadings) -> None:
        self._session = session
        self._readings = readings
        self._clock = clock
        self._tables: list[Rows] = []
        self._described: Rows = {}
        self._wide: tuple[Oid, ...] = ()
        """The 64-bit counters that the described ports may have."""
        self._ports: list[DevicePort] = []
        self._neighbours: list[Neighbour] = []

    async def discover(self, local_offset: timedelta) -> Inventory:
        """Walk the device. `local_offset` is this host's offset from UTC (see ifmib.device_clock). While
        nothing changes, `ports` and `neighbours` are the same objects.

        Raises the session's errors.
        """
        began = self._clock.monotonic_ns()
        scalars = await self._session.get(_SCALARS)
        ended = self._clock.monotonic_ns()
        # The device read its clock somewhere between our request and its reply.
        found = device_clock.read(
            scalars, local_offset, round_trip_ns=ended - began, monotonic_ns=(began + ended) // 2
        )
        if found is not None and ended - began > _SLOW_NS:
            found = await self._closer(found, local_offset)
        read_ns = found.monotonic_ns if found is not None else (began + ended) // 2
        at_ns = self._clock.wall_ns() - (self._clock.monotonic_ns() - read_ns)
        tables = await self._walk()
        if tables != self._tables:
            rows = {column: values for table in tables for column, values in table.items()}
            self._ports = ifmib.ports(rows, ipmib.addresses(rows))
            names = {port.state.index: port.state.name for port in self._ports}
            self._neighbours = ipmib.neighbours(rows, names)
            self._tables = tables
        self._readings.understood("interfaces", len(self._ports), {})
        uptime = scalars.get(ifmib.SYS_UPTIME)
        return Inventory(
            at_ns=at_ns,
            sys_name=_text(scalars.get(ifmib.SYS_NAME)),
            sys_descr=_text(scalars.get(ifmib.SYS_DESCR)),
            uptime_s=uptime / 100 if isinstance(uptime, int) else 0.0,
            object_id=_oid(scalars.get(ifmib.SYS_OBJECT_ID)),
            clock=found,
            ports=self._ports,
            neighbours=self._neighbours,
        )

    async def _closer(self, found: DeviceClock, local_offset: timedelta) -> DeviceClock:
        """A request that was retried or set up its keys first measures a clock badly: read it again."""
        again = await device_clock.look(self._session, self._clock, local_offset, found.source)
        return again if again is not None and again.error_ns < found.error_ns else found

    async def _walk(self) -> list[Rows]:
        """The device's tables; a device may use the newer ones, the older ones or both for its addresses."""
        tables = [await self._table("interfaces", _DESCRIBING)]
        if tables[0] != self._described:
            self._described = tables[0]
            indexes = sorted(tables[0][ifmib.IF_TYPE].keys() | tables[0][ifmib.IF_DESCR].keys())
            self._wide = tuple((*ifmib.IF_HC_IN_OCTETS, *index) for index in indexes)
        (wide,) = await self._session.poll(self._wide)
        # Which ports count in 64 bits matters here, not the counts.
        tables.append({ifmib.IF_HC_IN_OCTETS: {oid[len(ifmib.IF_HC_IN_OCTETS) :]: 0 for oid in wide}})
        addresses = (ipmib.ADDRESS_IF, ipmib.ADDRESS_TYPE, ipmib.ADDRESS_PREFIX)
        tables.append(await self._table("addresses", addresses))
        old_addresses = (ipmib.OLD_ADDRESS_IF, ipmib.OLD_ADDRESS_MASK)
        tables.append(await self._table("addresses (RFC 1213)", old_addresses))
        for name, columns in ipmib.NEIGHBOUR_TABLES.items():
            with self._readings.of(name, len(columns)) as read:
                tables.append(read.take(await walk_neighbours(self._session, columns, self._clock)))
        return tables

    async def _table(self, name: str, columns: Sequence[Oid]) -> Rows:
        with self._readings.of(name, len(columns)) as read:
            return read.take(await self._session.walk(columns))


def _text(value: Value | None) -> str:
    return text.from_octets(value) if isinstance(value, bytes) else ""


def _oid(value: Value | None) -> Oid:
    return value if isinstance(value, tuple) else ()
