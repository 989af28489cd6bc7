"""Transitions of incidents: each is a compare-and-set and records a flip and an event.

Callers hold `exclusive(site)`, so that two rounds, or a round and a new report, never evaluate the same
thing at once. One cause may affect a whole fabric: any number of transitions at once takes the same few
queries.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime, timedelta
from operator import attrgetter

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Case, F, When

from backstay.alerts import budget
from backstay.alerts.flips import NOUNS, Transition, record, unmoved
from backstay.alerts.models import Incident, IncidentComment, SiteRule
from backstay.alerts.rule import Finding
from backstay.alerts.rules import RULES
from backstay.core.alerting.flapping import LONGEST_HOLD, is_return
from backstay.core.alerting.root_causes import MAX_WAITS
from backstay.core.diagnosis.faults.fault import FaultEvidence
from backstay.core.formatting import duration
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.progress import Phase
from backstay.inventory.advisory_locks import LockClass, lock_until_commit
from backstay.inventory.models import Site
from backstay.live import publish

LOCK_WAIT_S = 5.0
OVERDUE = timedelta(seconds=4)
"""So long after its longest wait for a root cause an incident is shown even if the search for it fails."""
BATCH = 500
"""Rows in one statement of `bulk_update`."""
_DESCRIBED = (
    "severity", "own_severity", "subject", "title", "detail", "direction", "node_id", "link_id", "value",
    "threshold", "peak_title", "peak_value", "affected", "evidence", "bad", "good", "judged_at", "is_waiting",
    "is_suppressed",
)  # fmt: skip
"""Columns that a finding sets."""
_SHOWN = {"title", "detail", "severity", "affected"}
_LINKED = {"own_severity", "affected"}
"""Columns that decide which incident is whose root cause, and the group's severity."""
_values = attrgetter(*_DESCRIBED)
_PEAK_TITLE = Case(When(peak_title="", then="title"), default="peak_title")

AFFECTED = ("dead_paths", "rerouted_paths", "standby_paths", "links", "nodes")
"""Fields of a fault that its incident stores."""

NewFinding = tuple[Incident | None, Finding]
"""A finding, and the incident that counted towards it."""


