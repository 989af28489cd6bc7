"""Changes: proposed, planned, approved, applied in waves, confirmed or rolled back."""

from datetime import datetime
from typing import Literal

from django.db.models import Prefetch, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.accounts.services import capped, role_at
from backstay.api.changes.present import change_out, detail_out
from backstay.api.changes.schemas import (
    ApplyIn,
    ApproveIn,
    ChangeDetail,
    ChangeIn,
    ChangeOut,
    ChangeState,
    ConfirmIn,
    RollBackIn,
)
from backstay.api.http.auth import found, principal, see, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.inventory.models import Site
from backstay.rollout.changes import services
from backstay.rollout.changes.execution import BULKY
from backstay.rollout.changes.rules import refused_by_role
from backstay.rollout.changes.selectors import Actor, action_context
from backstay.rollout.changes.services import Begin, Proposal
from backstay.rollout.models import Application, Change, PlanRecord
from backstay.rollout.plans.plan_inputs import PlanInputs

router = Router(tags=["changes"])
StateFilter = ChangeState | Literal["current"]
SORTS = {
    "since": Column("since"),
    "age": Column("since", backwards=True),
    "name": Column("id"),
    "created": Column("created_at"),
    "state": Column("state"),
    "title": Column("title"),
    "kind": Column("kind"),
}
CURRENT = Q(state__in=["draft", "planned", "approved", "rolling", "confirming"])


class ChangeQuery(ListQuery):
    """Filters of `list_changes`."""

    state: StateFilter | None = None
    policy: Text | None = None
    fabric: Text | None = None


@router.get("/changes", response={200: Page[ChangeOut], **READ}, operation_id="list_changes")
def list_changes(request: HttpRequest, query: Query[ChangeQuery]) -> Page[ChangeOut]:
    """A site's changes, the newest first; `state=current` are those that have not ended."""
    row, now = site_of(request, query.site), timezone.now()
    wanted = Q() if query.state is None else CURRENT if query.state == "current" else Q(state=query.state)
    wanted &= Q() if query.policy is None else Q(policies__name=query.policy)
    wanted &= Q() if query.fabric is None else Q(arp_policies__fabric__name=query.fabric)
    wanted &= Q(title__icontains=query.q) | Q(ticket__icontains=query.q) if query.q else Q()
    known = _with_parts(Change.objects.filter(wanted, site=row))
    rows, following = query.rows(known, SORTS, "-name")
    actor, reading = _actor(request, row), PlanInputs(row, now)
    items = []
    for change in rows:
        members = list(change.applications.all())
        plan = change.plans.first()
        stands = action_context(change, members, plan, actor, now, reading=reading)
        items.append(change_out(change, members, plan, stands, now))
    return Page(items=items, next=following)


def _with_parts(rows: QuerySet[Change]) -> QuerySet[Change]:
    """With all that a line about a change says, but without the plans' texts."""
    plans = PlanRecord.objects.defer("document", "assignments")
    members = Application.objects.defer(*BULKY)
    return rows.select_related("site", "author").prefetch_related(
        "policies",
        "arp_policies__fabric",
        "approvals__person",
        Prefetch("plans", plans),
        Prefetch("applications", members),
    )


@router.post("/changes", response={201: ChangeDetail, **WRITE}, operation_id="create_change")
@idempotent
def create_change(request: HttpRequest, body: ChangeIn) -> Status[ChangeDetail]:
    """Propose a change; it is planned at once. Needs operator at the site."""
    site, now = site_of(request, body.site), timezone.now()
    actor = _actor(request, site)
    refusal = refused_by_role("plan", actor.role)
    if refusal is not None:
        raise refusal
    proposal = Proposal(**body.model_dump(exclude={"site"}))
    change = services.propose(site, actor, proposal, now)
    return Status(201, _detail(request, change.pk, now))


@router.get("/changes/{id}", response={200: ChangeDetail, **READ}, operation_id="get_change")
def get_change(request: HttpRequest, id: Id) -> ChangeDetail:  # noqa: A002  (the path's own word)
    """One change with its plan, nodes and history."""
    return _detail(request, id, timezone.now())


