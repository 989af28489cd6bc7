"""Who may do what with a change, and when; each refusal in a sentence with the next step. Pure.

The same rules refuse a request and tell a page which of its buttons are dead, and why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from backstay.accounts.models import Role
from backstay.accounts.services import RANK
from backstay.core.errors import BackstayError, Conflict, Forbidden, Refused
from backstay.core.model.change import RUNNING, State

Action = Literal["plan", "approve", "apply", "confirm", "roll_back", "discard"]
ACTIONS: tuple[Action, ...] = ("plan", "approve", "apply", "confirm", "roll_back", "discard")
NEEDS: dict[Action, Role] = dict.fromkeys(ACTIONS, Role.OPERATOR) | {"approve": Role.APPROVER}
_OPEN: frozenset[State] = frozenset({"draft", "planned", "approved"})


@dataclass(frozen=True, slots=True)
class ActionContext:
    """A change and the person who looks at it."""

    state: State
    person: int
    role: Role | None
    author: int | None
    second_person: bool = False
    """Whether the site wants the approval of somebody else than the author."""
    planned: bool = False
    blocked: bool = False
    empty: bool = False
    """Nothing would be different."""
    stale: str = ""
    """Why the plan is, in a sentence."""
    approvers: frozenset[int] = field(default_factory=frozenset)
    """Of the newest plan."""
    busy: str = ""
    """Why its nodes are not free, in a sentence."""
    going_back: bool = False
    confirm_by: datetime | None = None


def why_not(action: Action, context: ActionContext, now: datetime) -> BackstayError | None:
    """What keeps this person from doing it now; None: nothing."""
    return refused_by_role(action, context.role) or _RULES[action](context, now)


def refused_by_role(action: Action, role: Role | None) -> Forbidden | None:
    """Whether the role is too low, whatever the change."""
    needs = NEEDS[action]
    if role is not None and RANK[role] >= RANK[needs]:
        return None
    yours = "" if role is None else f"; yours is {role.value}"
    return Forbidden(f"This needs the role {needs.value} at the site{yours}. Ask an administrator of it.")


def _while_open(context: ActionContext, _: datetime) -> BackstayError | None:
    if context.state in _OPEN:
        return None
    if context.state in RUNNING:
        return Conflict("It is under way: confirm it or roll it back.")
    return Conflict(f"It is {context.state.replace('_', ' ')}: make a new change.")


def _approve(context: ActionContext, now: datetime) -> BackstayError | None:
    if context.state == "approved" and context.person in context.approvers:
        return Conflict("You have approved it already: it can be applied.")
    if context.state not in {"planned", "approved"}:
        return _while_open(context, now) or Conflict("It has no plan yet: plan it first.")
    if context.second_person and context.person == context.author:
        return Refused("It is yours, and this site wants a second person: ask another approver.")
    return _plan(context)


def _plan(context: ActionContext) -> BackstayError | None:
    """What is wrong with the plan itself."""
    if context.blocked:
        return Refused("A check of its plan has failed: correct what it names, then plan again.")
    if context.empty:
        return Refused("Nothing would be different: there is nothing to do.")
    if context.stale:
        return Refused(f"The plan is stale. {context.stale} Plan again.")
    return None


def _apply(context: ActionContext, now: datetime) -> BackstayError | None:
    if context.state != "approved":
        return _while_open(context, now) or Conflict("It is not approved yet.")
    wrong = _plan(context)
    if wrong is None and context.busy:
        return Refused(context.busy)
    return wrong


def _confirm(context: ActionContext, now: datetime) -> BackstayError | None:
    if context.state != "confirming":
        text = "Nothing waits for confirmation yet." if context.state == "rolling" else "It is not under way."
        return Conflict(text)
    if context.confirm_by is None or now >= context.confirm_by:
        return Conflict("It is too late: the guards are putting the nodes back.")
    return None


def _roll_back(context: ActionContext, _: datetime) -> BackstayError | None:
    if context.state not in RUNNING:
        return Conflict("It is not under way: there is nothing to roll back.")
    return Conflict("It is going back already.") if context.going_back else None


_RULES: dict[Action, Callable[[ActionContext, datetime], BackstayError | None]] = {
    "plan": _while_open,
    "approve": _approve,
    "apply": _apply,
    "confirm": _confirm,
    "roll_back": _roll_back,
    "discard": _while_open,
}
