"""Incidents' lives: every transition is a compare-and-set, leaves a flip, and is told as an event.

Whoever writes incidents of a site does it inside `exclusive(site)`, so that two rounds, or a round and a
report that just came in, never judge the same thing at once. One cause may touch a whole fabric: however many
incidents turn at once, they cost the same few queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from django.db import connection, transaction

from backstay.alerts.finding import Finding
from backstay.alerts.models import Flip, Incident, Phase, Rule
from backstay.core.formatting import duration
from backstay.inventory.models import Site
from backstay.live import publish
from backstay.telemetry import events

LOCK_CLASS = 0x42AC
"""First key of PostgreSQL's two-key advisory locks; the site's id is the second."""
NOUNS = frozenset({"incidents", "overview", "topology", "links", "nodes"})
"""Collections that show an incident's coming or going."""
BATCH = 500
"""Rows in one statement of `bulk_update`, which names each of them in each column."""
_DESCRIBED = (
    "severity", "subject", "title", "detail", "direction", "node_id", "link_id", "value", "threshold",
    "bad", "good", "judged_at",
)  # fmt: skip
"""Columns that a finding sets."""
_SHOWN = {"title", "detail", "severity"}
_values = attrgetter(*_DESCRIBED)

News = tuple[Incident | None, Finding]
"""A finding, and the incident that counted towards it."""


