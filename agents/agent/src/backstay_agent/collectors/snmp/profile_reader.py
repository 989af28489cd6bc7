"""Reads one profile of one device: walks its columns once a minute, reads its fast-changing numbers at each
poll, and reports.

Metrics are reported if any of them changed, whenever growths were counted, and once a minute.
"""

from collections.abc import Mapping, Sequence

from backstay_agent.collectors.deltas import counter_growth
from backstay_agent.collectors.metric_reporter import send_metrics
from backstay_agent.collectors.snmp.profiles.profile import Counter, DeviceFacts, Findings, Profile
from backstay_agent.collectors.snmp.table_readings import TableReadings
from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.interface import SnmpSession
from backstay_agent.host.snmp.values import Oid, Rows, Value
from backstay_agent.report_sink import ReportSink
from backstay_wire import (
    MAX_METRICS,
    Adjacency,
    AdjacencyReport,
    ForwardingEntry,
    ForwardingReport,
    MetricValue,
)

_WALK_NS = 60_000_000_000
_Key = tuple[str, str]


class ProfileReader:
    """State of one profile."""

    def __init__(
        self,
        *,
        device: str,
        name: str,
        session: SnmpSession,
        clock: Clock,
        emit: ReportSink,
        readings: TableReadings,
    ) -> None:
        self._readings = readings
        self._device = device
        self._name = name
        self._session = session
        self._clock = clock
        self._emit = emit
        self._rows: dict[Oid, dict[Oid, Value]] = {}
        self._walked_ns: int | None = None
        self._quick: tuple[Oid, ...] = ()
        self._places: list[tuple[Oid, Oid]] = []
        self._counters: dict[_Key, Counter] = {}
        self._counted_ns: int | None = None
        self._restarts = 0
        self._sent: list[MetricValue] | None = None
        self._sent_ns = 0
        self.not_understood: Mapping[str, int] = {}
        """Number of such rows in the last read, by what they are."""
        self.missed = False
        """A read since the last successful one failed."""

    @property
    def has_rows(self) -> bool:
        """Whether the last walk found any of the profile's columns."""
        return any(self._rows.values())

    @property
    def due_ns(self) -> int:
        """When the next read is due, unless the device restarts before."""
        return 0 if self._quick or self._walked_ns is None else self._walked_ns + _WALK_NS

    def is_due(self, now: int, restarts: int) -> bool:
        """Whether there is anything to read now."""
        return restarts != self._restarts or now >= self.due_ns

    def _must_walk(self, now: int, restarts: int) -> bool:
        return self._walked_ns is None or restarts != self._restarts or now - self._walked_ns >= _WALK_NS

    async def read(self, profile: Profile, device: DeviceFacts, restarts: int) -> None:
        """Read and report. `restarts` counts the device's restarts. Raises SnmpTimeoutError, SnmpError."""
        now = self._clock.monotonic_ns()
        walk = self._must_walk(now, restarts)
        restarted, self._restarts = restarts != self._restarts, restarts
        if walk:
            self._walked_ns = None
            await self._walk(profile)
            self._walked_ns = now
        else:
            await self._refresh()
        if self.has_rows or self._sent is not None:
            found = profile.read(self._rows, device)
            self.not_understood = found.not_understood
            self._readings.understood(profile.name, _results(found), found.not_understood)
            self._report(found, now, restarted=restarted, walked=walk)
        self.missed = False

    async def _walk(self, profile: Profile) -> None:
        found: Rows = {}
        if profile.columns:
            with self._readings.of(profile.name, len(profile.columns)) as read:
                found = read.take(await self._session.walk(profile.columns))
        self._rows = {column: dict(rows) for column, rows in found.items()}
        self._places = [
            (column, index)
            for column in profile.polled
            for index, value in self._rows.get(column, {}).items()
            if isinstance(value, int)
        ]
        quick = tuple((*column, *index) for column, index in self._places)
        if quick != self._quick:
            self._quick = quick

    async def _refresh(self) -> None:
        """Read the fast-changing numbers again; a row that is gone is removed from its table."""
        (readings,) = await self._session.poll(self._quick)
        values, present = readings.values_.tolist(), readings.present.tolist()
        for (column, index), value, there in zip(self._places, values, present, strict=True):
            if there:
                self._rows[column][index] = value
            else:
                self._rows[column].pop(index, None)

    def _report(self, found: Findings, now: int, *, restarted: bool, walked: bool) -> None:
        before, counted = self._counters, self._counted_ns
        growths = self._growths(found.counters, before, restarted=restarted)
        self._counters = {(counter.subject, counter.metric): counter for counter in found.counters}
        self._counted_ns = now if found.counters else None
        metrics = [*found.metrics, *growths][:MAX_METRICS]
        due = self._sent is None or now - self._sent_ns >= _WALK_NS
        if metrics != self._sent or growths or due:
            if metrics or self._sent:
                elapsed_ns = now - counted if growths and counted is not None else 0
                at = self._clock.wall_ns()
                send_metrics(
                    self._emit, self._device, self._name, metrics, at=at, duration_ns=elapsed_ns or None
                )
            self._sent, self._sent_ns = metrics, now
        if walked and found.adjacencies is not None:
            self._send_adjacencies(list(found.adjacencies))
        if walked and found.forwarding is not None:
            self._send_forwarding(list(found.forwarding))

    def _growths(
        self, counters: Sequence[Counter], before: Mapping[_Key, Counter], *, restarted: bool
    ) -> list[MetricValue]:
        """Growth of every counter that existed before; a new one has none yet."""
        metrics: list[MetricValue] = []
        for counter in counters:
            old = before.get((counter.subject, counter.metric))
            if old is None:
                continue
            value, outcome = counter_growth(
                old.value, counter.value, counter.width, restarted=restarted, missed=self.missed
            )
            metrics.append(
                MetricValue(subject=counter.subject, metric=counter.metric, value=value, outcome=outcome)
            )
        return metrics

    def _send_adjacencies(self, adjacencies: list[Adjacency]) -> None:
        at = self._clock.wall_ns()
        self._emit(
            lambda boot, seq: AdjacencyReport(
                boot=boot, seq=seq, device=self._device, at=at, source="lldp", adjacencies=adjacencies
            )
        )

    def _send_forwarding(self, entries: list[ForwardingEntry]) -> None:
        at = self._clock.wall_ns()
        self._emit(
            lambda boot, seq: ForwardingReport(
                boot=boot, seq=seq, device=self._device, at=at, entries=entries
            )
        )


def _results(found: Findings) -> int:
    """Metrics, counters, neighbours and forwarding entries."""
    parts = (found.metrics, found.counters, found.adjacencies or (), found.forwarding or ())
    return sum(map(len, parts))
