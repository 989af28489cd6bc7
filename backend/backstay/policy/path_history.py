"""History of paths: switches, time on fallback, the last outage, and decisions."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from datetime import datetime, timedelta

from django.db.models import (
    Case,
    Count,
    DateTimeField,
    ExpressionWrapper,
    F,
    FloatField,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce, Greatest

from backstay.core.errors import Invalid
from backstay.core.model.outage import (
    GRACE_S,
    MISSED_REPORTS,
    Outage,
    OutageCause,
    OutageMeasure,
    known_until,
    max_silence,
    prevailing,
)
from backstay.core.timerange import LONGEST_PAST
from backstay.inventory.models import Site
from backstay.policy.models import Decision, Path, PathOutage, PathSwitch, PolicyGateway
from backstay.policy.state_facts import path_repeat

DAY = timedelta(days=1)
WEEK = timedelta(days=7)
ABOVE_ALL = 1e15
"""Ongoing outages sort above measured ones, the oldest first: their length must not move a sort key."""


@dataclass(frozen=True, slots=True)
class PathHistory:
    """Switches of a path in the last day and week, seconds away in the last day, and its last outage.

    The last outage is one of more than 0 ms; of an ongoing one the least that it has lasted.
    """

    switches_24h: int
    switches_7d: int
    fallback_24h_s: float
    last_outage_ms: float | None
    last_outage_at: datetime | None
    """Its start."""


class SecondsAway(Func):
    """Seconds of switches' segments on another gateway than `home`; NULL without a switch in the range.

    Arguments: path id, name of its home gateway, start and end of the range.
    """

    output_field = FloatField()
    template = """(
        SELECT coalesce(sum(extract(epoch FROM turn.until - turn.at))
                            FILTER (WHERE turn.to_gateway <> ALL (turn.home)), 0)
               + coalesce(sum(extract(epoch FROM turn.at - turn.start))
                              FILTER (WHERE turn.first AND turn.from_gateway <> ALL (turn.home)), 0)
        FROM (SELECT switch.at, switch.from_gateway, switch.to_gateway, given.start,
                     coalesce(lead(switch.at) OVER line, given.finish) AS until,
                     row_number() OVER line = 1 AS first, ARRAY['', given.home] AS home
              FROM (VALUES (%(expressions)s)) AS given (path, home, start, finish)
              JOIN policy_pathswitch AS switch
                  ON switch.path_id = given.path AND switch.at > given.start AND switch.at <= given.finish
              WINDOW line AS (ORDER BY switch.at, switch.id)) AS turn
        HAVING count(*) > 0)::float8"""


_DECIDED = """
    SELECT DISTINCT ON (decision.path_id) decision.* FROM policy_decision AS decision
    WHERE decision.path_id = ANY(%s) ORDER BY decision.path_id, decision.at DESC, decision.id DESC
"""


_LAST_OUTAGES = """
    SELECT outage.* FROM unnest(%s::bigint[]) AS given (path)
    CROSS JOIN LATERAL (
        SELECT * FROM policy_pathoutage AS outage
        WHERE outage.path_id = given.path AND (%s::timestamptz IS NULL OR outage.start <= %s)
        ORDER BY outage.start DESC, outage.id DESC LIMIT 1) AS outage
"""


def with_history(
    paths: QuerySet[Path], site: Site, now: datetime, *, past_since: str | None = None
) -> QuerySet[Path]:
    """Paths of `path_states.paths` with the fields of `PathHistory` and `last_outage_key`, to sort by.

    Without a home gateway none is away. `past_since`: `now` is a past moment, and this is the column of what
    `since` was then; later rows do not count, and an outage that was not over is ongoing.
    """
    is_past, since = past_since is not None, past_since or "since"
    start = now - DAY
    switches = PathSwitch.objects.filter(path=OuterRef("pk"))
    outages = PathOutage.objects.filter(path=OuterRef("pk")).order_by("-start", "-pk")
    if is_past:
        switches, outages = switches.filter(at__lte=now), outages.filter(start__lte=now)
    known_until = Value(now, output_field=DateTimeField()) if is_past else reports_hold_until(site, now)
    home = PolicyGateway.objects.filter(policy=OuterRef("policy"), node=OuterRef("home_id"))
    whole_start = Coalesce("earlier_start", "start")
    duration_ms = Case(When(end__lte=now, then=measured_ms())) if is_past else measured_ms()
    ongoing = Greatest(_seconds(Value(now) - Greatest(F(since), Value(start))), Value(0.0))
    recorded = SecondsAway(
        F("pk"),
        Subquery(home.values("node__name")),
        Value(start, output_field=DateTimeField()),
        Value(now, output_field=DateTimeField()),
    )
    away = Coalesce(
        recorded, Case(When(is_on_fallback=True, **{f"{since}__isnull": False}, then=ongoing)), Value(0.0)
    )
    return paths.annotate(
        switches_24h=_count(switches.filter(at__gt=start)),
        switches_7d=_count(switches.filter(at__gt=now - WEEK)),
        fallback_24h_s=Case(When(home_id__isnull=False, then=away), default=Value(0.0)),
        last_outage_at=Subquery(outages.values(whole=whole_start)[:1]),
        last_outage_ms=Coalesce(
            Subquery(outages.values(whole=duration_ms)[:1]),
            Case(When(last_outage_at__isnull=False, then=_milliseconds(known_until, F("last_outage_at")))),
        ),
        last_outage_key=Coalesce(
            Subquery(outages.values(whole=duration_ms)[:1]),
            Value(ABOVE_ALL) - _seconds(F("last_outage_at")) * Value(1000.0),
        ),
    )


def measured_ms() -> ExpressionWrapper[CombinedExpression]:
    """Duration of an outage with the rows that it continues; NULL: ongoing."""
    before_ms = _seconds(F("start") - Coalesce("earlier_start", "start")) * Value(1000.0)
    return ExpressionWrapper(F("duration_ms") + before_ms, output_field=FloatField())


def reports_hold_until(site: Site, now: datetime) -> Case:
    """Until when a path's newest report holds, as `core.model.outage.known_until`."""
    missed = path_repeat(site, "policy__probe_interval_ms") * Value(MISSED_REPORTS)
    limit = ExpressionWrapper(Value(now - timedelta(seconds=GRACE_S)) - missed, output_field=DateTimeField())
    is_known = Q(at__gte=limit)
    return Case(When(is_known, then=Value(now)), default=F("at"), output_field=DateTimeField())