@router.post("/changes/{id}/plan", response={200: ChangeDetail, **WRITE}, operation_id="plan_change")
@idempotent
def plan_change(request: HttpRequest, id: Id) -> ChangeDetail:  # noqa: A002
    """Plan it anew from what is known now; approvals were of the old plan. Needs operator."""
    actor, now = _actor_at(request, id), timezone.now()
    services.plan_again(id, actor, now)
    return _detail(request, id, now)


@router.post("/changes/{id}/approve", response={200: ChangeDetail, **WRITE}, operation_id="approve_change")
@idempotent
def approve_change(request: HttpRequest, id: Id, body: ApproveIn) -> ChangeDetail:  # noqa: A002
    """Approve the plan that was read. Needs approver; not the author where the site wants two people."""
    actor, now = _actor_at(request, id), timezone.now()
    accepted = body.accept_warnings
    services.approve(id, actor, body.digest, now, comment=body.comment, accept_warnings=accepted)
    return _detail(request, id, now)


@router.post("/changes/{id}/apply", response={200: ChangeDetail, **WRITE}, operation_id="apply_change")
@idempotent
def apply_change(request: HttpRequest, id: Id, body: ApplyIn) -> ChangeDetail:  # noqa: A002
    """Begin: all nodes prepare, then wave after wave applies under guard. Needs operator."""
    actor, now = _actor_at(request, id), timezone.now()
    services.apply(id, actor, Begin(body.digest, body.timeout_s, body.auto_confirm), now)
    return _detail(request, id, now)


@router.post("/changes/{id}/confirm", response={200: ChangeDetail, **WRITE}, operation_id="confirm_change")
@idempotent
def confirm_change(request: HttpRequest, id: Id, body: ConfirmIn | None = None) -> ChangeDetail:  # noqa: A002
    """The wave that waits is good: save it and go on. Needs operator."""
    actor, now = _actor_at(request, id), timezone.now()
    services.confirm(id, actor, now, wave=None if body is None else body.wave)
    return _detail(request, id, now)


@router.post(
    "/changes/{id}/roll-back", response={200: ChangeDetail, **WRITE}, operation_id="roll_back_change"
)
@idempotent
def roll_back_change(request: HttpRequest, id: Id, body: RollBackIn) -> ChangeDetail:  # noqa: A002
    """Put the wave under way back; waves confirmed before it stay. Needs operator."""
    actor, now = _actor_at(request, id), timezone.now()
    services.roll_back(id, actor, body.reason, now)
    return _detail(request, id, now)


@router.post("/changes/{id}/discard", response={200: ChangeDetail, **WRITE}, operation_id="discard_change")
@idempotent
def discard_change(request: HttpRequest, id: Id) -> ChangeDetail:  # noqa: A002
    """It will not be done. Needs operator."""
    actor, now = _actor_at(request, id), timezone.now()
    services.discard(id, actor, now)
    return _detail(request, id, now)


def _actor(request: HttpRequest, site: Site) -> Actor:
    who = principal(request)
    return Actor(who.user, capped(role_at(who.user, site.name), who.at_most))


def _actor_at(request: HttpRequest, change_id: int) -> Actor:
    """Who asks, at the site of a change that they may see."""
    change = found(Change.objects.select_related("site").filter(pk=change_id).first(), "change")
    return _actor(request, see(request, change.site, "change"))


def _detail(request: HttpRequest, change_id: int, now: datetime) -> ChangeDetail:
    rows = Change.objects.select_related("site", "author").filter(pk=change_id)
    parts = rows.prefetch_related(
        "policies", "arp_policies__fabric", "approvals__person", "steps", "applications__node"
    )
    change = found(parts.first(), "change")
    actor = _actor(request, see(request, change.site, "change"))
    members = list(change.applications.all())
    plan = (change.plans.defer("assignments") if members else change.plans).first()
    return detail_out(change, members, plan, action_context(change, members, plan, actor, now), now)
