"""Failover drills and their evidence."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.api.drills.present import drill_out
from backstay.api.drills.schemas import DrillIn, DrillOut
from backstay.api.http.auth import (
    Lookup,
    is_operator,
    principal,
    require_operator,
    site_of,
)
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.core.model.progress import DrillState
from backstay.policy import selectors as policies
from backstay.rollout.drills import selectors, services
from backstay.rollout.drills.services import DrillSpec

router = Router(tags=["drills"])
_drill = Lookup("drill", selectors.drill, lambda drill: drill.policy.site)
_policy = Lookup("failover policy", policies.failover_policy)
SORTS = {
    "at": Column("at"),
    "name": Column("id"),
    "state": Column("state"),
    "since": Column("since"),
    "policy": Column("policy__name", natural=True),
    "author": Column("author__username", natural=True, nullable=True),
    "worst_outage_ms": Column("worst_outage_ms", nullable=True),
    "fallback_utilisation": Column("fallback_utilisation", nullable=True),
}


class DrillQuery(ListQuery):
    """Filters of `list_drills`."""

    policy: Text | None = None
    state: DrillState | None = None


@router.get("/drills", response={200: Page[DrillOut], **READ}, operation_id="list_drills")
def list_drills(request: HttpRequest, query: Query[DrillQuery]) -> Page[DrillOut]:
    """Scheduled, running and finished drills, newest first."""
    row = site_of(request, query.site)
    known = selectors.drills_of(row, policy=query.policy, state=query.state, text=query.q)
    rows, following = query.rows(known, SORTS, "-at")
    may, now = is_operator(request, row), timezone.now()
    return Page(items=[drill_out(drill, now, may_cancel=may) for drill in rows], next=following)


@router.get("/drills/{id}", response={200: DrillOut, **READ}, operation_id="get_drill")
def get_drill(request: HttpRequest, id: Id) -> DrillOut:  # noqa: A002  (the name in the path)
    """One drill with the measurements of each node."""
    return _shown(request, id)


@router.post("/drills", response={201: DrillOut, **WRITE}, operation_id="create_drill")
@idempotent
def create_drill(request: HttpRequest, body: DrillIn) -> Status[DrillOut]:
    """Start or schedule a failover drill. Needs operator at the site.

    A drill that is not possible now is stored with `state` refused and every reason.
    """
    policy = _policy(request, body.policy)
    require_operator(request, policy.site)
    wanted = DrillSpec(
        nodes=tuple(dict.fromkeys(body.nodes)),
        gateway=body.gateway,
        seconds=body.seconds,
        at=body.at,
        every_days=body.every_days,
        reason=body.reason,
    )
    drill = services.plan(policy, wanted, principal(request).user, timezone.now())
    return Status(201, _shown(request, drill.pk))


@router.delete("/drills/{id}", response={200: DrillOut, **WRITE}, operation_id="cancel_drill")
def cancel_drill(request: HttpRequest, id: Id) -> DrillOut:  # noqa: A002  (the name in the path)
    """Cancel a drill: moved nodes return at once. The drill is kept. Needs operator at the site."""
    drill = _drill(request, id)
    services.cancel(drill.pk, require_operator(request, drill.policy.site), timezone.now())
    return _shown(request, id)


def _shown(request: HttpRequest, ident: int) -> DrillOut:
    drill = _drill(request, ident)
    return drill_out(drill, timezone.now(), may_cancel=is_operator(request, drill.policy.site))
