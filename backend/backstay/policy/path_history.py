"""History of paths: switches, time on fallback, outages, decisions and segments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta

from django.db.models import (
    Case,
    Count,
    DateTimeField,
    F,
    FloatField,
    Func,
    OuterRef,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce, Greatest

from backstay.core.errors import Invalid
from backstay.policy.models import Decision, Path, PathSwitch, PolicyGateway

DAY = timedelta(days=1)
WEEK = timedelta(days=7)
YEAR = timedelta(days=366)
MAX_SWITCHES = 10_000


@dataclass(frozen=True, slots=True)
class PathHistory:
    """Switches of a path in the last day and week, seconds away in the last day, newest measured outage."""

    switches_24h: int
    switches_7d: int
    fallback_24h_s: float
    last_outage_ms: float | None
    last_outage_at: datetime | None


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


def with_history(paths: QuerySet[Path], now: datetime) -> QuerySet[Path]:
    """Paths of `path_states.paths` with the fields of `PathHistory`. Without a home gateway none is away."""
    start = now - DAY
    switches = PathSwitch.objects.filter(path=OuterRef("pk"))
    outages = switches.filter(outage_ms__isnull=False).order_by("-at")
    home = PolicyGateway.objects.filter(policy=OuterRef("policy"), node=OuterRef("home_id"))
    ongoing = Greatest(_seconds(Value(now) - Greatest(F("since"), Value(start))), Value(0.0))
    recorded = SecondsAway(
        F("pk"),
        Subquery(home.values("node__name")),
        Value(start, output_field=DateTimeField()),
        Value(now, output_field=DateTimeField()),
    )
    away = Coalesce(recorded, Case(When(is_on_fallback=True, since__isnull=False, then=ongoing)), Value(0.0))
    return paths.annotate(
        switches_24h=_count(switches.filter(at__gt=start)),
        switches_7d=_count(switches.filter(at__gt=now - WEEK)),
        fallback_24h_s=Case(When(home_id__isnull=False, then=away), default=Value(0.0)),
        last_outage_ms=Subquery(outages.values("outage_ms")[:1]),
        last_outage_at=Subquery(outages.values("at")[:1]),
    )


def history_of(path: Path) -> PathHistory:
    """Of a row of `with_history`."""
    return PathHistory(**{field.name: getattr(path, field.name) for field in fields(PathHistory)})


def _count(switches: QuerySet[PathSwitch]) -> Coalesce:
    counted = switches.order_by().values("path").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted), Value(0))


def _seconds(span: CombinedExpression) -> Func:
    return Func(span, template="extract(epoch FROM %(expressions)s)::float8", output_field=FloatField())


def decided(paths: Iterable[int]) -> dict[int, Decision]:
    """Path id -> newest checker decision; one query."""
    rows = Decision.objects.raw(_DECIDED, [list(paths)])
    return {row.path_id: row for row in rows}


def start_of(since: datetime | None, now: datetime) -> datetime:
    """Start of a timeline: default one day ago, at most one year ago. Invalid."""
    if since is None:
        return now - DAY
    if since.tzinfo is None:
        raise Invalid("since has no time zone.", fields={"since": "a time with zone, 2026-01-31T12:00:00Z"})
    if since >= now:
        raise Invalid("since is in the future.", fields={"since": "a time in the past"})
    return max(since, now - YEAR)


def timeline(path: Path, start: datetime, now: datetime) -> list[Segment]:
    """The path's segments from `start` to `now`."""
    rows = PathSwitch.objects.filter(path=path, at__gt=start, at__lte=now).order_by("at", "pk")
    values = rows.values_list("at", "from_gateway", "to_gateway", "outage_ms")[:MAX_SWITCHES]
    return build_segments([SwitchRecord(*row) for row in values], path.active_text, path.since, start, now)


@dataclass(frozen=True, slots=True)
class SwitchRecord:
    """One recorded switch of a path."""

    at: datetime
    from_gateway: str
    to_gateway: str
    outage_ms: float | None


@dataclass(frozen=True, slots=True)
class Segment:
    """A period on one gateway; empty: no route."""

    gateway: str
    start: datetime
    end: datetime
    outage_ms: float | None
    """Of the switch at its start; None: not measured, or before the requested range."""


def build_segments(
    switches: Sequence[SwitchRecord],
    active: str,
    known_since: datetime | None,
    start: datetime,
    now: datetime,
) -> list[Segment]:
    """Contiguous segments from `start` to `now`. `switches`: since `start`, oldest first.

    `active`: the current gateway; `known_since`: its first report. Earlier times without a recorded switch
    are left out.
    """
    if not switches:
        begin = start if known_since is None else max(start, known_since)
        return [] if known_since is None or begin >= now else [Segment(active, begin, now, None)]
    found = []
    if switches[0].at > start:
        found.append(Segment(switches[0].from_gateway, start, switches[0].at, None))
    for place, switch in enumerate(switches):
        end = switches[place + 1].at if place + 1 < len(switches) else now
        if end > switch.at:
            found.append(Segment(switch.to_gateway, switch.at, end, switch.outage_ms))
    return found
