"""When figures are too old to be shown as good: the one rule for nodes, ports, links and loads."""

from __future__ import annotations

from datetime import datetime

from backstay.core.thresholds import MIN_STALE_S, NOT_REPORTING_AFTER_INTERVALS, STALE_AFTER_INTERVALS


def max_age_s(interval_s: float) -> float:
    """Seconds after which a node is stale: two missed intervals, and at least five seconds."""
    return max(STALE_AFTER_INTERVALS * interval_s, MIN_STALE_S)


def incident_age_s(interval_s: float) -> float:
    """Seconds of silence that make an incident: three intervals, and at least half again of `max_age_s`."""
    return max(NOT_REPORTING_AFTER_INTERVALS * interval_s, 1.5 * MIN_STALE_S)


def is_fresh(at: datetime | None, now: datetime, interval_s: float) -> bool:
    """Whether something known since `at` may still be shown as true."""
    return at is not None and (now - at).total_seconds() <= max_age_s(interval_s)