@contextmanager
def exclusive(site: Site, wait_s: float = LOCK_WAIT_S) -> Iterator[None]:
    """A short transaction with exclusive write access to the site's incidents.

    Waits `wait_s` at most. A broken foreign key is an error of its statement, not of the commit.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT set_config('lock_timeout', %s, true), set_config('statement_timeout', %s, true)",
                [f"{wait_s * 1000:.0f}", f"{max(wait_s, budget.RULE_S) * 1000:.0f}"],
            )
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        lock_until_commit(LockClass.ALERTS, site)
        yield


def raise_all(
    rule: SiteRule,
    new: Iterable[NewFinding],
    now: datetime,
    is_paused: Callable[[Finding], bool] = lambda _: False,
) -> bool:
    """Store new findings and open those that no longer only count; whether any incident opened or waits.

    What may have a root cause waits for it, `show_waiting` opens it. What is in maintenance (`is_paused`)
    opens after its window, if it lasts. What was resolved a moment ago is opened again.
    """
    pairs = list(new)
    counting = {item.pk for item in unmoved([old for old, _ in pairs if old is not None])}
    earlier = resolved_lately(rule.site, {finding.fingerprint for _, finding in pairs}, now)
    created: list[tuple[Incident, Finding]] = []
    kept: list[tuple[Incident, Finding]] = []
    replaced: list[Incident] = []
    opened: list[Transition] = []
    reopened: list[Transition] = []
    for old, finding in pairs:
        if old is not None and old.pk not in counting:
            continue
        incident, before = (_new(rule, finding), "") if old is None else (old, old.phase)
        incident.found_at = incident.found_at or now
        paused = not finding.is_pending and is_paused(finding)
        if paused and incident.is_suppressed:
            continue
        waits = not finding.is_pending and not paused and _waits(incident, rule.kind, now)
        is_open = not (finding.is_pending or paused or waits)
        if is_open and finding.fingerprint in earlier:
            replaced += [] if old is None else [old]
            incident, before = earlier[finding.fingerprint], Phase.RESOLVED.value
            come_back(incident, finding.since)
        (created if incident.pk is None else kept).append((incident, finding))
        incident.phase = Phase.OPEN if is_open else Phase.PENDING
        _describe(incident, rule.kind, finding, now)
        incident.is_waiting, incident.is_suppressed = waits, paused
        if is_open:
            transition = Transition(incident, before, incident.title, incident.severity)
            (reopened if before == Phase.RESOLVED else opened).append(transition)
    drop_all(replaced)
    Incident.objects.bulk_create([incident for incident, _ in created])
    columns = [*_DESCRIBED, *_RETURNED, "phase", "last_seen", "found_at"]
    Incident.objects.bulk_update([incident for incident, _ in kept], columns, batch_size=BATCH)
    _link_paths([*created, *kept])
    record(rule.site, EventKind.INCIDENT_OPENED, opened, now)
    record(rule.site, EventKind.INCIDENT_REOPENED, reopened, now)
    return bool(opened or reopened) or any(incident.is_waiting for incident, _ in [*created, *kept])


def resolved_lately(site: Site, fingerprints: Collection[str], now: datetime) -> dict[str, Incident]:
    """Fingerprint -> the incident that a finding of now continues; one query.

    Only of its own accord: an effect belongs to its root cause, the next one may have another.
    """
    if not fingerprints:
        return {}
    rows = Incident.objects.filter(
        site=site,
        phase=Phase.RESOLVED,
        resolved_at__gte=now - LONGEST_HOLD,
        cause=None,
        fingerprint__in=fingerprints,
    )
    known = {
        row.fingerprint: row for row in rows.select_related("site", "rule").order_by("resolved_at", "pk")
    }
    return {
        name: row
        for name, row in known.items()
        if row.resolved_at is not None
        and is_return(row.resolved_at, row.returns if settings.FLAP_HOLD else 0, now)
    }


_RETURNED = (
    "returns", "flapping_since", "opened_at", "resolved_at", "quiet_since", "acknowledged_by",
    "acknowledged_at",
)  # fmt: skip
"""Columns that `come_back` sets."""


def come_back(incident: Incident, since: datetime) -> None:
    """Begin the next occurrence of an incident, in memory; a resolved one is not acknowledged any more."""
    incident.flapping_since = incident.flapping_since or incident.opened_at
    incident.opened_at = max(since, incident.opened_at)
    incident.returns += 1
    incident.quiet_since = None
    if incident.resolved_at is not None:
        incident.resolved_at = incident.acknowledged_by = incident.acknowledged_at = None


def _waits(incident: Incident, kind: str, now: datetime) -> bool:
    """Whether it is not shown yet because its root cause may be found."""
    limit = MAX_WAITS.get(RULES[kind].cause_rank)
    return limit is not None and now < (incident.found_at or now) + limit + OVERDUE


def show_waiting(
    site: Site, waiting: Sequence[Incident], now: datetime, effects: Collection[int] = ()
) -> list[Incident]:
    """Open incidents that waited for their root cause; they, or the earlier ones that they continue.

    `effects`: ids of those with a root cause, which continue none.
    """
    shown = unmoved(waiting)
    own = {incident.fingerprint for incident in shown if incident.pk not in effects}
    earlier = resolved_lately(site, own, now)
    replaced = [incident for incident in shown if incident.fingerprint in earlier]
    again = [_continued(earlier[incident.fingerprint], incident) for incident in replaced]
    fresh = [incident for incident in shown if incident.fingerprint not in earlier]
    for incident in fresh:
        incident.phase, incident.is_waiting = Phase.OPEN, False
    if fresh:
        rows = Incident.objects.filter(pk__in=[incident.pk for incident in fresh])
        rows.update(phase=Phase.OPEN, is_waiting=False)
    if again:
        _move_paths(replaced, earlier)
        drop_all(replaced)
        columns = [*_DESCRIBED, *_RETURNED, "phase", "last_seen", "found_at"]
        Incident.objects.bulk_update(again, columns, batch_size=BATCH)
    opened = [Transition(item, Phase.PENDING, item.title, item.severity) for item in fresh]
    record(site, EventKind.INCIDENT_OPENED, opened, now)
    reopened = [Transition(item, Phase.RESOLVED, item.title, item.severity) for item in again]
    record(site, EventKind.INCIDENT_REOPENED, reopened, now)
    return [*fresh, *again]


def _continued(earlier: Incident, waiting: Incident) -> Incident:
    """The earlier incident with what was found of the one that waited."""
    come_back(earlier, waiting.opened_at)
    for name in (*_DESCRIBED, "last_seen", "found_at"):
        setattr(earlier, name, getattr(waiting, name))
    earlier.phase, earlier.is_waiting = Phase.OPEN, False
    return earlier


def _move_paths(replaced: Sequence[Incident], earlier: Mapping[str, Incident]) -> None:
    """Add the paths of incidents that are replaced to those that continue them; three queries."""
    table, names = Incident.paths.through, {row.pk: row.fingerprint for row in replaced}
    found = list(table.objects.filter(incident_id__in=names).values_list("incident_id", "path_id"))
    rows = [table(incident_id=earlier[names[old]].pk, path_id=path) for old, path in found]
    table.objects.bulk_create(rows, ignore_conflicts=True)


def follow_all(rule: SiteRule, findings: Sequence[tuple[Incident, Finding]], now: datetime) -> bool:
    """Update incidents that last with the current facts; whether their links to root causes may change.

    Findings that count samples keep the value that opened the incident, with the evidence of now.
    """
    if not findings:
        return False
    differing: dict[str, list[Incident]] = {}
    for incident, finding in findings:
        before = _values(incident)
        _follow(incident, rule.kind, finding, now)
        for name, one, other in zip(_DESCRIBED, before, _values(incident), strict=True):
            if one != other:
                differing.setdefault(name, []).append(incident)
    Incident.objects.filter(pk__in=[incident.pk for incident, _ in findings]).update(last_seen=now)
    rows = {incident.pk: incident for rows in differing.values() for incident in rows}
    if rows:
        Incident.objects.bulk_update(rows.values(), list(differing), batch_size=BATCH)
    _link_paths(pair for pair in findings if pair[1].count is None)
    if differing.keys() & _SHOWN:
        publish.changed(rule.site.name, NOUNS)
    return bool(differing.keys() & _LINKED)


def drop_all(incidents: Sequence[Incident]) -> None:
    """Delete pending incidents whose condition is over."""
    if incidents:
        Incident.objects.filter(pk__in=[incident.pk for incident in incidents]).delete()


def resolve_all(site: Site, incidents: Sequence[Incident], now: datetime) -> bool:
    """Resolve incidents whose condition is over; whether any was open.

    Their title becomes the one of their largest value: it describes the past.
    """
    transitions = []
    for incident in unmoved(incidents):
        after = duration((now - incident.opened_at).total_seconds())
        incident.title = incident.peak_title or incident.title
        transitions.append(
            Transition(incident, incident.phase, f"Resolved after {after}: {incident.title}", "ok")
        )
        incident.phase, incident.resolved_at = Phase.RESOLVED, now
        incident.quiet_since = None
    if transitions:
        gone = Incident.objects.filter(pk__in=[item.incident.pk for item in transitions])
        gone.update(phase=Phase.RESOLVED, resolved_at=now, quiet_since=None, title=_PEAK_TITLE)
    record(site, EventKind.INCIDENT_RESOLVED, transitions, now)
    return bool(transitions)


def acknowledge(incident: Incident, actor: str, actor_id: int, comment: str, now: datetime) -> bool:
    """Acknowledge an incident; False if it is no longer open."""
    rows = unresolved(incident.site, [incident.pk], Phase.OPEN)
    acknowledge_all(incident.site, rows, (actor, actor_id), comment, now)
    incident.refresh_from_db()
    return bool(rows)


def unresolved(site: Site, incidents: Collection[int], *phases: Phase) -> list[Incident]:
    """Lock and return those of these incidents that are in one of the phases."""
    rows = Incident.objects.select_for_update(no_key=True, of=("self",)).select_related("rule")
    return list(rows.filter(site=site, pk__in=incidents, phase__in=phases).order_by("pk"))


Who = tuple[str, int]
"""Name and id of a user."""


def acknowledge_all(site: Site, rows: Sequence[Incident], who: Who, comment: str, now: datetime) -> None:
    """Acknowledge open incidents, which are locked; a few queries for any number."""
    actor, actor_id = who
    Incident.objects.filter(pk__in=[row.pk for row in rows]).update(
        phase=Phase.ACKNOWLEDGED,
        acknowledged_by_id=actor_id,
        acknowledged_at=now,
        comment=comment,
        seen_severity=F("severity"),
    )
    note = f" ({comment})" if comment else ""
    for row in rows:
        row.phase = Phase.ACKNOWLEDGED
    done = [
        Transition(row, Phase.OPEN, f"{actor} acknowledged: {row.title}{note}", "ok", actor, comment)
        for row in rows
    ]
    record(site, EventKind.INCIDENT_ACKNOWLEDGED, done, now)
    store_comments(rows, who, comment, now)


def store_comments(rows: Sequence[Incident], who: Who, text: str, now: datetime) -> None:
    """Store a comment with each incident; none if the text is empty."""
    if text:
        IncidentComment.objects.bulk_create(
            IncidentComment(incident=row, author_id=who[1], author_name=who[0], text=text, at=now)
            for row in rows
        )


def _link_paths(findings: Iterable[tuple[Incident, Finding]]) -> None:
    """Add the paths that each finding affects; earlier ones stay."""
    wanted = {(incident.pk, path) for incident, finding in findings for path in finding.path_ids}
    if not wanted:
        return
    table = Incident.paths.through
    known = table.objects.filter(incident_id__in={incident for incident, _ in wanted})
    missing = wanted - set(known.values_list("incident_id", "path_id"))
    table.objects.bulk_create(table(incident_id=incident, path_id=path) for incident, path in sorted(missing))


def _new(rule: SiteRule, finding: Finding) -> Incident:
    return Incident(site=rule.site, rule=rule, fingerprint=finding.fingerprint, opened_at=finding.since)


def _follow(incident: Incident, kind: str, finding: Finding, now: datetime) -> None:
    incident.is_waiting = incident.is_suppressed = False
    if finding.count is not None:
        _count(incident, finding)
        incident.evidence = [_evidence(item) for item in finding.evidence]
    else:
        _describe(incident, kind, finding, now)


def _describe(incident: Incident, kind: str, finding: Finding, now: datetime) -> None:
    severity = finding.severity or RULES[kind].severity
    if incident.own_severity != severity:
        incident.severity = incident.own_severity = severity
    incident.subject = finding.subject
    incident.title = finding.title[:300]
    incident.detail = finding.detail[:2000]
    incident.direction = finding.direction
    incident.node_id = finding.node_id
    incident.link_id = finding.link_id
    incident.value = finding.value
    incident.threshold = finding.threshold
    incident.last_seen = now
    incident.evidence = [_evidence(item) for item in finding.evidence]
    if finding.fault is not None:
        incident.affected = {name: list(getattr(finding.fault, name)) for name in AFFECTED}
    if not incident.peak_title or (finding.value or 0.0) >= (incident.peak_value or 0.0):
        incident.peak_title, incident.peak_value = incident.title, incident.value
    _count(incident, finding)


def _evidence(item: FaultEvidence) -> dict[str, object]:
    return asdict(item) | {"at": None if item.at is None else item.at.isoformat()}


def _count(incident: Incident, finding: Finding) -> None:
    if finding.count is not None:
        incident.bad = finding.count.bad
        incident.good = finding.count.good
        incident.judged_at = finding.count.judged_at
