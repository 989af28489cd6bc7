"""Outage time of a policy's paths by day or month, in UTC."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from backstay.core.errors import Invalid
from backstay.core.model.outage import max_silence
from backstay.inventory.sql import fetch_rows
from backstay.policy.models import FailoverPolicy

By = Literal["day", "month"]
MAX_BUCKETS = 400
DEFAULT_BUCKETS = {"day": 30, "month": 12}


@dataclass(frozen=True, slots=True)
class OutageTotal:
    """Outages of a policy's paths between `start` and `end`; overlapping ones of a path count once."""

    start: datetime
    end: datetime
    outages: int
    paths: int
    """Paths with an outage."""
    ongoing: int
    """Paths with an outage that is not over at `end`."""
    outage_s: float
    """Sum over the paths, s."""
    worst_s: float
    worst_node: str
    """Empty: no outage."""
    observed_s: float
    """Time in which the paths were observed, sum over the paths, s; 0: nothing is known."""


_TOTALS = """
    WITH path AS (
        SELECT path.id, node.name AS node, path.observed_from, path.at,
               CASE WHEN path.at >= %(now)s - %(silence)s THEN %(now)s ELSE path.at END AS known_until
        FROM policy_path AS path
        JOIN inventory_node AS node ON node.id = path.node_id
        WHERE path.policy_id = %(policy)s),
    bucket AS (
        SELECT * FROM unnest(%(starts)s::timestamptz[], %(ends)s::timestamptz[]) AS bucket (start, finish)),
    lost AS (
        SELECT path.id, path.node,
               range_agg(tstzrange(
                   outage.start, greatest(coalesce(outage."end", path.known_until), outage.start))
               ) AS periods,
               bool_or(outage."end" IS NULL) AS is_ongoing
        FROM policy_pathoutage AS outage
        JOIN path ON path.id = outage.path_id
        WHERE outage.start < %(last)s AND (outage."end" IS NULL OR outage."end" > %(first)s)
        GROUP BY path.id, path.node),
    piece AS (
        SELECT bucket.start, lost.id, lost.node, part.number, part.seconds,
               lost.is_ongoing AND bucket.finish = %(last)s AS is_ongoing
        FROM lost
        CROSS JOIN bucket
        CROSS JOIN LATERAL (
            SELECT count(*) AS number, sum(extract(epoch FROM upper(period) - lower(period))) AS seconds
            FROM unnest(lost.periods * tstzmultirange(tstzrange(bucket.start, bucket.finish))) AS period
        ) AS part
        WHERE part.number > 0),
    outage AS (
        SELECT piece.start, sum(piece.number) AS outages, count(*) AS paths,
               count(*) FILTER (WHERE piece.is_ongoing) AS ongoing, sum(piece.seconds) AS seconds,
               (array_agg(piece.seconds ORDER BY piece.seconds DESC, piece.node))[1] AS worst,
               (array_agg(piece.node ORDER BY piece.seconds DESC, piece.node))[1] AS node
        FROM piece GROUP BY piece.start),
    observed AS (
        SELECT bucket.start, sum(greatest(extract(epoch FROM
                   least(path.known_until, bucket.finish) - greatest(path.observed_from, bucket.start)), 0)
               ) AS seconds
        FROM bucket CROSS JOIN path WHERE path.observed_from IS NOT NULL GROUP BY bucket.start),
    missing AS (
        SELECT bucket.start, sum(extract(epoch FROM
                   least(gap."end", bucket.finish) - greatest(gap.start, bucket.start))) AS seconds
        FROM bucket
        JOIN policy_pathgap AS gap ON gap.start < bucket.finish AND gap."end" > bucket.start
        JOIN path ON path.id = gap.path_id
        GROUP BY bucket.start)
    SELECT bucket.start, bucket.finish, coalesce(outage.outages, 0)::int, coalesce(outage.paths, 0)::int,
           coalesce(outage.ongoing, 0)::int, coalesce(outage.seconds, 0)::float8,
           coalesce(outage.worst, 0)::float8, coalesce(outage.node, ''),
           greatest(coalesce(observed.seconds, 0) - coalesce(missing.seconds, 0), 0)::float8
    FROM bucket
    LEFT JOIN outage USING (start) LEFT JOIN observed USING (start) LEFT JOIN missing USING (start)
    ORDER BY bucket.start
"""


def outage_totals(
    policy: FailoverPolicy, by: By, start: datetime | None, end: datetime | None, now: datetime
) -> list[OutageTotal]:
    """Totals of each day or month from `start` (default 30 days, 12 months) to `end` (default: now).

    An ongoing outage counts to now, or to the node's last report if it no longer reports. Invalid.
    """
    end = min(end or now, now)
    periods = buckets(by, start, end)
    values: dict[str, Any] = {
        "policy": policy.pk,
        "now": now,
        "starts": [period[0] for period in periods],
        "ends": [period[1] for period in periods],
        "first": periods[0][0],
        "last": periods[-1][1],
        "silence": max_silence(policy.probe_interval_ms, policy.site.interval_s),
    }
    return [OutageTotal(*row) for row in fetch_rows(_TOTALS, values)]


def buckets(by: By, start: datetime | None, end: datetime) -> Sequence[tuple[datetime, datetime]]:
    """Days or months in UTC that cover `start` to `end`; the first and the last are clipped. Invalid."""
    first = start if start is not None else _earlier(by, end)
    if first >= end:
        raise Invalid("The range is empty.", fields={"start": "a time before end, and in the past"})
    found = []
    at = first
    while at < end:
        following = _next(by, at)
        found.append((at, min(following, end)))
        at = following
        if len(found) > MAX_BUCKETS:
            raise Invalid(
                f"The range has more than {MAX_BUCKETS} {by}s.", fields={"start": "a later time, or by=month"}
            )
    return found


def _next(by: By, at: datetime) -> datetime:
    """Start of the following day or month."""
    day = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return (
        day + timedelta(days=1) if by == "day" else (day.replace(day=1) + timedelta(days=32)).replace(day=1)
    )


def _earlier(by: By, end: datetime) -> datetime:
    """Start of the first of the default number of days or months."""
    at = end
    for _ in range(DEFAULT_BUCKETS[by]):
        at = _previous(by, at)
    return at


def _previous(by: By, at: datetime) -> datetime:
    """Start of the day or month that contains the moment before `at`."""
    before = (at - timedelta(microseconds=1)).astimezone(UTC)
    day = before.replace(hour=0, minute=0, second=0, microsecond=0)
    return day if by == "day" else day.replace(day=1)
