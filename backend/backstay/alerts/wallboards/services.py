"""Writes of wallboards. A token is shown once; to revoke or renew it ends its open live streams."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from backstay.accounts.models import User
from backstay.accounts.tokens import WALLBOARD_PREFIX, digest, new_token
from backstay.alerts.wallboards.models import Wallboard
from backstay.core.alerting.wallboard import WallboardSpec
from backstay.core.errors import Conflict, Refused
from backstay.core.model.event_kinds import EventKind
from backstay.inventory.models import Site
from backstay.live import publish
from backstay.telemetry import events

NOUNS = frozenset({"wallboards"})
MOST_WALLBOARDS = 50
"""Of one site, without revoked ones."""
USED_AT_STEP = timedelta(minutes=1)


@transaction.atomic
def create_wallboard(
    site: Site, spec: WallboardSpec, expires_at: datetime | None, author: User, now: datetime
) -> tuple[Wallboard, str]:
    """A wallboard and its token, which is not stored. Conflict if the name is taken; Refused."""
    _check_expiry(expires_at, now)
    Site.objects.select_for_update(no_key=True).get(pk=site.pk)
    if Wallboard.objects.filter(site=site, revoked_at=None).count() >= MOST_WALLBOARDS:
        raise Refused(f"The site has {MOST_WALLBOARDS} wallboards: revoke those that no screen shows.")
    token = new_token(WALLBOARD_PREFIX)
    row = Wallboard(site=site, digest=digest(token), created_by=author, created_at=now)
    _store(row, spec, expires_at, now)
    _record(row, EventKind.WALLBOARD_CREATED, "created", author, now)
    return row, token


@transaction.atomic
def update_wallboard(
    wallboard: Wallboard, spec: WallboardSpec, expires_at: datetime | None, person: User, now: datetime
) -> None:
    """Replace what a person set; its screens follow within a minute. Conflict if it is revoked."""
    if expires_at != wallboard.expires_at:
        _check_expiry(expires_at, now)
    row = _locked(wallboard)
    _store(row, spec, expires_at, now)
    _record(row, EventKind.WALLBOARD_CHANGED, "changed", person, now)


@transaction.atomic
def renew_token(wallboard: Wallboard, person: User, now: datetime) -> str:
    """A new token; the previous one stops working at once. Conflict if it is revoked."""
    row, token = _locked(wallboard), new_token(WALLBOARD_PREFIX)
    row.digest, row.changed_at, row.used_at = digest(token), now, None
    row.save(update_fields=["digest", "changed_at", "used_at"])
    _record(row, EventKind.WALLBOARD_RENEWED, "has a new link", person, now)
    publish.withdrawn(row.site.name, reader_of(row))
    return token


@transaction.atomic
def revoke_wallboard(wallboard: Wallboard, person: User, now: datetime) -> None:
    """Its token stops working at once, and for ever. Conflict if it is revoked."""
    row = _locked(wallboard)
    row.revoked_at = row.changed_at = now
    row.save(update_fields=["revoked_at", "changed_at"])
    _record(row, EventKind.WALLBOARD_REVOKED, "revoked", person, now)
    publish.withdrawn(row.site.name, reader_of(row))


def note_use(wallboard: Wallboard, now: datetime) -> None:
    """Store that its token was used, to the minute."""
    if wallboard.used_at is None or now - wallboard.used_at >= USED_AT_STEP:
        Wallboard.objects.filter(pk=wallboard.pk).update(used_at=now)


def reader_of(wallboard: Wallboard) -> str:
    """Its name as a reader of live streams (live.clients)."""
    return f"wallboard:{wallboard.pk}"


def _check_expiry(expires_at: datetime | None, now: datetime) -> None:
    if expires_at is not None and expires_at <= now:
        expected = "expected a time in the future, or null"
        raise Refused(f"The wallboard would be expired: {expected}.", fields={"expires_at": expected})


def _store(row: Wallboard, spec: WallboardSpec, expires_at: datetime | None, now: datetime) -> None:
    row.name, row.pages, row.seconds = spec.name, [str(page) for page in spec.pages], spec.seconds
    row.theme, row.text_size = str(spec.theme), str(spec.text_size)
    row.expires_at, row.changed_at = expires_at, now
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as problem:
        raise Conflict(f"A wallboard {spec.name} already exists: choose another name.") from problem


def _locked(wallboard: Wallboard) -> Wallboard:
    rows = Wallboard.objects.select_for_update(no_key=True, of=("self",)).select_related("site")
    row = rows.filter(pk=wallboard.pk, revoked_at=None).first()
    if row is None:
        raise Conflict("The wallboard is revoked: create a new one.")
    return row


def _record(row: Wallboard, kind: EventKind, what: str, person: User, now: datetime) -> None:
    message = f"{person.get_username()}: wallboard {row.name} {what}"
    data = {"wallboard": row.pk, "by": person.get_username()}
    events.record(row.site, kind, message, at=now, subject=row.name, data=data)
    publish.changed(row.site.name, NOUNS)
