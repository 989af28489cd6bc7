"""Test plans: test matrix, ends, schedule and limits."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.api.http.auth import Lookup, is_operator, principal, require_operator, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.api.test_plans.present import plan_out
from backstay.api.test_plans.schemas import TestPlanIn, TestPlanOut
from backstay.api.test_runs.present import run_out
from backstay.api.test_runs.schemas import TestRunOut
from backstay.core.errors import Invalid
from backstay.core.model.throughput_kinds import Shape
from backstay.throughput import selectors, services
from backstay.throughput.plan_spec import TestPlanSpec
from backstay.throughput.selectors import Tally, tallies

router = Router(tags=["test-plans"])
_plan = Lookup("test plan", selectors.plan)
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
    """A site's plans with their latest runs."""
    row = site_of(request, query.site)
    known = selectors.plans_of(row, shape=query.shape, text=query.q)
    rows, following = query.rows(known, SORTS, "name")
    return Page(items=_plans_out(request, rows), next=following)


@router.get("/test-plans/{id}", response={200: TestPlanOut, **READ}, operation_id="get_test_plan")
def get_test_plan(request: HttpRequest, id: Id) -> TestPlanOut:  # noqa: A002  (the name in the path)
    """One plan with its latest run."""
    return _shown(request, id)


@router.post("/test-plans", response={201: TestPlanOut, **WRITE}, operation_id="create_test_plan")
@idempotent
def create_test_plan(request: HttpRequest, body: TestPlanIn) -> Status[TestPlanOut]:
    """Create a plan; it runs on request or on schedule. Needs operator at the site.

    Plans that cannot run are refused: ends without an agent or an address, or a matrix invalid for its kind.
    """
    site = site_of(request, body.site)
    require_operator(request, site)
    plan = services.create_plan(site, _spec(body), principal(request).user, timezone.now())
    return Status(201, _shown(request, plan.pk))


@router.put("/test-plans/{id}", response={200: TestPlanOut, **WRITE}, operation_id="update_test_plan")
@idempotent
def update_test_plan(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    body: TestPlanIn,
) -> TestPlanOut:
    """Replace a plan; a run in progress keeps its parameters. Needs operator at the site."""
    plan = _plan(request, id)
    require_operator(request, plan.site)
    if body.site != plan.site.name:
        raise Invalid(
            "A plan cannot move to another site.", fields={"site": f"{plan.site.name}, or make a new plan"}
        )
    services.update_plan(plan, _spec(body), principal(request).user, timezone.now())
    return _shown(request, id)


@router.delete("/test-plans/{id}", response={204: None, **WRITE}, operation_id="delete_test_plan")
def delete_test_plan(request: HttpRequest, id: Id) -> Status[None]:  # noqa: A002
    """Delete a plan without a run in progress; its runs are kept. Needs operator at the site."""
    plan = _plan(request, id)
    require_operator(request, plan.site)
    services.remove_plan(plan, principal(request).user, timezone.now())
    return Status(204, None)


@router.post("/test-plans/{id}/run", response={201: TestRunOut, **WRITE}, operation_id="run_test_plan")
@idempotent
def run_test_plan(request: HttpRequest, id: Id) -> Status[TestRunOut]:  # noqa: A002
    """Run a plan now, or once its resources are free: `waits_for` is the reason. Needs operator."""
    plan = _plan(request, id)
    require_operator(request, plan.site)
    now = timezone.now()
    run = services.request_run(plan, principal(request).user.get_username(), now)
    return Status(201, run_out(run, tallies([run]).get(run.pk, Tally()), now, may_cancel=True))


def _spec(body: TestPlanIn) -> TestPlanSpec:
    fields = body.model_dump(exclude={"site", "matrix", "senders", "receivers"})
    matrix = body.matrix.model_dump(exclude_none=True)
    return TestPlanSpec(**fields, senders=tuple(body.senders), receivers=tuple(body.receivers), matrix=matrix)


def _shown(request: HttpRequest, ident: int) -> TestPlanOut:
    return _plans_out(request, [_plan(request, ident)])[0]


def _plans_out(request: HttpRequest, rows: Sequence[Any]) -> list[TestPlanOut]:
    now, known = timezone.now(), selectors.plan_summaries(rows)
    return [
        plan_out(
            plan,
            known[plan.pk].newest,
            known[plan.pk].tally,
            now,
            runs=known[plan.pk].runs,
            may=is_operator(request, plan.site),
        )
        for plan in rows
    ]
