"""What figures mean: the wire's register of metrics, for whoever shows or judges them."""

from __future__ import annotations

from collections.abc import Iterable

from backstay_wire import METRICS, Metric


def metric(name: str) -> Metric | None:
    """The metric of this name; None when no version of us knows it."""
    return METRICS.get(name)


def metrics() -> list[Metric]:
    """All of them, by name."""
    return [METRICS[name] for name in sorted(METRICS)]


def family(prefixes: Iterable[str]) -> list[Metric]:
    """The metrics whose names begin with one of these, by name."""
    wanted = tuple(prefixes)
    return [item for item in metrics() if item.name.startswith(wanted)]
