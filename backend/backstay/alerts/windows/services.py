"""Writes of maintenance windows and calendar feeds."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from backstay.accounts.models import User
from backstay.alerts.windows.models import CalendarFeed, MaintenanceTarget, MaintenanceWindow, TargetKind
from backstay.alerts.windows.recurrence import Recurrence, occurrence, upcoming, validate
from backstay.core.errors import Conflict, Invalid, Refused
from backstay.core.model.event_kinds import EventKind
from backstay.inventory.models import Fabric, Link, Node, Port, Site
from backstay.live import publish
from backstay.policy.models import FailoverPolicy
from backstay.telemetry import events

NOUNS = frozenset({"maintenance-windows", "incidents"})
MOST_WINDOWS, MOST_TARGETS, MOST_FEEDS = 1000, 1000, 50
"""Per site, window and site."""
ADVANCED = 200
"""Windows whose next occurrence one round calculates; more wait for the next round."""
_OWN: Mapping[str, Callable[[Site], Any]] = {
    TargetKind.FABRIC: lambda site: Fabric.objects.filter(site=site),
    TargetKind.NODE: lambda site: Node.objects.filter(site=site),
    TargetKind.PORT: lambda site: Port.objects.filter(node__site=site),
    TargetKind.LINK: lambda site: Link.objects.filter(site=site),
    TargetKind.POLICY: lambda site: FailoverPolicy.objects.filter(site=site),
}
"""Objects of a site by kind of target."""


@dataclass(frozen=True, slots=True)
class Target:
    """An object of a window; a site has no id."""

    kind: str
    id: int | None = None


@dataclass(frozen=True, slots=True)
class WindowSpec:
    """What a person sets of a window."""

    name: str
    recurrence: Recurrence
    targets: tuple[Target, ...]
    reason: str = ""
    mutes_notifications: bool = True
    pauses_rules: bool = False
    pauses_tests: bool = True
    uid: str = field(default_factory=lambda: f"{uuid.uuid4()}@backstay")


@transaction.atomic
def create(site: Site, spec: WindowSpec, author: User, now: datetime) -> MaintenanceWindow:
    """Store a window; raises `Invalid` or `Refused`."""
    _check(site, spec, now)
    _lock(site)
    if MaintenanceWindow.objects.filter(site=site).count() >= MOST_WINDOWS:
        raise Refused(f"The site has {MOST_WINDOWS} maintenance windows: delete those that are over.")
    window = MaintenanceWindow(site=site, uid=spec.uid, author=author, created_at=now)
    _store(window, spec, now)
    _record(window, EventKind.MAINTENANCE_CREATED, "created", author, now)
    return window


@transaction.atomic
def update(window: MaintenanceWindow, spec: WindowSpec, person: User, now: datetime) -> None:
    """Replace what a person set; an occurrence that was ended early takes place again if it is not over."""
    _check(window.site, spec, now)
    row = _locked(window)
    row.resumes_after = None
    _store(row, replace(spec, uid=row.uid), now)
    _record(row, EventKind.MAINTENANCE_CHANGED, "changed", person, now)


@transaction.atomic
def end(window: MaintenanceWindow, person: User, now: datetime) -> None:
    """End the occurrence that takes place now; later ones stay. Raises `Conflict` if none does."""
    row = _locked(window)
    if row.begins_at is None or row.ends_at is None or not row.begins_at <= now < row.ends_at:
        raise Conflict("The maintenance window does not take place now: nothing to end.")
    row.resumes_after = now
    _schedule(row, now)
    row.save(update_fields=["resumes_after", "begins_at", "ends_at"])
    _record(row, EventKind.MAINTENANCE_ENDED, "ended early", person, now)


@transaction.atomic
def delete(window: MaintenanceWindow, person: User, now: datetime) -> None:
    """Delete a window; one that takes place now ends."""
    row = _locked(window)
    _record(row, EventKind.MAINTENANCE_DELETED, "deleted", person, now)
    row.delete()


@transaction.atomic
def import_all(
    site: Site, specs: Sequence[WindowSpec], author: User, now: datetime
) -> tuple[list[MaintenanceWindow], int]:
    """Store the windows of a calendar file, all or none; they, and how many are new.

    An event that was imported before changes its window.
    """
    known = {
        row.uid: row
        for row in MaintenanceWindow.objects.select_related("site").filter(
            site=site, uid__in=[spec.uid for spec in specs]
        )
    }
    found = []
    for spec in specs:
        window = known.get(spec.uid)
        if window is None:
            window = create(site, spec, author, now)
        else:
            update(window, spec, author, now)
        found.append(window)
    return found, len(specs) - len(known)


def advance(site: Site, now: datetime) -> None:
    """Set the next occurrence of windows whose last one is over."""
    due = MaintenanceWindow.objects.filter(site=site, ends_at__lte=now).order_by("ends_at")
    with transaction.atomic():
        rows = list(due.select_for_update(skip_locked=True)[:ADVANCED])
        for row in rows:
            _schedule(row, now)
        MaintenanceWindow.objects.bulk_update(rows, ["begins_at", "ends_at"])
        if rows:
            publish.changed(site.name, NOUNS)


def recurrence_of(window: MaintenanceWindow) -> Recurrence:
    """When a window takes place."""
    return Recurrence(
        window.starts_at,
        window.duration_s,
        window.zone,
        window.rule,
        tuple(window.excluded),
        tuple(
            occurrence(datetime.fromisoformat(one["begins_at"]), one["duration_s"]) for one in window.added
        ),
    )


@transaction.atomic
def create_feed(site: Site, name: str, author: User, now: datetime) -> tuple[CalendarFeed, str]:
    """A feed and its token, which is not stored and cannot be read again."""
    _lock(site)
    if CalendarFeed.objects.filter(site=site).count() >= MOST_FEEDS:
        raise Refused(f"The site has {MOST_FEEDS} calendar feeds: delete those that nobody reads.")
    token = secrets.token_urlsafe(32)
    feed = CalendarFeed.objects.create(
        site=site, name=name, digest=digest_of(token), author=author, created_at=now
    )
    return feed, token


def delete_feed(feed: CalendarFeed) -> None:
    """Its address gives 404 from now on."""
    feed.delete()


def digest_of(token: str) -> str:
    """SHA-256: the token has 256 random bits, so that it needs no salt."""
    return hashlib.sha256(token.encode()).hexdigest()


def _check(site: Site, spec: WindowSpec, now: datetime) -> None:
    if not 1 <= len(spec.targets) <= MOST_TARGETS:
        raise Invalid("The window is about nothing.", fields={"targets": f"expected 1 to {MOST_TARGETS}"})
    validate(spec.recurrence, now)
    wanted: dict[str, set[int]] = {}
    for target in spec.targets:
        if target.kind != TargetKind.SITE:
            wanted.setdefault(target.kind, set()).add(target.id or 0)
    for kind, ids in wanted.items():
        missing = ids - set(_OWN[kind](site).filter(pk__in=ids).values_list("pk", flat=True))
        if missing:
            text = f"there is no {kind} {min(missing)} at {site.name}"
            raise Refused(f"The window names an unknown object: {text}.", fields={"targets": text})


def _store(window: MaintenanceWindow, spec: WindowSpec, now: datetime) -> None:
    window.name, window.reason = spec.name, spec.reason
    window.starts_at, window.duration_s = spec.recurrence.starts_at, spec.recurrence.duration_s
    window.zone, window.rule = spec.recurrence.zone, spec.recurrence.rule
    window.excluded = list(spec.recurrence.excluded)
    window.added = [
        {
            "begins_at": one.begins_at.isoformat(),
            "duration_s": int((one.ends_at - one.begins_at).total_seconds()),
        }
        for one in spec.recurrence.added
    ]
    window.mutes_notifications, window.pauses_rules = spec.mutes_notifications, spec.pauses_rules
    window.pauses_tests, window.changed_at = spec.pauses_tests, now
    _schedule(window, now)
    window.save()
    window.targets.all().delete()
    MaintenanceTarget.objects.bulk_create(_target(window, target) for target in dict.fromkeys(spec.targets))


def _target(window: MaintenanceWindow, target: Target) -> MaintenanceTarget:
    columns = {} if target.kind == TargetKind.SITE else {f"{target.kind}_id": target.id}
    return MaintenanceTarget(window=window, kind=target.kind, **columns)


def _schedule(window: MaintenanceWindow, now: datetime) -> None:
    """Set the current or next occurrence, in memory; none if the window is over."""
    following = upcoming(recurrence_of(window), now, window.resumes_after, 1)
    window.begins_at = following[0].begins_at if following else None
    window.ends_at = following[0].ends_at if following else None


def _lock(site: Site) -> None:
    """Count and store one after the other."""
    Site.objects.select_for_update(no_key=True).get(pk=site.pk)


def _locked(window: MaintenanceWindow) -> MaintenanceWindow:
    rows = MaintenanceWindow.objects.select_for_update(no_key=True, of=("self",)).select_related("site")
    row = rows.filter(pk=window.pk).first()
    if row is None:
        raise Conflict("The maintenance window was deleted meanwhile.")
    return row


def _record(window: MaintenanceWindow, kind: EventKind, what: str, person: User, now: datetime) -> None:
    message = f"{person.get_username()}: maintenance window {window.name} {what}"
    data = {"window": window.pk, "by": person.get_username()}
    events.record(window.site, kind, message, at=now, subject=window.name, data=data)
    publish.changed(window.site.name, NOUNS)
