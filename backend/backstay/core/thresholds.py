"""Limits for nearly full, saturated and stale: the only place that defines them.

Shares are 0..1 of the usable rate (links) or of the capacity (tables). Clients receive the values through
`core.client_spec`.
"""

from __future__ import annotations

NEARLY_FULL = 0.70
"""A link, or a gateway's backup, is nearly full from this share on."""
FULL = 1.0
SATURATED = 0.90
SATURATION_CLEARS_BELOW = 0.75
"""Far enough below `SATURATED` that a load near the limit does not flap."""
SATURATION_SAMPLES = 3
"""Consecutive samples that raise or clear a saturation."""
TABLE_NEARLY_FULL = 0.70
TABLE_CLEARS_BELOW = 0.60
"""Of a neighbour table's capacity."""
STALE_AFTER_INTERVALS = 2
NOT_REPORTING_AFTER_INTERVALS = 3
MIN_STALE_S = 5.0
"""Minimum at short intervals: an agent restart or one slow poll does not make a node stale."""
PATH_REPEAT_S, PATH_REPEAT_PROBES, PATH_REPEAT_MOST_S = 10.0, 25, 30.0
"""An agent repeats the report of an unchanged path after the longest of the first, so many probes, and the
site's interval up to the last; an observer probes at least every `PATH_REPEAT_S`. As in the wire."""
PATH_STALE_AFTER_REPEATS = 2.5
COLLECTOR_REPEAT_S = 60.0
"""An agent repeats the outcome of a collector after this time, or at its next run."""
COLLECTOR_STALE_AFTER_REPEATS = 3
ROUND_S = 2.0
"""Period of the rounds in which alert rules are evaluated."""
NOTIFY_S = 1.0
"""Period in which each site's notifications are decided, and deliveries that are due are started."""
CAPACITY_PERIOD_S = 60.0
"""Period of the study of each site's capacity."""
CAPACITY_STALE_AFTER_S = 3 * CAPACITY_PERIOD_S
"""A result that was neither computed nor confirmed for this time says nothing about the present."""
FORECAST_PERIOD_S = 600.0
"""Period in which forecasts of links are looked for that are due: each is computed once a day."""
MISSED_ROUNDS = 3
"""From so many missed rounds of a site on, its evaluation is late."""
INCIDENTS_PER_DEVICE = 8
"""More problems of one kind at one device share one incident."""

THRESHOLDS: dict[str, float] = {
    "nearly_full": NEARLY_FULL,
    "full": FULL,
    "saturated": SATURATED,
    "saturation_clears_below": SATURATION_CLEARS_BELOW,
    "saturation_samples": SATURATION_SAMPLES,
    "table_nearly_full": TABLE_NEARLY_FULL,
    "table_clears_below": TABLE_CLEARS_BELOW,
    "stale_after_intervals": STALE_AFTER_INTERVALS,
    "not_reporting_after_intervals": NOT_REPORTING_AFTER_INTERVALS,
    "min_stale_s": MIN_STALE_S,
    "round_s": ROUND_S,
    "missed_rounds": MISSED_ROUNDS,
    "incidents_per_device": INCIDENTS_PER_DEVICE,
}
