"""Permission and state rules of actions on changes; every refusal names the next step. Pure.

The same rules refuse requests and disable buttons.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from backstay.accounts.services import RANK
from backstay.core.errors import BackstayError, Conflict, Forbidden, Refused
from backstay.core.model.change import RUNNING, State
from backstay.core.roles import Role

Action = Literal["plan", "approve", "apply", "confirm", "roll_back", "discard", "undo"]
ACTIONS: tuple[Action, ...] = ("plan", "approve", "apply", "confirm", "roll_back", "discard", "undo")
NEEDS: dict[Action, Role] = dict.fromkeys(ACTIONS, Role.OPERATOR) | {"approve": Role.APPROVER}
_OPEN: frozenset[State] = frozenset({"draft", "planned", "approved"})


@dataclass(frozen=True, slots=True)
class ActionContext:
    """A change and the acting person."""

    state: State
    person: int
    role: Role | None
    authors: Mapping[int, str] = field(default_factory=dict)
    """Person -> what they did, `authored this change`: the author, who made the newest plan, and who edited
    its inputs since they were last deployed."""
    second_person: bool = False
    """Whether the site requires an approver who is no author."""
    planned: bool = False
    blocked: bool = False
    empty: bool = False
    """The plan changes nothing."""
    stale: str = ""
    """Why the plan is stale; empty: it is not."""
    approvers: frozenset[int] = field(default_factory=frozenset)
    """Of the newest plan."""
    busy: str = ""
    """Why it cannot start although its plan is current, such as a change of the same nodes; empty: it can."""
    going_back: bool = False
    undo_refusal: str | None = None
    """Why the change cannot be undone; empty: it can be; None: not examined."""
    confirm_by: datetime | None = None


def why_not(action: Action, context: ActionContext, now: datetime) -> BackstayError | None:
    """The reason why this person cannot do this now; None: allowed."""
    return refused_by_role(action, context.role) or _RULES[action](context, now)


def refused_by_role(action: Action, role: Role | None) -> Forbidden | None:
    """Forbidden when the role is too low, whatever the change's state."""
    needs = NEEDS[action]
    if role is not None and RANK[role] >= RANK[needs]:
        return None
    yours = "" if role is None else f"; yours is {role.value}"
    return Forbidden(f"This needs the role {needs.value} at the site{yours}. Ask an administrator.")


def _while_open(context: ActionContext, _: datetime) -> BackstayError | None:
    if context.state in _OPEN:
        return None
    if context.state in RUNNING:
        return Conflict("The change is in progress: confirm it or roll it back.")
    return Conflict(f"The change is {context.state.replace('_', ' ')}: create a new change.")


def _approve(context: ActionContext, now: datetime) -> BackstayError | None:
    if context.state == "approved" and context.person in context.approvers:
        return Conflict("You have already approved this plan: it can be applied.")
    if context.state not in {"planned", "approved"}:
        return _while_open(context, now) or Conflict("The change has no plan: plan it first.")
    if context.second_person and context.person in context.authors:
        return Refused(f"You {context.authors[context.person]}; another approver is required.")
    return _plan(context)


def _plan(context: ActionContext) -> BackstayError | None:
    """Why the plan itself cannot be used."""
    if context.blocked:
        return Refused("A check of the plan failed: correct what it names, then plan again.")
    if context.empty:
        return Refused("The plan changes nothing: there is nothing to apply.")
    if context.stale:
        return Refused(f"The plan is stale. {context.stale} Plan again.")
    return None


def _apply(context: ActionContext, now: datetime) -> BackstayError | None:
    if context.state != "approved":
        return _while_open(context, now) or Conflict("The change is not approved yet.")
    wrong = _plan(context)
    if wrong is None and context.busy:
        return Refused(context.busy)
    return wrong


def _confirm(context: ActionContext, now: datetime) -> BackstayError | None:
    if context.state != "confirming":
        text = (
            "No wave awaits confirmation yet."
            if context.state == "rolling"
            else "The change is not in progress."
        )
        return Conflict(text)
    if context.confirm_by is None or now >= context.confirm_by:
        return Conflict("The guard timeout has passed: the guards are restoring the nodes.")
    return None


def _roll_back(context: ActionContext, _: datetime) -> BackstayError | None:
    if context.state not in RUNNING:
        return Conflict("The change is not in progress: there is nothing to roll back.")
    return Conflict("The rollback is already in progress.") if context.going_back else None


def _undo(context: ActionContext, _: datetime) -> BackstayError | None:
    if context.state not in {"done", "stopped", "failed"}:
        return Conflict("Only a change that nodes have confirmed can be undone.")
    if context.undo_refusal is None:
        return Conflict("Open the change to see whether it can be undone.")
    return Refused(context.undo_refusal) if context.undo_refusal else None


_RULES: dict[Action, Callable[[ActionContext, datetime], BackstayError | None]] = {
    "plan": _while_open,
    "approve": _approve,
    "apply": _apply,
    "confirm": _confirm,
    "roll_back": _roll_back,
    "discard": _while_open,
    "undo": _undo,
}
