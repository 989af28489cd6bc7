"""Changes: proposed, planned, approved, applied in waves, confirmed or rolled back."""

from typing import Annotated, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status
from pydantic import Field

from backstay.api.changes.actor import actor_at, detail
from backstay.api.changes.present import change_out, member_detail_out, member_out, plan_out
from backstay.api.changes.schemas import (
    ApplyIn,
    ApproveIn,
    ChangeDetail,
    ChangeIn,
    ChangeNodeDetail,
    ChangeNodeOut,
    ChangeOut,
    ConfirmIn,
    PlanOut,
    RollBackIn,
    UndoIn,
)
from backstay.api.http.auth import Lookup, site_of
from backstay.api.http.conditional_reads import INVENTORY, depends_on
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.core.errors import NotFound
from backstay.core.model.change import NodeState
from backstay.core.model.change import State as ChangeState
from backstay.rollout.changes import node_progress, selectors, services
from backstay.rollout.changes.node_progress import NodeFilter
from backstay.rollout.changes.rules import refused_by_role
from backstay.rollout.changes.selectors import Actor, action_context
from backstay.rollout.changes.services import Begin, ChangeProposal
from backstay.rollout.plans.plan_inputs import PlanInputs

router = Router(tags=["changes"])
_change = Lookup("change", selectors.change)
StateFilter = ChangeState | Literal["current"]
SORTS = {
    "since": Column("since"),
    "age": Column("since", backwards=True),
    "name": Column("id"),
    "created": Column("created_at"),
    "state": Column("state"),
    "title": Column("title", natural=True),
    "kind": Column("kind"),
    "nodes": Column("node_count"),
    "author": Column("author__username", natural=True, nullable=True),
    "ticket": Column("ticket", natural=True),
}


class ChangeQuery(ListQuery):
    """Filters of `list_changes`."""

    state: StateFilter | None = None
    policy: Text | None = None
    fabric: Text | None = None


@router.get("/changes", response={200: Page[ChangeOut], **READ}, operation_id="list_changes")
def list_changes(request: HttpRequest, query: Query[ChangeQuery]) -> Page[ChangeOut]:
    """A site's changes, newest first; `state=current`: those that have not ended."""
    row, now = site_of(request, query.site), timezone.now()
    known = selectors.changes_of(
        row, state=query.state, policy=query.policy, fabric=query.fabric, text=query.q
    )
    rows, following = query.rows(known, SORTS, "-name")
    actor, reading = actor_at(request, row.name), PlanInputs(row, now)
    progress = node_progress.progress_of(rows)
    items = []
    for change in rows:
        plan = next(iter(change.plans.all()), None)
        stands = action_context(change, progress[change.pk], plan, actor, now, reading=reading)
        items.append(change_out(change, progress[change.pk], plan, stands, now))
    return Page(items=items, next=following)


@router.post("/changes", response={201: ChangeDetail, **WRITE}, operation_id="create_change")
@idempotent
def create_change(request: HttpRequest, body: ChangeIn) -> Status[ChangeDetail]:
    """Create a change; it is planned at once. Needs operator at the site."""
    site, now = site_of(request, body.site), timezone.now()
    actor = actor_at(request, site.name)
    refusal = refused_by_role("plan", actor.role)
    if refusal is not None:
        raise refusal
    proposal = ChangeProposal(**body.model_dump(exclude={"site"}))
    change = services.propose(site, actor, proposal, now)
    return Status(201, detail(request, change.pk, now))


@router.get("/changes/{id}", response={200: ChangeDetail, **READ}, operation_id="get_change")
def get_change(request: HttpRequest, id: Id, plan: bool = True) -> ChangeDetail:  # noqa: A002  (the name in the path)
    """One change with its plan, first nodes and history; `plan=false`: without the plan, to follow its
    progress."""
    return detail(request, id, timezone.now(), plan=plan)


@router.get("/changes/{id}/plan", response={200: PlanOut, **READ}, operation_id="get_change_plan")
def get_change_plan(request: HttpRequest, id: Id) -> PlanOut:  # noqa: A002
    """The whole plan of a change, with all nodes, shapes and failures: megabytes for thousands of nodes."""
    change = _change(request, id)
    plan = selectors.whole_plan(change)
    if plan is None:
        raise NotFound(f"Change #{id} has no plan yet: plan it first.")
    progress = node_progress.progress_of([change])[change.pk]
    actor, now = actor_at(request, change.site.name), timezone.now()
    return plan_out(plan, action_context(change, progress, plan, actor, now).stale, whole=True)


NODE_SORTS = {
    "wave": Column("wave"),
    "name": Column("node__name", natural=True),
    "state": Column("state"),
    "since": Column("since", nullable=True),
}
PLANNED_SORTS = {**NODE_SORTS, "state": Column("wave"), "since": Column("wave")}
"""Nodes of a change that has not started have the same state and time: by wave."""


class ChangeNodeQuery(ListQuery):
    """Filters of `list_change_nodes`."""

    wave: Annotated[int, Field(ge=0, lt=2**15)] | None = Field(None, description="0 is the canary")
    state: NodeState | None = None


