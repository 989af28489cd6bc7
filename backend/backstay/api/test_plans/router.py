"""Test plans: what is to be tested, between whom, when, and within which bounds."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Case, Count, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.accounts.models import Role
from backstay.api.http.auth import found, principal, see, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.api.test_plans.present import plan_out
from backstay.api.test_plans.schemas import TestPlanIn, TestPlanOut
from backstay.api.test_runs.present import run_out
from backstay.api.test_runs.schemas import Shape, TestRunOut
from backstay.core.errors import Invalid
from backstay.throughput import services
from backstay.throughput.models import OPEN, TestPlan, TestRun
from backstay.throughput.plan_spec import TestPlanSpec
from backstay.throughput.selectors import Tally, tallies

router = Router(tags=["test-plans"])
SORTS = {
    "name": Column("name"),
    "age": Column("since", backwards=True),
    "shape": Column("shape"),
    "priority": Column("priority"),
}


class TestPlanQuery(ListQuery):
    """Filters of `list_test_plans`."""

    shape: Shape | None = None


@router.get("/test-plans", response={200: Page[TestPlanOut], **READ}, operation_id="list_test_plans")
def list_test_plans(request: HttpRequest, query: Query[TestPlanQuery]) -> Page[TestPlanOut]:
    """A site's plans with their newest runs."""
    row = site_of(request, query.site)
    wanted = Q(site=row, removed_at=None)
    wanted &= Q() if query.shape is None else Q(shape=query.shape)
    wanted &= Q(name__icontains=query.q) | Q(note__icontains=query.q) if query.q else Q()
    known = _rows().filter(wanted).annotate(since=_since())
    rows, following = query.rows(known, SORTS, "name")
    return Page(items=_all(request, rows, timezone.now()), next=following)


@router.get("/test-plans/{id}", response={200: TestPlanOut, **READ}, operation_id="get_test_plan")
def get_test_plan(request: HttpRequest, id: Id) -> TestPlanOut:  # noqa: A002  (the path's own word)
    """One plan with its newest run."""
    return _out(request, _plan(request, id))


@router.post("/test-plans", response={201: TestPlanOut, **WRITE}, operation_id="create_test_plan")
@idempotent
def create_test_plan(request: HttpRequest, body: TestPlanIn) -> Status[TestPlanOut]:
    """A new plan; it runs when asked for, or by its timetable. Needs operator at the site.

    What could never run is refused: ends without an agent or an address, a matrix that does not fit its kind.
    """
    site = site_of(request, body.site)
    principal(request).require(site.name, Role.OPERATOR)
    plan = services.create_plan(site, _wish(body), principal(request).user, timezone.now())
    return Status(201, _out(request, _plan(request, plan.pk)))


@router.put("/test-plans/{id}", response={200: TestPlanOut, **WRITE}, operation_id="update_test_plan")
@idempotent
def update_test_plan(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the path's own word)
    body: TestPlanIn,
) -> TestPlanOut:
    """Make a plan this; a run that is not over stays as it was asked for. Needs operator at the site."""
    plan = _plan(request, id)
    principal(request).require(plan.site.name, Role.OPERATOR)
    if body.site != plan.site.name:
        raise Invalid("A plan stays at its site.", fields={"site": f"{plan.site.name}, or make a new plan"})
    services.update_plan(plan, _wish(body), principal(request).user, timezone.now())
    return _out(request, _plan(request, id))


@router.delete("/test-plans/{id}", response={204: None, **WRITE}, operation_id="delete_test_plan")
def delete_test_plan(request: HttpRequest, id: Id) -> Status[None]:  # noqa: A002
    """Remove a plan of which no run is under way; its runs stay. Needs operator at the site."""
    plan = _plan(request, id)
    principal(request).require(plan.site.name, Role.OPERATOR)
    services.remove_plan(plan, principal(request).user, timezone.now())
    return Status(204, None)


@router.post("/test-plans/{id}/run", response={201: TestRunOut, **WRITE}, operation_id="run_test_plan")
@idempotent
def run_test_plan(request: HttpRequest, id: Id) -> Status[TestRunOut]:  # noqa: A002
    """Run it now, or as soon as what it needs is free: `waits_for` says what it waits for. Needs operator."""
    plan = _plan(request, id)
    principal(request).require(plan.site.name, Role.OPERATOR)
    now = timezone.now()
    run = services.request_run(plan, principal(request).user.get_username(), now)
    return Status(201, run_out(run, tallies([run]).get(run.pk, Tally()), now, may_cancel=True))


def _wish(body: TestPlanIn) -> TestPlanSpec:
    told = body.model_dump(exclude={"site", "matrix", "senders", "receivers"})
    matrix = body.matrix.model_dump(exclude_none=True)
    return TestPlanSpec(**told, senders=tuple(body.senders), receivers=tuple(body.receivers), matrix=matrix)


def _rows() -> QuerySet[TestPlan]:
    return TestPlan.objects.select_related("site", "author")


def _since() -> Coalesce:
    """As `plan_out` tells it: of the newest run when that is not over, else of the plan's last change."""
    newest = TestRun.objects.filter(plan=OuterRef("pk")).order_by("-pk")
    at = Case(When(state__in=OPEN, then=Coalesce("began_at", "asked_at")))
    return Coalesce(Subquery(newest.values_list(at)[:1]), "changed_at")


def _plan(request: HttpRequest, ident: int) -> TestPlan:
    plan = found(_rows().filter(pk=ident, removed_at=None).first(), "test plan")
    see(request, plan.site, "test plan")
    return plan


def _all(request: HttpRequest, rows: Sequence[TestPlan], now: datetime) -> list[TestPlanOut]:
    known = TestRun.objects.filter(plan__in=rows).select_related("plan__site")
    newest = {run.plan_id: run for run in known.order_by("plan_id", "-pk").distinct("plan_id")}
    numbers = dict(known.order_by().values_list("plan").annotate(number=Count("id")))
    far = tallies(newest.values())
    return [
        plan_out(
            plan,
            run := newest.get(plan.pk),
            far.get(run.pk, Tally()) if run else Tally(),
            now,
            runs=numbers.get(plan.pk, 0),
            may=principal(request).may(plan.site.name, Role.OPERATOR),
        )
        for plan in rows
    ]


def _out(request: HttpRequest, plan: TestPlan) -> TestPlanOut:
    return _all(request, [plan], timezone.now())[0]
