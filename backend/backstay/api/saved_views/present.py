"""Saved views for clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backstay.api.saved_views.schemas import SavedViewOut

if TYPE_CHECKING:
    from backstay.accounts.models import SavedView


def saved_view_out(view: SavedView, *, is_own: bool, can_change: bool) -> SavedViewOut:
    """`view` has its owner loaded."""
    return SavedViewOut(
        id=view.pk,
        site=view.site,
        list_name=view.list_name,
        name=view.name,
        owner=view.owner.get_username(),
        is_own=is_own,
        is_shared=view.is_shared,
        can_change=can_change,
        filters=view.filters,
        sort=view.sort,
        columns=view.columns,
        changed_at=view.changed_at,
    )
