"""The wire's registers of metrics and ARP settings, for display and evaluation."""

from __future__ import annotations

from collections.abc import Iterable

from backstay_wire import METRICS, SETTINGS, TABLE_SETTINGS, Metric

__all__ = ["SETTINGS", "TABLE_SETTINGS", "family", "metric", "metrics"]


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
