"""The wire's registers of metrics and ARP settings, for display and evaluation."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from backstay.core.model.device_metric import MetricReading, MetricState, is_fresh, metric_state
from backstay_wire import METRICS, SETTINGS, TABLE_SETTINGS, Metric

__all__ = ["SETTINGS", "TABLE_SETTINGS", "family", "metric", "metrics", "state_of"]


def metric(name: str) -> Metric | None:
    """Return the metric; None if unknown."""
    return METRICS.get(name)


def metrics() -> list[Metric]:
    """All metrics, by name."""
    return [METRICS[name] for name in sorted(METRICS)]


def family(prefixes: Iterable[str]) -> list[Metric]:
    """Metrics whose names begin with one of the prefixes, by name."""
    wanted = tuple(prefixes)
    return [item for item in metrics() if item.name.startswith(wanted)]


def state_of(name: str, reading: MetricReading, now: datetime, interval_s: float) -> MetricState:
    """Whether a metric's reading is healthy, unhealthy or unknown."""
    return metric_state(reading, metric(name), fresh=is_fresh(reading, now, interval_s))
