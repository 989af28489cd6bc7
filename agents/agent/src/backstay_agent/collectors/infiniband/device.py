"""Reports on one device of the fabric after each sweep: always its growth, its identity on change.

Metrics are sent if a counter grew, if something differs from the last report, and once a minute. Otherwise a
fabric of thousands of healthy ports would repeat tens of thousands of zeros with every sweep.
"""

from collections.abc import Sequence

from backstay_agent.collectors.infiniband.growth import PortReading, Window, error_metrics, traffic_growth
from backstay_agent.collectors.infiniband.sweeper import SweepResult
from backstay_agent.collectors.infiniband.view import DeviceView
from backstay_agent.collectors.metric_reporter import send_metrics
from backstay_agent.collectors.samples import PortRow, port_samples
from backstay_agent.host.clock import Clock
from backstay_agent.parsers.infiniband.ib_topology import PortKey
from backstay_agent.report_sink import ReportSink
from backstay_agent.schedule import REPEAT_NS, phase
from backstay_wire import AdjacencyReport, DeltaOutcome, DeviceReport, MetricValue

COLLECTOR = "infiniband"
_GREW = (DeltaOutcome.OK, DeltaOutcome.GAP)


class DeviceReporter:
    """One device: `name`, and whether the map contains it (`in_fabric`)."""

    def __init__(self, name: str, *, in_fabric: bool, clock: Clock, emit: ReportSink) -> None:
        self._name = name
        self._in_fabric = in_fabric
        self._clock = clock
        self._emit = emit
        self._view: DeviceView | None = None
        self._readings: dict[PortKey, PortReading] = {}
        self._read_ns: int | None = None
        self._slack_ns = 0
        self._missed = False
        self._metrics: list[MetricValue] = []
        self._repeat_ns: int | None = None

    def missed(self) -> None:
        """A sweep failed: the next growth spans a gap."""
        self._missed = True

    def report(self, view: DeviceView | None, reading: SweepResult, more: Sequence[MetricValue] = ()) -> None:
        """Report this device's part of `reading`; `view` is None while it is not in the fabric."""
        now = self._clock.monotonic_ns()
        at = self._clock.wall_ns() - (now - reading.at_ns)
        due = self._repeat_ns is None or now - self._repeat_ns >= REPEAT_NS
        if due:
            # The first reports of all devices coincide; later each device has its own moment in the minute.
            spread = phase(self._name, REPEAT_NS) if self._repeat_ns is None else 0
            self._repeat_ns = now - spread
        self._report_device(view, at, due=due)
        growths, duration = self._growth(view, reading, at)
        states = [*(view.states if view is not None else ()), *more]
        if self._in_fabric:
            states.append(MetricValue(metric="ib.presence", value=self._presence(view, reading)))
        self._report_metrics(states, growths, duration, at, due=due)

    def _presence(self, view: DeviceView | None, reading: SweepResult) -> str:
        if view is None:
            return "absent"
        return "silent" if any(node.guid in reading.silent for node in view.nodes) else "answered"

    def _report_device(self, view: DeviceView | None, at: int, *, due: bool) -> None:
        before = self._view
        if view is None:
            if before is None:
                return
            view = _unplugged(before)
        changed = before is None or before.ports != view.ports
        self._view = view
        if changed or due:
            self._emit(
                lambda boot, seq: DeviceReport(
                    boot=boot,
                    seq=seq,
                    device=self._name,
                    at=at,
                    sys_name=view.name,
                    sys_descr=view.description,
                    ports=view.ports,
                ),
                urgent=changed and before is not None,
            )
        if due or before is None or before.adjacencies != view.adjacencies:
            self._emit(
                lambda boot, seq: AdjacencyReport(
                    boot=boot,
                    seq=seq,
                    device=self._name,
                    at=at,
                    source="infiniband",
                    adjacencies=view.adjacencies,
                ),
                urgent=before is not None and before.adjacencies != view.adjacencies,
            )

    def _growth(
        self, view: DeviceView | None, reading: SweepResult, at: int
    ) -> tuple[list[MetricValue], int | None]:
        """Report the traffic's growth; returns that of the errors, and its duration (ns)."""
        keys = view.keys if view is not None else []
        readings = {key: reading.ports[key] for key in keys if key in reading.ports}
        if view is None or not readings:
            self._missed = True
            return [], None
        before, read_ns = self._readings, self._read_ns
        window = Window(
            elapsed_ns=reading.at_ns - (read_ns or 0),
            missed=self._missed,
            slack_ns=reading.slack_ns + self._slack_ns,
        )
        self._readings, self._read_ns = readings, reading.at_ns
        self._slack_ns, self._missed = reading.slack_ns, False
        if read_ns is None or window.elapsed_ns <= 0:
            return [], None
        rows: list[PortRow] = []
        metrics: list[MetricValue] = []
        for port, key in zip(view.ports, keys, strict=True):
            old, new = before.get(key), readings.get(key)
            rows.append(PortRow(port.name, traffic_growth(old, new, port.speed, window)))
            if old is not None and new is not None and (old.errors or new.errors):
                metrics += error_metrics(port.name, old, new, missed=window.missed)
        self._emit(
            lambda boot, seq: port_samples(
                rows, boot=boot, seq=seq, device=self._name, at=at, duration_ns=window.elapsed_ns
            )
        )
        return metrics, window.elapsed_ns

    def _report_metrics(
        self,
        states: list[MetricValue],
        growths: list[MetricValue],
        duration: int | None,
        at: int,
        *,
        due: bool,
    ) -> None:
        metrics = states + growths
        grew = any(item.value and item.outcome in _GREW for item in growths)
        if not (grew or due or metrics != self._metrics):
            return
        self._metrics = metrics
        send_metrics(self._emit, self._name, COLLECTOR, metrics, at=at, duration_ns=duration)


def _unplugged(view: DeviceView) -> DeviceView:
    """A device that has left the fabric: none of its ports runs."""
    ports = [port.model_copy(update={"oper_up": False}) for port in view.ports]
    return DeviceView(nodes=view.nodes, ports=ports, keys=view.keys)
