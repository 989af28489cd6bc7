"""Undo of a change after its confirmation: which nodes still have it, and why it cannot be undone."""

from __future__ import annotations

from backstay.core.formatting import listing
from backstay.rollout.models import Application, Change
from backstay.rollout.plans.undo_plan import unknown_state
from backstay.rollout.selectors import OPEN_CHANGES

NOTHING_KEPT = "No node keeps this change: there is nothing to undo."


def remaining(change: Change) -> list[str]:
    """Names of the nodes whose newest confirmed change, apart from undone ones, is this change."""
    return sorted(name for name, stack in _stacks(change).items() if stack == [change.pk])


def refusal(change: Change, *, by: Change | None = None) -> str:
    """Why the change cannot be undone, with the next step; empty: it can. `by`: the change that undoes it."""
    others = change.undone_by.filter(state__in=OPEN_CHANGES)
    other = (others if by is None else others.exclude(pk=by.pk)).first()
    if other is not None:
        return f"Change #{other.pk} already undoes it: continue there, or discard it."
    if not _has_later(change):
        kept = change.applications.filter(state="confirmed")
        return unknown_state(kept) if kept.exists() else NOTHING_KEPT
    stacks = _stacks(change)
    later = {name: stack[-1] for name, stack in stacks.items() if stack and stack[-1] != change.pk}
    if later:
        newest = max(later.values())
        names = sorted(name for name, number in later.items() if number == newest)
        return f"Change #{newest} changed {listing(names)} later: undo change #{newest} first."
    nodes = [name for name, stack in stacks.items() if stack]
    if not nodes:
        return NOTHING_KEPT
    return unknown_state(change.applications.filter(node__name__in=nodes))


def _has_later(change: Change) -> bool:
    """Whether another change that is not older was confirmed on a node that keeps this one."""
    kept = change.applications.filter(state="confirmed").values("node")
    others = Change.objects.filter(site=change.site_id, revision__gte=change.revision or 0)
    ids = list(others.exclude(pk=change.pk).values_list("pk", flat=True))
    return bool(ids) and Application.objects.filter(change__in=ids, state="confirmed", node__in=kept).exists()


def _stacks(change: Change) -> dict[str, list[int]]:
    """Node -> this change and later confirmed ones, oldest first, without those that were undone."""
    kept = change.applications.filter(state="confirmed").values("node")
    rows = Application.objects.filter(
        node__in=kept, state="confirmed", change__revision__gte=change.revision or 0
    ).order_by("change__revision")
    found: dict[str, list[int]] = {}
    for node, number, undoes in rows.values_list("node__name", "change_id", "change__undoes_id"):
        _follow(found.setdefault(node, []), number, undoes)
    return found


def _follow(stack: list[int], number: int, undoes: int | None) -> None:
    if undoes is not None and stack[-1:] == [undoes]:
        stack.pop()
    else:
        stack.append(number)
