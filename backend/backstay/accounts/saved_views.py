"""Writes of saved views. Who may write which one is decided by the caller."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from django.db import IntegrityError, transaction

from backstay.accounts.models import SavedView, User
from backstay.core.errors import Conflict, NotFound, Refused

MOST_VIEWS = 200
"""Of one person, at all sites."""


@dataclass(frozen=True, slots=True)
class ViewSpec:
    """What a person saves: query parameters of the list, and ids of the page's columns."""

    name: str
    is_shared: bool = False
    filters: dict[str, str] = field(default_factory=dict)
    sort: str = ""
    columns: tuple[str, ...] = ()


@transaction.atomic
def create_view(owner: User, site: str, list_name: str, spec: ViewSpec, now: datetime) -> SavedView:
    """A new view of the list. Conflict if the name is taken; Refused if the person has too many."""
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    if owner.saved_views.count() >= MOST_VIEWS:
        raise Refused(f"You have {MOST_VIEWS} saved views: delete those that you do not use.")
    return _store(SavedView(owner=owner, site=site, list_name=list_name, created_at=now), spec, now)


@transaction.atomic
def update_view(view: SavedView, spec: ViewSpec, now: datetime) -> SavedView:
    """Replace what was saved; the owner stays. Conflict if the name is taken; NotFound if it was deleted."""
    rows = SavedView.objects.select_for_update(no_key=True, of=("self",)).select_related("owner")
    row = rows.filter(pk=view.pk).first()
    if row is None:
        raise NotFound("The view was deleted.")
    return _store(row, spec, now)


def delete_view(view: SavedView) -> None:
    """Delete a view; nothing else depends on it."""
    SavedView.objects.filter(pk=view.pk).delete()


def _store(row: SavedView, spec: ViewSpec, now: datetime) -> SavedView:
    row.name, row.is_shared, row.changed_at = spec.name, spec.is_shared, now
    row.filters, row.sort, row.columns = spec.filters, spec.sort, list(spec.columns)
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as problem:
        raise Conflict(f"A view {spec.name} of this list already exists: choose another name.") from problem
    return row
