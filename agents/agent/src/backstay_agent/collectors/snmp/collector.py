"""Collector `snmp`: one device, polled for its counters each interval and rediscovered each minute, and at
once if it restarted, renumbered its ports, or its clock was set."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError
from backstay_agent.collectors.samples import table_samples
from backstay_agent.collectors.snmp import device_clock
from backstay_agent.collectors.snmp.counters import CounterTable, counts, growth, has_restarted, make_plan
from backstay_agent.collectors.snmp.device_clock import DeviceClock
from backstay_agent.collectors.snmp.inventory import Discovery, Inventory
from backstay_agent.collectors.snmp.snapshot import Snapshot, SnapshotReader
from backstay_agent.collectors.snmp.speeds import SpeedCheck
from backstay_agent.collectors.snmp.view import DeviceView, SnmpDeviceCollector
from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.interface import SnmpSession
from backstay_agent.host.snmp.readings import Readings
from backstay_agent.host.snmp.values import SnmpError, SnmpTimeoutError
from backstay_agent.parsers import ifmib
from backstay_agent.parsers.ifmib import DevicePort, Oid
from backstay_agent.report_sink import ReportSink
from backstay_wire import CollectorOutcome, DeviceReport, NeighbourReport, PortState

_DISCOVER_NS = 60_000_000_000
_SETTLED_S = 10.0
_VITALS: tuple[Oid, ...] = (ifmib.SYS_UPTIME, ifmib.IF_TABLE_LAST_CHANGE)


class SnmpCollector(SnmpDeviceCollector):
    """One device."""

    name = "snmp"
    limit_s = 45.0
    """A walk may take 30 s, and a poll may wait for a slow cache."""

    def __init__(
        self,
        *,
        device: str,
        interval_s: float,
        session: SnmpSession,
        view: DeviceView,
        clock: Clock,
        emit: ReportSink,
        local_offset: Callable[[], timedelta],
    ) -> None:
        super().__init__(device=device, interval_s=interval_s, session=session, view=view, clock=clock)
        self._emit = emit
        self._local_offset = local_offset
        self._reader = SnapshotReader(self._read, clock)
        self._discovery = Discovery(session, clock, self._readings)
        self._plan = make_plan((), interval_s)
        self._planned: list[DevicePort] = []
        """The ports of the plan, including those it refuses."""
        self._discovered_ns: int | None = None
        self._ports: list[PortState] = []
        self._status_oids = _VITALS
        self._states: Readings | None = None
        self._known_states = b""
        self._neighbours: list[str] | None = None
        self._before: CounterTable | None = None
        self._speeds = SpeedCheck()
        self._before_plan = self._plan
        self._vitals: tuple[int | None, int | None, int] | None = None
        """sysUpTime, ifTableLastChange, and our monotonic time when they were read."""
        self._device_clock: DeviceClock | None = None
        self._identified = False
        self._missed = False
        self._reset = False

    async def collect(self) -> Ran:
        """Poll once. Raises NoAnswerError and UnusableError."""
        try:
            return await self._collect()
        except SnmpTimeoutError as error:
            self._missed = True
            raise NoAnswerError(str(error)) from error
        except SnmpError as error:
            self._missed = True
            raise UnusableError(str(error)) from error

    async def _collect(self) -> Ran:
        now = self._clock.monotonic_ns()
        snapshot: Snapshot | None = None
        due = self._discovered_ns is None or now - self._discovered_ns >= _DISCOVER_NS
        if self._plan.ports and not due:
            snapshot = await self._reader.take(self._plan.oids)
        else:
            (self._states,) = await self._session.poll(self._status_oids)
        if self._judge_status() or due or await self._clock_was_set():
            snapshot = None
            await self._discover()
        if not self._plan.ports:
            return self._without_ports()
        if snapshot is None:
            if self._reset:
                self._reader.forget()
            snapshot = await self._reader.take(self._plan.oids)
        self._report_growth(snapshot)
        self._report_states()
        detail = "; ".join([*self._plan.refused, *self._speeds.details()])
        return Ran(CollectorOutcome.OK, detail[:1024])

    async def _read(self, oids: Sequence[Oid]) -> Readings:
        """Read the counters together with the device's status: both cost little more than one."""
        if oids is not self._plan.oids:
            (counters,) = await self._session.poll(oids)
        else:
            self._states, counters = await self._session.poll(self._status_oids, oids)
        return counters

    def _without_ports(self) -> Ran:
        if self._plan.refused:
            raise UnusableError("; ".join(self._plan.refused)[:1024])
        if not self._identified:
            raise UnusableError("no system group and no ports: is this an SNMP agent of a network device?")
        return Ran(CollectorOutcome.NO_DATA, "the device has no port besides loopback")

    async def _clock_was_set(self) -> bool:
        """Whether the device's own clock was set since discovery: then it is reported at once."""
        known = self._device_clock
        if known is None:
            return False
        now = await device_clock.look(self._session, self._clock, self._local_offset(), known.source)
        return now is not None and known.has_moved(now)

    def _judge_status(self) -> bool:
        """Whether the device must be rediscovered because it restarted or renumbered its ports."""
        if self._states is None:
            return False
        uptime, changed = self._states.number(0), self._states.number(1)
        before, now = self._vitals, self._clock.monotonic_ns()
        self._vitals = (uptime, changed, now)
        if before is None:
            return False
        # Every agent has sysUpTime; without it, only decreasing counters show a restart.
        known = uptime is not None and before[0] is not None
        restarted = known and has_restarted(before[0] or 0, uptime or 0, now - before[2])
        self._reset |= restarted
        self._view.restarts += restarted
        return restarted or changed != before[1]

    def _report_growth(self, snapshot: Snapshot) -> None:
        before = self._before
        if before is not None and snapshot.at_ns <= before.at_ns:
            # The device's cache has nothing new yet.
            return
        now = counts(self._plan, snapshot)
        self._before, before_plan, self._before_plan = now, self._before_plan, self._plan
        missed, self._missed = self._missed, False
        restarted, self._reset = self._reset, False
        if before is None:
            return
        if (
            before_plan.oids is self._plan.oids
            and not restarted
            and self._speeds.learn(self._plan, before, now)
        ):
            self._discovered_ns = None  # discovery takes the speed back
        if before_plan.oids is not self._plan.oids:
            # Different objects: nothing can be subtracted, but the interval is reported.
            before, restarted = replace(now, at_ns=before.at_ns), True
        elapsed = snapshot.at_ns - before.at_ns
        table = growth(self._plan, before, now, restarted=restarted, missed=missed)
        at = self._clock.wall_ns() - (self._clock.monotonic_ns() - snapshot.at_ns)
        self._emit(
            lambda boot, seq: table_samples(
                table, boot=boot, seq=seq, device=self.device, at=at, duration_ns=elapsed
            )
        )

    async def _discover(self) -> None:
        """Discover and report. Different port indexes mean different counters: earlier readings must not be
        subtracted then."""
        found = await self._discovery.discover(self._local_offset())
        old, known = self._ports, self._speeds.corrected(found.ports)
        # An agent that has just started may not have filled its tables yet (net-snmp returns different types
        # and speeds in the first seconds): discover again at the next poll.
        self._discovered_ns = None if found.uptime_s < _SETTLED_S else self._clock.monotonic_ns()
        self._ports = [port.state for port in known]
        self._identified = bool(found.sys_descr or found.object_id or found.uptime_s)
        self._device_clock = found.clock
        self._take_plan(found.object_id, known)
        self._report_device(found)
        self._report_neighbours(found)
        self._reset |= bool(old) and [_key(state) for state in old] != [_key(state) for state in self._ports]

    def _take_plan(self, object_id: Oid, ports: list[DevicePort]) -> None:
        """Plan the polls, keeping the state of a plan with the same objects, and report the device's
        profiles."""
        self._view.discovered(object_id, self._ports)
        if ports == self._planned:
            return
        self._planned = ports
        plan = make_plan(ports, self.interval_s)
        if plan.oids == self._plan.oids:
            plan = replace(plan, oids=self._plan.oids)
        self._plan = plan
        oids = status_oids(ports)
        if oids != self._status_oids:
            self._status_oids, self._states = oids, None

    def _report_states(self) -> None:
        """Report a port that went up or down since discovery now, not at the next discovery."""
        if self._states is None:
            return
        known = self._states.values_[len(_VITALS) :].tobytes()
        if known == self._known_states:
            return
        self._known_states, values = known, self._states
        ports = [_with_state(port, values) for port in self._ports]
        if ports != self._ports:
            self._ports = ports
            self._discovered_ns = None  # the rest of the device may have changed as well: discover at once
            at = self._clock.wall_ns()
            self._emit(
                lambda boot, seq: DeviceReport(boot=boot, seq=seq, device=self.device, at=at, ports=ports),
                urgent=True,
            )

    def _report_device(self, found: Inventory) -> None:
        self._emit(
            lambda boot, seq: DeviceReport(
                boot=boot,
                seq=seq,
                device=self.device,
                at=found.at_ns,
                sys_name=found.sys_name,
                sys_descr=found.sys_descr,
                uptime_s=found.uptime_s,
                clock=found.clock.ns if found.clock else None,
                clock_source=found.clock.source if found.clock else None,
                clock_error=found.clock.error_ns if found.clock else 0,
                ports=self._ports,
            )
        )

    def _report_neighbours(self, found: Inventory) -> None:
        essence = sorted(f"{n.port} {n.address} {n.mac} {n.state}" for n in found.neighbours)
        if essence == self._neighbours:
            return
        self._neighbours = essence
        self._emit(
            lambda boot, seq: NeighbourReport(
                boot=boot, seq=seq, device=self.device, at=found.at_ns, neighbours=found.neighbours
            )
        )


def status_oids(ports: Sequence[DevicePort]) -> tuple[Oid, ...]:
    """The objects polled each interval in addition to the counters: vitals of the device, states of ports."""
    columns = (ifmib.IF_ADMIN, ifmib.IF_OPER)
    return (*_VITALS, *((*column, port.state.index) for port in ports for column in columns))


def _key(state: PortState) -> tuple[int, str]:
    return state.index, state.name


def _with_state(port: PortState, values: Readings) -> PortState:
    admin, oper = values.get((*ifmib.IF_ADMIN, port.index)), values.get((*ifmib.IF_OPER, port.index))
    if admin is None or oper is None:
        return port
    return port.model_copy(update={"admin_up": admin == 1, "oper_up": oper == 1})
