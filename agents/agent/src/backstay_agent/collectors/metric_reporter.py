"""Metrics of one device and collector: current levels, and the growth of counters since the last run."""

from collections.abc import Mapping, Sequence

from backstay_agent.host.clock import Clock
from backstay_agent.report_sink import ReportSink
from backstay_wire import DeltaOutcome, MetricReport, MetricValue

Counters = Mapping[tuple[str, str], int]
"""(subject, metric) -> a monotonic counter, wide enough not to wrap between two runs."""


def growths(before: Counters, now: Counters) -> list[MetricValue]:
    """The growth of each counter; one that decreased was reset, and a new one has no growth yet."""
    found: list[MetricValue] = []
    for (subject, metric), value in now.items():
        old = before.get((subject, metric))
        if old is None:
            continue
        reset = value < old
        outcome = DeltaOutcome.RESET if reset else DeltaOutcome.OK
        found.append(
            MetricValue(
                subject=subject, metric=metric, value=value if reset else value - old, outcome=outcome
            )
        )
    return found


def send_metrics(
    emit: ReportSink,
    device: str,
    collector: str,
    metrics: list[MetricValue],
    *,
    at: int,
    duration_ns: int | None = None,
    urgent: bool = False,
    can_wait: bool = False,
) -> None:
    """Send a `MetricReport`; `at` in ns since 1970, `duration_ns` as there."""
    emit(
        lambda boot, seq: MetricReport(
            boot=boot,
            seq=seq,
            device=device,
            at=at,
            collector=collector,
            duration_ns=duration_ns,
            metrics=metrics,
        ),
        urgent=urgent,
        can_wait=can_wait,
    )


class MetricReporter:
    """Stores the counters of the last run."""

    def __init__(self, *, device: str, collector: str, clock: Clock, emit: ReportSink) -> None:
        self._device = device
        self._collector = collector
        self._clock = clock
        self._emit = emit
        self._before: Counters = {}
        self._before_ns: int | None = None
        self._states: dict[tuple[str, str], str] | None = None

    def report(self, levels: Sequence[MetricValue], counters: Counters, *, can_wait: bool = True) -> None:
        """Report the levels and states, and the growth of the counters since the last call. A new state does
        not wait."""
        now, since = self._clock.monotonic_ns(), self._before_ns
        grown = growths(self._before, counters)
        self._before, self._before_ns = counters, now
        metrics = [*levels, *grown]
        if not metrics:
            return
        duration = max(1, now - since) if grown and since is not None else None
        known = self._states
        self._states = {
            (item.subject, item.metric): item.value for item in levels if isinstance(item.value, str)
        }
        send_metrics(
            self._emit,
            self._device,
            self._collector,
            metrics,
            at=self._clock.wall_ns(),
            duration_ns=duration,
            can_wait=can_wait and self._states == known,
        )
