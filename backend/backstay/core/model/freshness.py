"""Maximum age of current data: one rule for nodes, ports, links and loads."""

from __future__ import annotations

from datetime import datetime

from backstay.core.thresholds import (
    COLLECTOR_REPEAT_S,
    COLLECTOR_STALE_AFTER_REPEATS,
    MIN_STALE_S,
    NOT_REPORTING_AFTER_INTERVALS,
    PATH_REPEAT_MOST_S,
    PATH_REPEAT_PROBES,
    PATH_REPEAT_S,
    PATH_STALE_AFTER_REPEATS,
    STALE_AFTER_INTERVALS,
)


def max_age_s(interval_s: float) -> float:
    """Seconds after which a node is stale: two missed intervals, at least five seconds."""
    return max(STALE_AFTER_INTERVALS * interval_s, MIN_STALE_S)


def incident_age_s(interval_s: float) -> float:
    """Seconds without a report that open an incident: three intervals, at least 1.5 times `MIN_STALE_S`."""
    return max(NOT_REPORTING_AFTER_INTERVALS * interval_s, 1.5 * MIN_STALE_S)


def is_fresh(at: datetime | None, now: datetime, interval_s: float) -> bool:
    """Whether data last seen `at` is current."""
    return at is not None and (now - at).total_seconds() <= max_age_s(interval_s)


def path_repeat_s(probe_interval_ms: int, interval_s: float) -> float:
    """Seconds after which an agent repeats the report of an unchanged path, with those of its counters."""
    probes_s = PATH_REPEAT_PROBES * min(probe_interval_ms / 1000, PATH_REPEAT_S)
    return max(PATH_REPEAT_S, probes_s, min(interval_s, PATH_REPEAT_MOST_S))


def path_max_age_s(probe_interval_ms: int, interval_s: float) -> float:
    """Seconds after which an unchanged path, whose node reports, is stale: the agent repeats it earlier."""
    return PATH_STALE_AFTER_REPEATS * path_repeat_s(probe_interval_ms, interval_s)


def collector_max_age_s(interval_s: float) -> float:
    """Seconds after which the outcome of a collector is stale: three repetitions."""
    return COLLECTOR_STALE_AFTER_REPEATS * max(COLLECTOR_REPEAT_S, interval_s)
