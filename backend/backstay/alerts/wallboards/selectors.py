"""Reads of wallboards."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Case, CharField, Q, QuerySet, Value, When

from backstay.accounts.tokens import digest
from backstay.alerts.wallboards.models import Wallboard
from backstay.core.errors import Unauthenticated
from backstay.inventory.models import Site


def wallboards(
    site: Site, now: datetime, *, state: str | None = None, text: str | None = None
) -> QuerySet[Wallboard]:
    """A site's wallboards with their `state`, revoked ones included."""
    rows = _with_state(Wallboard.objects.filter(site=site), now)
    rows = rows if state is None else rows.filter(Q(state=state))
    return rows.filter(name__icontains=text) if text else rows


def wallboard(ident: int, now: datetime) -> Wallboard | None:
    """A wallboard with its `state`."""
    return _with_state(Wallboard.objects.filter(pk=ident), now).first()


def _with_state(rows: QuerySet[Wallboard], now: datetime) -> QuerySet[Wallboard]:
    state = Case(
        When(revoked_at__isnull=False, then=Value("revoked")),
        When(expires_at__lte=now, then=Value("expired")),
        default=Value("active"),
        output_field=CharField(),
    )
    return rows.annotate(state=state).select_related("site", "created_by")


def wallboard_of(token: str, now: datetime) -> Wallboard:
    """The wallboard of a valid token, with its site. Raises Unauthenticated, with the reason."""
    row = (
        Wallboard.objects.select_related("site").filter(digest=digest(token), site__archived_at=None).first()
    )
    if row is None:
        raise Unauthenticated(
            "This wallboard's link is unknown: it is incomplete, or was replaced by a new one."
        )
    if row.revoked_at is not None:
        raise Unauthenticated("This wallboard was revoked.")
    if row.expires_at is not None and row.expires_at <= now:
        raise Unauthenticated("This wallboard's link has expired.")
    return row
