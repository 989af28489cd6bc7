"""An incident's life: every transition is a compare-and-set, leaves a flip, and is told as an event.

Whoever writes incidents of a site does it inside `exclusive(site)`, so that two rounds, or a round and a
report that just came in, never judge the same thing at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import connection, transaction

from backstay.alerts.finding import Finding
from backstay.alerts.models import Flip, Incident, Phase, Rule
from backstay.core.words import duration
from backstay.inventory.models import Site
from backstay.live import publish
from backstay.telemetry import events

LOCK_CLASS = 0x42AC
"""First key of PostgreSQL's two-key advisory locks; the site's id is the second."""
NOUNS = frozenset({"incidents", "overview", "topology", "links", "nodes"})
"""Collections that show an incident's coming or going."""


@contextmanager
def exclusive(site: Site) -> Iterator[None]:
    """A short transaction during which nobody else writes incidents of the site."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '5s'; SET LOCAL statement_timeout = '10s'")
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LOCK_CLASS, site.pk])
        yield


def create(rule: Rule, finding: Finding, now: datetime) -> Incident:
    """Remember a finding; unless it only counts, the incident is open at once."""
    incident = Incident(site=rule.site, rule=rule, fingerprint=finding.fingerprint, opened_at=finding.since)
    incident.phase = Phase.PENDING if finding.pending else Phase.OPEN
    _describe(incident, finding, now)
    incident.save()
    incident.paths.set(finding.path_ids)
    if not finding.pending:
        _opened(incident, "", now)
    return incident


def confirm(incident: Incident, finding: Finding, now: datetime) -> None:
    """A counting incident has counted far enough."""
    if not _flip(incident, Phase.PENDING, Phase.OPEN):
        return
    _describe(incident, finding, now)
    incident.save()
    _opened(incident, Phase.PENDING, now)


def follow(incident: Incident, finding: Finding, now: datetime) -> None:
    """Still wrong: bring the words up to date, but keep the title of the worst that it was.

    What counts samples keeps the figure that opened it.
    """
    before = (incident.title, incident.detail, incident.severity)
    if finding.count is None:
        worst = (incident.title, incident.value or 0.0)
        _describe(incident, finding, now)
        if (finding.value or 0.0) < worst[1]:
            incident.title, incident.value = worst
        incident.paths.add(*finding.path_ids)
    else:
        _count(incident, finding)
    incident.last_seen = now
    incident.save()
    if before != (incident.title, incident.detail, incident.severity):
        publish.changed(incident.site.name, NOUNS)


def drop(incident: Incident) -> None:
    """It stopped counting before anybody saw it."""
    incident.delete()


def resolve(incident: Incident, now: datetime) -> None:
    """It is well again."""
    before = Phase(incident.phase)
    if not _flip(incident, before, Phase.RESOLVED, resolved_at=now):
        return
    Flip.objects.create(incident=incident, from_phase=before, to_phase=Phase.RESOLVED, at=now)
    after = duration((now - incident.opened_at).total_seconds())
    _tell(incident, "incident.resolved", f"Resolved after {after}: {incident.title}", now, "ok")


def acknowledge(incident: Incident, actor: str, actor_id: int, comment: str, now: datetime) -> bool:
    """A person takes it; False when it is no longer open."""
    who = {"acknowledged_by_id": actor_id, "acknowledged_at": now, "comment": comment}
    if not _flip(incident, Phase.OPEN, Phase.ACKNOWLEDGED, **who):
        return False
    Flip.objects.create(
        incident=incident,
        from_phase=Phase.OPEN,
        to_phase=Phase.ACKNOWLEDGED,
        at=now,
        actor=actor,
        comment=comment,
    )
    words = f"{actor} acknowledged: {incident.title}" + (f" ({comment})" if comment else "")
    _tell(incident, "incident.acknowledged", words, now, "ok")
    return True


def _flip(incident: Incident, before: Phase, after: Phase, **fields: object) -> bool:
    """Compare and set; the incident in hand follows when it was this call that did it."""
    done = Incident.objects.filter(pk=incident.pk, phase=before).update(phase=after, **fields)
    if done:
        incident.refresh_from_db()
    return bool(done)


def _opened(incident: Incident, before: str, now: datetime) -> None:
    Flip.objects.create(incident=incident, from_phase=before, to_phase=Phase.OPEN, at=now)
    _tell(incident, "incident.opened", incident.title, now, incident.severity)


def _tell(incident: Incident, kind: str, message: str, now: datetime, severity: str) -> None:
    events.record(
        incident.site,
        kind,
        message,
        at=now,
        subject=incident.subject,
        severity=severity,
        node_id=incident.node_id,
        link_id=incident.link_id,
        incident_id=incident.pk,
        data={"rule": incident.rule.kind},
    )
    publish.changed(incident.site.name, NOUNS)


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
