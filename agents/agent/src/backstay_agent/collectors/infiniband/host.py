"""Collector `infiniband_host`: this host's own adapters, from /sys/class/infiniband. Needs no subnet manager.

An adapter that is not InfiniBand (RoCE, Omni-Path) has the same files and is reported in the same way.
"""

import asyncio
from collections.abc import Callable, Mapping

from backstay_agent.collectors.base import Ran
from backstay_agent.collectors.infiniband.counters import BY_TOOL, MULTICAST, WIDE, sticky_growth
from backstay_agent.collectors.infiniband.growth import PortReading, Window, error_metrics, traffic_growth
from backstay_agent.collectors.metric_reporter import send_metrics
from backstay_agent.collectors.samples import PortRow, port_samples
from backstay_agent.host.clock import Clock
from backstay_agent.host.infiniband import AdapterPort
from backstay_agent.parsers.infiniband import ib_sysfs
from backstay_agent.parsers.infiniband.ib_sysfs import HostPort
from backstay_agent.report_sink import ReportSink
from backstay_agent.schedule import REPEAT_NS
from backstay_wire import METRICS, CollectorOutcome, DeviceReport, MetricValue, PortState

_HARDWARE = "ib.hw_"


class InfinibandHost:
    """The adapters of one host."""

    name = "infiniband_host"
    limit_s = 10.0

    def __init__(
        self,
        *,
        device: str,
        interval_s: float,
        read: Callable[[], list[AdapterPort]],
        clock: Clock,
        emit: ReportSink,
    ) -> None:
        self.device = device
        self.interval_s = interval_s
        self._read = read
        self._clock = clock
        self._emit = emit
        self._before: dict[str, HostPort] = {}
        self._read_ns: int | None = None
        self._sent: list[PortState] = []
        self._sent_ns = 0

    async def start(self) -> None:
        """Nothing to open."""

    async def stop(self) -> None:
        """Nothing to close."""

    async def collect(self) -> Ran:
        """Read every port once. No adapter means no data, not a failure."""
        # A driver may ask its firmware for each file, which takes milliseconds: not in the event loop.
        found = [_parse(port) for port in await asyncio.to_thread(self._read)]
        now = self._clock.monotonic_ns()
        if not found:
            return Ran(CollectorOutcome.NO_DATA, "this host has no InfiniBand adapter")
        self._report_device(found, now)
        self._report_growth(found, now)
        return Ran()

    def _report_device(self, found: list[HostPort], now: int) -> None:
        states = [port.state for port in found]
        if self._sent == states and now - self._sent_ns < REPEAT_NS:
            return
        is_same = self._sent == states
        changed = bool(self._sent) and not is_same
        self._sent, self._sent_ns = states, now
        at = self._clock.wall_ns()
        self._emit(
            lambda boot, seq: DeviceReport(boot=boot, seq=seq, device=self.device, at=at, ports=states),
            urgent=changed,
            can_wait=is_same,
        )

    def _report_growth(self, found: list[HostPort], now: int) -> None:
        before, read_ns = self._before, self._read_ns
        self._before, self._read_ns = {port.state.name: port for port in found}, now
        if read_ns is None or now <= read_ns:
            return
        window = Window(elapsed_ns=now - read_ns)
        at = self._clock.wall_ns()
        rows: list[PortRow] = []
        metrics: list[MetricValue] = []
        for port in found:
            name, old = port.state.name, before.get(port.state.name)
            before_it, now_it = _reading(old), _reading(port)
            rows.append(PortRow(name, traffic_growth(before_it, now_it, port.state.speed, window)))
            metrics.append(MetricValue(subject=name, metric="ib.port_state", value=port.logical))
            if old is not None and before_it is not None and now_it is not None:
                metrics += error_metrics(name, before_it, now_it, missed=False)
                metrics += _multicast(name, old.traffic, port.traffic)
                metrics += _hardware(name, old.hardware, port.hardware)
        self._emit(
            lambda boot, seq: port_samples(
                rows, boot=boot, seq=seq, device=self.device, at=at, duration_ns=window.elapsed_ns
            )
        )
        send_metrics(self._emit, self.device, self.name, metrics, at=at, duration_ns=window.elapsed_ns)


def _parse(port: AdapterPort) -> HostPort:
    return ib_sysfs.host_port(port.adapter, port.number, port.facts, port.counters, port.hw_counters)


def _reading(port: HostPort | None) -> PortReading | None:
    """The port's counters; one that exceeds the bits of PortCounters comes from a wider one."""
    if port is None:
        return None
    wide = {name for name, value in port.errors.items() if value >= 1 << BY_TOOL[name].bits}
    return PortReading(port.traffic, port.errors, wide)


def _multicast(subject: str, old: Mapping[str, int], new: Mapping[str, int]) -> list[MetricValue]:
    return _grown(
        subject,
        {metric: old[name] for name, metric in MULTICAST.items() if name in old},
        {metric: new[name] for name, metric in MULTICAST.items() if name in new},
    )


def _hardware(subject: str, old: Mapping[str, int], new: Mapping[str, int]) -> list[MetricValue]:
    """The driver's own counters with a known meaning that ever counted anything."""
    return _grown(
        subject,
        {_HARDWARE + name: value for name, value in old.items()},
        {_HARDWARE + name: value for name, value in new.items() if _HARDWARE + name in METRICS},
    )


def _grown(subject: str, old: Mapping[str, int], new: Mapping[str, int]) -> list[MetricValue]:
    metrics = []
    for metric, value in new.items():
        if value and metric in old:
            grown, outcome = sticky_growth(old[metric], value, WIDE)
            metrics.append(MetricValue(subject=subject, metric=metric, value=grown, outcome=outcome))
    return metrics