@router.get(
    "/changes/{id}/nodes",
    response={200: Page[ChangeNodeOut], **READ},
    operation_id="list_change_nodes",
)
@depends_on(INVENTORY, {"rollout_application", "rollout_change", "rollout_plannednode", "rollout_planrecord"})
def list_change_nodes(
    request: HttpRequest,
    id: Id,  # noqa: A002
    query: Query[ChangeNodeQuery],
) -> Page[ChangeNodeOut]:
    """Nodes of a change, by wave; before it starts, those of its newest plan."""
    change = _change(request, id)
    wanted = NodeFilter(query.wave, query.state, query.q)
    if change.revision is None:
        planned, following = query.rows(node_progress.planned_nodes(change, wanted), PLANNED_SORTS, "wave")
        rows = [node_progress.as_application(change, row) for row in planned]
    else:
        whole, light = node_progress.change_nodes(change, wanted)
        rows, following = query.rows(whole, NODE_SORTS, "wave", light=light)
    return Page(items=[member_out(change, row) for row in rows], next=following)


@router.get(
    "/changes/{id}/nodes/{node_id}",
    response={200: ChangeNodeDetail, **READ},
    operation_id="get_change_node",
)
def get_change_node(request: HttpRequest, id: Id, node_id: Id) -> ChangeNodeDetail:  # noqa: A002
    """One node of a change that has started, with all evidence and its state before and after."""
    change = _change(request, id)
    row = node_progress.change_node(change, node_id)
    if row is None:
        raise NotFound(f"Change #{id} has not started on such a node.")
    return member_detail_out(change, row)


@router.post("/changes/{id}/plan", response={200: ChangeDetail, **WRITE}, operation_id="plan_change")
@idempotent
def plan_change(request: HttpRequest, id: Id) -> ChangeDetail:  # noqa: A002
    """Plan the change again from the current state; earlier approvals lapse. Needs operator."""
    actor, now = _actor_of(request, id), timezone.now()
    services.plan_again(id, actor, now)
    return detail(request, id, now)


@router.post("/changes/{id}/approve", response={200: ChangeDetail, **WRITE}, operation_id="approve_change")
@idempotent
def approve_change(request: HttpRequest, id: Id, body: ApproveIn) -> ChangeDetail:  # noqa: A002
    """Approve the plan. Needs approver; where the site requires two people, not the author."""
    actor, now = _actor_of(request, id), timezone.now()
    accepted = body.accept_warnings
    services.approve(id, actor, body.digest, now, comment=body.comment, accept_warnings=accepted)
    return detail(request, id, now)


@router.post("/changes/{id}/apply", response={200: ChangeDetail, **WRITE}, operation_id="apply_change")
@idempotent
def apply_change(request: HttpRequest, id: Id, body: ApplyIn) -> ChangeDetail:  # noqa: A002
    """Start the change: all nodes prepare, then it is applied wave by wave under guard. Needs operator."""
    actor, now = _actor_of(request, id), timezone.now()
    services.apply(id, actor, Begin(body.digest, body.timeout_s, body.auto_confirm), now)
    return detail(request, id, now)


@router.post("/changes/{id}/confirm", response={200: ChangeDetail, **WRITE}, operation_id="confirm_change")
@idempotent
def confirm_change(request: HttpRequest, id: Id, body: ConfirmIn | None = None) -> ChangeDetail:  # noqa: A002
    """Confirm the waiting wave: its nodes save the new state, and the next wave starts. Needs operator."""
    actor, now = _actor_of(request, id), timezone.now()
    services.confirm(id, actor, now, wave=None if body is None else body.wave)
    return detail(request, id, now)


@router.post(
    "/changes/{id}/roll-back", response={200: ChangeDetail, **WRITE}, operation_id="roll_back_change"
)
@idempotent
def roll_back_change(request: HttpRequest, id: Id, body: RollBackIn) -> ChangeDetail:  # noqa: A002
    """Roll the current wave back; confirmed waves stay. Needs operator."""
    actor, now = _actor_of(request, id), timezone.now()
    services.roll_back(id, actor, body.reason, now)
    return detail(request, id, now)


@router.post("/changes/{id}/discard", response={200: ChangeDetail, **WRITE}, operation_id="discard_change")
@idempotent
def discard_change(request: HttpRequest, id: Id) -> ChangeDetail:  # noqa: A002
    """Discard the change. Needs operator."""
    actor, now = _actor_of(request, id), timezone.now()
    services.discard(id, actor, now)
    return detail(request, id, now)


@router.post("/changes/{id}/undo", response={201: ChangeDetail, **WRITE}, operation_id="undo_change")
@idempotent
def undo_change(request: HttpRequest, id: Id, body: UndoIn | None = None) -> Status[ChangeDetail]:  # noqa: A002
    """Plan the inverse of a confirmed change, as a new change. Needs operator.

    The nodes that keep the change return to their state before it. Refused, with the
    reason, while a later change of the same nodes is in force: undo that one first.
    """
    actor, now = _actor_of(request, id), timezone.now()
    change = services.undo(id, actor, now, reason="" if body is None else body.reason)
    return Status(201, detail(request, change.pk, now))


def _actor_of(request: HttpRequest, change_id: int) -> Actor:
    """The user, at the site of a visible change."""
    return actor_at(request, _change(request, change_id).site.name)
