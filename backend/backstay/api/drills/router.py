"""Drills: failing over on purpose, and the evidence of it."""

from typing import Literal

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.accounts.models import Role
from backstay.api.drills.present import drill_out
from backstay.api.drills.schemas import DrillIn, DrillOut
from backstay.api.http.auth import found, principal, see, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.policy.models import FailoverPolicy
from backstay.rollout.drills import services
from backstay.rollout.drills.services import DrillSpec
from backstay.rollout.models import Drill

router = Router(tags=["drills"])
SORTS = {
    "at": Column("at"),
    "name": Column("id"),
    "state": Column("state"),
    "since": Column("since"),
    "policy": Column("policy__name"),
}
DrillState = Literal["scheduled", "refused", "running", "returning", "passed", "failed", "cancelled"]


class DrillQuery(ListQuery):
    """Filters of `list_drills`."""

    policy: Text | None = None
    state: DrillState | None = None


@router.get("/drills", response={200: Page[DrillOut], **READ}, operation_id="list_drills")
def list_drills(request: HttpRequest, query: Query[DrillQuery]) -> Page[DrillOut]:
    """Drills that are planned, under way, or kept as evidence; the newest first."""
    row = site_of(request, query.site)
    wanted = Q(policy__site=row)
    wanted &= Q(policy__name=query.policy) if query.policy is not None else Q()
    wanted &= Q(state=query.state) if query.state is not None else Q()
    wanted &= Q(policy__name__icontains=query.q) | Q(reason__icontains=query.q) if query.q else Q()
    rows, following = query.rows(_rows().filter(wanted), SORTS, "-at")
    may, now = principal(request).may(row.name, Role.OPERATOR), timezone.now()
    return Page(items=[drill_out(drill, now, may_cancel=may) for drill in rows], next=following)


@router.get("/drills/{id}", response={200: DrillOut, **READ}, operation_id="get_drill")
def get_drill(request: HttpRequest, id: Id) -> DrillOut:  # noqa: A002  (the path's own word)
    """One drill with what was measured on each node."""
    return _out(request, _drill(request, id))


@router.post("/drills", response={201: DrillOut, **WRITE}, operation_id="create_drill")
@idempotent
def create_drill(request: HttpRequest, body: DrillIn) -> Status[DrillOut]:
    """Fail over on purpose, now or at a time. Needs operator at the site.

    A drill that may not be held now is answered too, `state` refused, with every reason.
    """
    rows = FailoverPolicy.objects.select_related("site")
    policy = found(rows.filter(pk=body.policy).first(), "failover policy")
    see(request, policy.site, "failover policy")
    principal(request).require(policy.site.name, Role.OPERATOR)
    wanted = DrillSpec(
        nodes=tuple(dict.fromkeys(body.nodes)),
        gateway=body.gateway,
        seconds=body.seconds,
        at=body.at,
        every_days=body.every_days,
        reason=body.reason,
    )
    drill = services.plan(policy, wanted, principal(request).user, timezone.now())
    return Status(201, _out(request, _drill(request, drill.pk)))


@router.delete("/drills/{id}", response={200: DrillOut, **WRITE}, operation_id="cancel_drill")
def cancel_drill(request: HttpRequest, id: Id) -> DrillOut:  # noqa: A002  (the path's own word)
    """Call a drill off: what was moved goes back at once. It is kept. Needs operator at the site."""
    drill = _drill(request, id)
    principal(request).require(drill.policy.site.name, Role.OPERATOR)
    services.cancel(drill.pk, principal(request).user.get_username(), timezone.now())
    return _out(request, _drill(request, id))


def _rows() -> QuerySet[Drill]:
    return Drill.objects.select_related("policy__site", "author").prefetch_related("moves__path__node")


def _drill(request: HttpRequest, ident: int) -> Drill:
    drill = found(_rows().filter(pk=ident).first(), "drill")
    see(request, drill.policy.site, "drill")
    return drill


def _out(request: HttpRequest, drill: Drill) -> DrillOut:
    may = principal(request).may(drill.policy.site.name, Role.OPERATOR)
    return drill_out(drill, timezone.now(), may_cancel=may)
