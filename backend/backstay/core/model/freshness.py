"""When figures are too old to be shown as good: the one rule for nodes, ports, links and loads."""

from __future__ import annotations

from datetime import datetime

MISSED_INTERVALS = 2
SILENT_INTERVALS = 3
LEAST_S = 5.0
"""At short intervals: an agent's restart or one slow poll is not silence."""


def max_age_s(interval_s: float) -> float:
    """Seconds after which a node is stale: two missed intervals, and at least five seconds."""
    return max(MISSED_INTERVALS * interval_s, LEAST_S)


def incident_age_s(interval_s: float) -> float:
    """Seconds of silence that make an incident: three intervals, and at least half again of `max_age_s`."""
    return max(SILENT_INTERVALS * interval_s, 1.5 * LEAST_S)


def is_fresh(at: datetime | None, now: datetime, interval_s: float) -> bool:
    """Whether something known since `at` may still be shown as true."""
    return at is not None and (now - at).total_seconds() <= max_age_s(interval_s)