@contextmanager
def exclusive(site: Site) -> Iterator[None]:
    """A short transaction during which nobody else writes incidents of the site."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '5s'; SET LOCAL statement_timeout = '10s'")
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LOCK_CLASS, site.pk])
        yield


def raise_all(rule: Rule, news: Iterable[News], now: datetime) -> bool:
    """Remember what is new, open what has counted far enough; whether any incident opened.

    Unless it only counts, what is new is open at once.
    """
    told = list(news)
    counting = {item.pk for item in _unmoved([old for old, _ in told if old is not None])}
    created: list[tuple[Incident, Finding]] = []
    confirmed: list[Incident] = []
    opened: list[_Turn] = []
    for old, finding in told:
        if old is None:
            incident, before = _new(rule, finding), ""
            created.append((incident, finding))
        elif old.pk in counting:
            incident, before = old, old.phase
            confirmed.append(incident)
        else:
            continue
        incident.phase = Phase.PENDING if finding.pending else Phase.OPEN
        _describe(incident, finding, now)
        if not finding.pending:
            opened.append(_Turn(incident, before, incident.title, incident.severity))
    Incident.objects.bulk_create([incident for incident, _ in created])
    Incident.objects.bulk_update(confirmed, [*_DESCRIBED, "phase", "last_seen"], batch_size=BATCH)
    _link_paths(created)
    _turned(rule.site, "incident.opened", opened, now)
    return bool(opened)


def follow_all(site: Site, findings: Sequence[tuple[Incident, Finding]], now: datetime) -> None:
    """Still wrong: bring the words up to date, but keep the titles of the worst that they were.

    What counts samples keeps the figure that opened it.
    """
    if not findings:
        return
    differing: dict[str, list[Incident]] = {}
    for incident, finding in findings:
        before = _values(incident)
        _follow(incident, finding, now)
        for name, one, other in zip(_DESCRIBED, before, _values(incident), strict=True):
            if one != other:
                differing.setdefault(name, []).append(incident)
    Incident.objects.filter(pk__in=[incident.pk for incident, _ in findings]).update(last_seen=now)
    rows = {incident.pk: incident for rows in differing.values() for incident in rows}
    if rows:
        Incident.objects.bulk_update(rows.values(), list(differing), batch_size=BATCH)
    _link_paths(pair for pair in findings if pair[1].count is None)
    if differing.keys() & _SHOWN:
        publish.changed(site.name, NOUNS)


def drop_all(incidents: Sequence[Incident]) -> None:
    """They stopped counting before anybody saw them."""
    if incidents:
        Incident.objects.filter(pk__in=[incident.pk for incident in incidents]).delete()


def resolve_all(site: Site, incidents: Sequence[Incident], now: datetime) -> bool:
    """They are well again; whether any was not before."""
    turns = []
    for incident in _unmoved(incidents):
        after = duration((now - incident.opened_at).total_seconds())
        turns.append(_Turn(incident, incident.phase, f"Resolved after {after}: {incident.title}", "ok"))
        incident.phase, incident.resolved_at = Phase.RESOLVED, now
    if turns:
        gone = Incident.objects.filter(pk__in=[turn.incident.pk for turn in turns])
        gone.update(phase=Phase.RESOLVED, resolved_at=now)
    _turned(site, "incident.resolved", turns, now)
    return bool(turns)


def acknowledge(incident: Incident, actor: str, actor_id: int, comment: str, now: datetime) -> bool:
    """A person takes it; False when it is no longer open."""
    taken = Incident.objects.filter(pk=incident.pk, phase=Phase.OPEN).update(
        phase=Phase.ACKNOWLEDGED, acknowledged_by_id=actor_id, acknowledged_at=now, comment=comment
    )
    if not taken:
        return False
    incident.refresh_from_db()
    words = f"{actor} acknowledged: {incident.title}" + (f" ({comment})" if comment else "")
    turn = _Turn(incident, Phase.OPEN, words, "ok", actor, comment)
    _turned(incident.site, "incident.acknowledged", [turn], now)
    return True


@dataclass(frozen=True, slots=True)
class _Turn:
    """A transition that was made: from which phase, and what is said of it."""

    incident: Incident
    before: str
    words: str
    severity: str
    actor: str = ""
    comment: str = ""


def _unmoved(incidents: Sequence[Incident]) -> list[Incident]:
    """Those that are in the phase that we think they are in, locked: the compare of compare-and-set."""
    if not incidents:
        return []
    rows = Incident.objects.select_for_update(no_key=True).filter(
        pk__in=[incident.pk for incident in incidents]
    )
    phases = dict(rows.order_by("pk").values_list("pk", "phase"))
    return [incident for incident in incidents if phases.get(incident.pk) == incident.phase]


def _turned(site: Site, kind: str, turns: Sequence[_Turn], now: datetime) -> None:
    """A flip and an event for each, in this order."""
    if not turns:
        return
    Flip.objects.bulk_create(
        Flip(
            incident=turn.incident,
            from_phase=turn.before,
            to_phase=turn.incident.phase,
            at=now,
            actor=turn.actor,
            comment=turn.comment,
        )
        for turn in turns
    )
    events.record_all(
        site,
        (
            events.Occurrence(
                kind,
                turn.words,
                at=now,
                subject=turn.incident.subject,
                severity=turn.severity,
                node_id=turn.incident.node_id,
                link_id=turn.incident.link_id,
                incident_id=turn.incident.pk,
                data={"rule": turn.incident.rule.kind},
            )
            for turn in turns
        ),
    )
    publish.changed(site.name, NOUNS)


def _link_paths(findings: Iterable[tuple[Incident, Finding]]) -> None:
    """Add the paths that each touches; those that were once touched stay."""
    wanted = {(incident.pk, path) for incident, finding in findings for path in finding.path_ids}
    if not wanted:
        return
    table = Incident.paths.through
    known = table.objects.filter(incident_id__in={incident for incident, _ in wanted})
    missing = wanted - set(known.values_list("incident_id", "path_id"))
    table.objects.bulk_create(table(incident_id=incident, path_id=path) for incident, path in sorted(missing))


def _new(rule: Rule, finding: Finding) -> Incident:
    return Incident(site=rule.site, rule=rule, fingerprint=finding.fingerprint, opened_at=finding.since)


def _follow(incident: Incident, finding: Finding, now: datetime) -> None:
    if finding.count is not None:
        _count(incident, finding)
        return
    worst = (incident.title, incident.value or 0.0)
    _describe(incident, finding, now)
    if (finding.value or 0.0) < worst[1]:
        incident.title, incident.value = worst


def _describe(incident: Incident, finding: Finding, now: datetime) -> None:
    incident.severity = finding.severity
    incident.subject = finding.subject
    incident.title = finding.title[:300]
    incident.detail = finding.detail[:2000]
    incident.direction = finding.direction
    incident.node_id = finding.node_id
    incident.link_id = finding.link_id
    incident.value = finding.value
    incident.threshold = finding.threshold
    incident.last_seen = now
    _count(incident, finding)


def _count(incident: Incident, finding: Finding) -> None:
    if finding.count is not None:
        incident.bad = finding.count.bad
        incident.good = finding.count.good
        incident.judged_at = finding.count.judged_at