def _milliseconds(end: Case | Value, start: F) -> Greatest:
    span = Func(
        end, start, template="(extract(epoch FROM %(expressions)s) * 1000)::float8", arg_joiner=" - ",
        output_field=FloatField(),
    )  # fmt: skip
    return Greatest(span, Value(0.0))


def last_outages(paths: Collection[int], at: datetime | None = None) -> dict[int, PathOutage]:
    """Path id -> newest outage, which may continue earlier rows; one query. `at`: as of a past moment."""
    rows = PathOutage.objects.raw(_LAST_OUTAGES, [list(paths), at, at])
    return {row.path_id: row if at is None else _ongoing_at(row, at) for row in rows}


def _ongoing_at(row: PathOutage, at: datetime) -> PathOutage:
    """The row as it was: an outage that was not over has no end and no duration."""
    if row.end is None or row.end > at:
        row.end, row.duration_ms, row.at = None, None, at
    return row


def outage_of(row: PathOutage, reported_at: datetime | None, now: datetime, interval_s: float) -> Outage:
    """A stored outage with the rows that it continues; `reported_at`: time of its path's newest report;
    `interval_s`: of its site.

    Nobody probed while the agent restarted: the duration of such an outage is an estimate.
    """
    start = row.earlier_start or row.start
    lasted = row.duration_ms
    if lasted is None:
        silence = max_silence(row.probe_interval_ms, interval_s)
        until = known_until(reported_at, silence, now) or row.at
        lasted = max((until - row.start).total_seconds() * 1000, 0.0)
    return Outage(
        start=start,
        end=row.end,
        duration_ms=round(lasted + (row.start - start).total_seconds() * 1000, 3),
        cause=OutageCause(prevailing(row.cause, row.earlier_cause or row.cause)),
        measured_by=OutageMeasure(row.measured_by if start == row.start else OutageMeasure.REPORTS),
        probe_interval_ms=row.probe_interval_ms,
    )


def history_of(path: Path) -> PathHistory:
    """Of a row of `with_history`."""
    return PathHistory(**{field.name: getattr(path, field.name) for field in fields(PathHistory)})


def _count(switches: QuerySet[PathSwitch]) -> Coalesce:
    counted = switches.order_by().values("path").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted), Value(0))


def _seconds(span: CombinedExpression | F) -> Func:
    return Func(span, template="extract(epoch FROM %(expressions)s)::float8", output_field=FloatField())


def decided(paths: Iterable[int]) -> dict[int, Decision]:
    """Path id -> newest checker decision; one query."""
    rows = Decision.objects.raw(_DECIDED, [list(paths)])
    return {row.path_id: row for row in rows}


def start_of(since: datetime | None, now: datetime) -> datetime:
    """Start of a timeline: default one day ago, at most one year ago. Invalid."""
    if since is None:
        return now - DAY
    if since >= now:
        raise Invalid("since is in the future.", fields={"since": "a time in the past"})
    return max(since, now - LONGEST_PAST)


def clipped(start: datetime, end: datetime, now: datetime) -> tuple[datetime, datetime]:
    """A range of timelines: in the past, and of the last year. Invalid."""
    start, end = max(start, now - LONGEST_PAST), min(end, now)
    if start >= end:
        fields = {"start": "a time in the past year, and before end"}
        raise Invalid("The range is not within the past year.", fields=fields)
    return start, end
