"""Reads of changes: the context of the action rules, and changes that await action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db.models import Case, Count, F, IntegerField, OuterRef, Prefetch, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from backstay.accounts.models import User
from backstay.core.formatting import listing
from backstay.core.model.change import ENDED, RUNNING, ChangeProgress, State, confirm_by
from backstay.core.roles import Role
from backstay.inventory.models import Site
from backstay.policy.holds import held_nodes, open_holds
from backstay.rollout import management
from backstay.rollout.changes.node_progress import progress_of
from backstay.rollout.changes.rules import Action, ActionContext
from backstay.rollout.changes.undo import refusal
from backstay.rollout.models import Application, Change, InputEdit, Move, PlanRecord
from backstay.rollout.plans.plan_inputs import PlanInputs
from backstay.rollout.plans.services import is_stale, staleness
from backstay.rollout.selectors import OPEN_CHANGES


@dataclass(frozen=True, slots=True)
class Actor:
    """The acting person and their role at the site."""

    user: User
    role: Role | None

    @classmethod
    def nobody(cls) -> Actor:
        """Somebody who only reads."""
        return cls(User(), None)


_WAITING = frozenset({"planned", "approved"})


def action_context(
    change: Change,
    progress: ChangeProgress,
    plan: PlanRecord | None,
    actor: Actor,
    now: datetime,
    *,
    reading: PlanInputs | None = None,
    undo: bool = False,
) -> ActionContext:
    """For one change with its newest plan. `reading` avoids reading the site once per change.

    `undo`: also examine whether it can be undone, which takes some queries.
    """
    state: State = change.state  # type: ignore[assignment]
    waits = plan is not None and change.state in _WAITING
    approvals = change.approvals.all() if waits else ()
    return ActionContext(
        state=state,
        person=actor.user.pk,
        role=actor.role,
        authors=authors(change, plan) if plan and waits and change.site.second_person else {},
        second_person=change.site.second_person,
        planned=plan is not None,
        blocked=plan is not None and plan.blocked,
        empty=plan is not None and not plan.nodes,
        stale=staleness(change, plan, reading or PlanInputs(change.site, now)) if plan and waits else "",
        approvers=frozenset(
            approval.person_id
            for approval in approvals
            if plan and approval.digest == plan.digest and approval.person_id
        ),
        busy=_start_refusal(change, plan, now) if plan and change.state == "approved" else "",
        going_back=bool(change.outcome),
        confirm_by=confirm_by(state, change.wave, progress),
        undo_refusal=refusal(change) if undo and state in ENDED else None,
    )


def _start_refusal(change: Change, plan: PlanRecord, now: datetime) -> str:
    """Why it cannot start now although its plan is current; empty: it can."""
    return busy(change, _nodes(plan), now) or (refusal(change.undoes, by=change) if change.undoes else "")


def authors(change: Change, plan: PlanRecord) -> dict[int, str]:
    """Person -> what they wrote of this change; they cannot approve it where two persons are required.

    An edit of an input counts until a later plan with that input has been carried out.
    """
    carried_out = PlanRecord.objects.filter(change__state="done").order_by("-made_at")
    edits = InputEdit.objects.filter(site=change.site_id).annotate(
        deployed=Case(
            When(policy__isnull=False, then=_newest(carried_out, change__policies=OuterRef("policy"))),
            When(
                arp_policy__isnull=False,
                then=_newest(carried_out, change__arp_policies=OuterRef("arp_policy")),
            ),
            default=_newest(carried_out, change__site=OuterRef("site")),
        )
    )
    edits = edits.filter(Q(deployed=None) | Q(at__gt=F("deployed")))
    whole = Q(policy=None, arp_policy=None)
    mine = Q(policy__in=change.policies.all()) | Q(arp_policy__in=change.arp_policies.all())
    found: dict[int, str] = {}
    rows = edits.filter(whole | mine).order_by("at")
    for person, policy, fabric in rows.values_list("person_id", "policy__name", "arp_policy__fabric__name"):
        about = policy or (f"the ARP policy of {fabric}" if fabric else "the site file")
        found[person] = (
            f"edited {about}, which this plan deploys" if policy or fabric else f"imported {about}"
        )
    if plan.person_id is not None:
        found[plan.person_id] = "made this plan"
    if change.author_id is not None:
        found[change.author_id] = "authored this change"
    return found


def _newest(plans: QuerySet[PlanRecord], **about: OuterRef) -> Subquery:
    return Subquery(plans.filter(**about).values("made_at")[:1])


Awaited = Literal["confirmation", "approval", "start"]
AWAITED: Mapping[str, tuple[Awaited, Action]] = {
    "confirming": ("confirmation", "confirm"),
    "planned": ("approval", "approve"),
    "approved": ("start", "apply"),
}
"""State of a change -> what it awaits, and the action that gives it."""


@dataclass(frozen=True, slots=True)
class WaitingChange:
    """A change that awaits a person."""

    change: Change
    plan: PlanRecord | None
    progress: ChangeProgress

    @property
    def awaits(self) -> Awaited:
        return AWAITED[self.change.state][0]

    @property
    def action(self) -> Action:
        """The action that somebody has to take."""
        return AWAITED[self.change.state][1]


def waiting(site: Site, now: datetime, *, reading: PlanInputs | None = None) -> list[WaitingChange]:
    """Changes that await a person: to confirm first, then to approve or start, oldest first.

    Changes whose plan is blocked, empty or stale are left out: nobody can act on them before they are planned
    again. Overview, headline, navigation and command line count these.
    """
    rows = Change.objects.filter(site=site, state__in=AWAITED).prefetch_related(*_PARTS, _plans())
    inputs = reading or PlanInputs(site, now)
    progress = progress_of(rows)
    found = [
        WaitingChange(change, next(iter(change.plans.all()), None), progress[change.pk]) for change in rows
    ]
    found = [item for item in found if item.change.state == "confirming" or _may_go_on(item, inputs)]
    return sorted(
        found, key=lambda item: (item.change.state != "confirming", item.change.since, item.change.pk)
    )


def _may_go_on(item: WaitingChange, reading: PlanInputs) -> bool:
    plan = item.plan
    if plan is None or not plan.nodes or plan.blocked:
        return False
    item.change.site = reading.site
    return not is_stale(item.change, plan, reading)


def _nodes(plan: PlanRecord) -> list[int]:
    """Ids of the nodes that change."""
    return list(plan.planned.values_list("node_id", flat=True))


def _plans() -> Prefetch[Any]:
    """The plans of changes, newest first, without what grows with their nodes."""
    return Prefetch("plans", PlanRecord.objects.defer("document", "head", "assignments"))


def busy(change: Change, nodes: Iterable[int], now: datetime) -> str:
    """Why nodes of this change are busy: another change, a move, a hold, a release; empty: they are not."""
    wanted = list(nodes)
    others = (
        Application.objects.filter(node__in=wanted, change__state__in=RUNNING)
        .exclude(change=change)
        .order_by("node__name")
        .values_list("node__name", "change_id")
    )
    taken = list(others)
    if taken:
        names = listing([name for name, _ in taken])
        return f"Change #{taken[0][1]} is in progress on {names}: wait for it, or roll it back."
    moves = Move.objects.filter(path__node__in=wanted, state__in=["waiting", "moved"])
    moved = sorted(set(moves.values_list("path__node__name", flat=True)))
    if moved:
        return f"A move or drill is in progress on {listing(moved)}: wait for it, or end it."
    held = held_nodes(open_holds(wanted).values(), now)
    return f"{held}: wait, or end the hold." if held else management.refusal(wanted)


_PARTS = ("policies", "arp_policies__fabric", "approvals__person")


def change(ident: int) -> Change | None:
    return Change.objects.select_related("site").filter(pk=ident).first()


def change_detail(ident: int) -> Change | None:
    """With all that its page shows but for its nodes."""
    rows = Change.objects.select_related("site", "author").filter(pk=ident)
    return rows.prefetch_related(*_PARTS, "steps").first()


def changes_of(
    site: Site,
    *,
    state: str | None = None,
    policy: str | None = None,
    fabric: str | None = None,
    text: str | None = None,
) -> QuerySet[Change]:
    """A site's changes with all that a list shows, without the plans' texts; state `current`: not ended.

    `node_count`: nodes of the execution, before it starts of the newest plan.
    """
    members_of = Application.objects.filter(change=OuterRef("pk")).order_by().values("change")
    planned = PlanRecord.objects.filter(change=OuterRef("pk")).values("nodes")[:1]
    rows = Change.objects.filter(site=site).select_related("site", "author")
    counted = Subquery(members_of.annotate(number=Count("pk")).values("number"))
    rows = rows.annotate(node_count=Coalesce(counted, Subquery(planned), 0, output_field=IntegerField()))
    if state is not None:
        rows = rows.filter(state__in=OPEN_CHANGES if state == "current" else [state])
    rows = rows.filter(policies__name=policy) if policy is not None else rows
    rows = rows.filter(arp_policies__fabric__name=fabric) if fabric is not None else rows
    rows = rows.filter(Q(title__icontains=text) | Q(ticket__icontains=text)) if text else rows
    return rows.prefetch_related(*_PARTS, _plans())


def newest_plan(change: Change, *, document: bool) -> PlanRecord | None:
    """The plan of a change; `document`: with its first entries, or whole where it is short."""
    plan = change.plans.defer("document", "assignments", *([] if document else ["head"])).first()
    if plan is not None and document and plan.head is None:
        plan.refresh_from_db(fields=["document"])
    return plan


def whole_plan(change: Change) -> PlanRecord | None:
    """The plan of a change with its whole document, which is megabytes for thousands of nodes."""
    return change.plans.defer("head", "assignments").first()


def with_confirming(sites: QuerySet[Site]) -> QuerySet[Site]:
    """Sites with `confirming`, the number of their changes that await confirmation."""
    waiting = Change.objects.filter(site=OuterRef("pk"), state="confirming").order_by().values("site")
    number = Subquery(waiting.annotate(number=Count("pk")).values("number"))
    return sites.annotate(confirming=Coalesce(number, 0))
