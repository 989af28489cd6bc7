"""Writes of test plans and runs, with their events.

Lock order: plan, then site lock, then agents, then assignments.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from backstay.accounts.models import User
from backstay.core.errors import Conflict, Refused
from backstay.core.formatting import count, duration
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.progress import OPEN_RUNS
from backstay.inventory.models import Site
from backstay.inventory.services import raise_generations
from backstay.live import publish
from backstay.telemetry import events
from backstay.throughput import verdicts
from backstay.throughput.models import SiteLock, TestAssignment, TestCell, TestPlan, TestRun
from backstay.throughput.plan_spec import TestPlanSpec, pieces, timetable, validate_plan
from backstay.throughput.site_context import SiteContext

NOUNS = frozenset({"test-plans", "test-runs", "test-grids"})


def create_plan(site: Site, plan_spec: TestPlanSpec, author: User, now: datetime) -> TestPlan:
    """Conflict when the name is taken."""
    validate_plan(site, plan_spec, now)
    plan = TestPlan(site=site, author=author, created_at=now)
    return _keep(plan, plan_spec, author, now, EventKind.TEST_PLAN_CREATED)


@transaction.atomic
def update_plan(plan: TestPlan, plan_spec: TestPlanSpec, person: User, now: datetime) -> TestPlan:
    """Update a plan; existing runs are unchanged. Conflict when it was removed."""
    validate_plan(plan.site, plan_spec, now)
    return _keep(lock_plan(plan), plan_spec, person, now, EventKind.TEST_PLAN_CHANGED)


def lock_plan(plan: TestPlan) -> TestPlan:
    """The current plan, locked for the transaction. Conflict when it was removed.

    Lock order: plan, then site lock.
    """
    rows = TestPlan.objects.select_related("site").select_for_update(of=("self",), no_key=True)
    now = rows.get(pk=plan.pk)
    if now.removed_at is not None:
        raise Conflict(f"The test plan {now.name} was removed.")
    return now


_KEPT = (*(field.name for field in fields(TestPlanSpec)), "changed_at", "next_at")


def _keep(plan: TestPlan, plan_spec: TestPlanSpec, person: User, now: datetime, kind: EventKind) -> TestPlan:
    for field, value in asdict(plan_spec).items():
        setattr(plan, field, list(value) if isinstance(value, tuple) else value)
    plan.changed_at = now
    plan.next_at = (
        timetable(plan_spec.schedule).after(now) if plan_spec.schedule and plan_spec.enabled else None
    )
    try:
        with transaction.atomic():
            plan.save(update_fields=_KEPT if plan.pk else None)
            record_plan_event(plan, person.get_username(), kind, now)
    except IntegrityError as problem:
        raise Conflict(f"A test plan {plan_spec.name} already exists: choose another name.") from problem
    return plan


@transaction.atomic
def remove_plan(plan: TestPlan, person: User, now: datetime) -> None:
    """Mark a plan as removed; its runs stay. Conflict while a run is active or when already removed."""
    plan = lock_plan(plan)
    if plan.runs.filter(state__in=OPEN_RUNS).exists():
        raise Conflict(f"A run of {plan.name} is active: cancel it first.")
    plan.removed_at, plan.next_at = now, None
    plan.save(update_fields=["removed_at", "next_at"])
    record_plan_event(plan, person.get_username(), EventKind.TEST_PLAN_REMOVED, now)


def record_plan_event(plan: TestPlan, person: str, kind: EventKind, now: datetime) -> None:
    """Record an operator action on a plan."""
    data = {"plan": plan.name, "plan_id": plan.pk, "person": person}
    message = f"{person} {kind.action} the test plan {plan.name}"
    events.record(plan.site, kind, message, at=now, subject=plan.name, data=data)
    publish.changed(plan.site.name, NOUNS)


MOST_OPEN = 20
"""Max active runs per site."""
ASKED = ("shape", "senders", "receivers", "fabric", "matrix", "repeats", "quiet_percent")


def lock_site(site: Site) -> SiteLock:
    """The site lock, held for the transaction: no other transaction starts, ends or cancels a cell."""
    SiteLock.objects.get_or_create(site=site)
    return SiteLock.objects.select_for_update(no_key=True).get(site=site)


@transaction.atomic
def request_run(plan: TestPlan, person: str, now: datetime) -> TestRun:
    """Request a run; the next tick starts it or records what it waits for.

    Conflict when a run is active or the plan was removed.
    """
    plan = lock_plan(plan)
    lock_site(plan.site)
    other = plan.runs.filter(state__in=OPEN_RUNS).first()
    if other is not None:
        raise Conflict(f"Run #{other.pk} of {plan.name} is active: wait for it, or cancel it.")
    if TestRun.objects.filter(plan__site=plan.site, state__in=OPEN_RUNS).count() >= MOST_OPEN:
        raise Refused(f"{MOST_OPEN} runs are active at this site: cancel some, or wait.")
    made = pieces(SiteContext(plan.site, now), plan)
    run = TestRun.objects.create(
        plan=plan,
        priority=plan.priority,
        asked_at=now,
        person=person,
        source="live" if plan.site.rate_scale == 1.0 else "lab",
        asked={name: getattr(plan, name) for name in ASKED},
    )
    TestCell.objects.bulk_create(
        TestCell(run=run, index=at, flows=piece.flows, spec=piece.spec, seconds=piece.seconds)
        for at, piece in enumerate(made)
    )
    who = person or "the schedule"
    record_run_event(
        run,
        EventKind.TEST_RUN_ASKED,
        f"{who} requested run #{run.pk} of {plan.name}: {count(len(made), 'cell')}",
        now,
    )
    return run


@transaction.atomic
def cancel_run(run_id: int, person: str, now: datetime) -> None:
    """Cancel a run; agents stop their programs. Conflict when it has ended."""
    run = TestRun.objects.select_related("plan__site").get(pk=run_id)
    lock_site(run.plan.site)
    run.refresh_from_db()
    if run.state not in OPEN_RUNS:
        raise Conflict(f"Run #{run.pk} has ended: it is {run.state}.")
    stop_assignments(TestAssignment.objects.filter(cell__run=run, final=False), "cancelled", now)
    run.cells.filter(state__in=["queued", "running"]).update(state="cancelled", ended_at=now)
    run.state, run.ended_at, run.waits_for = "cancelled", now, ""
    run.outcome = f"cancelled by {person}"
    run.save(update_fields=["state", "ended_at", "waits_for", "outcome"])
    verdicts.judge(run)
    record_run_event(
        run, EventKind.TEST_RUN_CANCELLED, f"{person} cancelled run #{run.pk} of {run.plan.name}", now
    )


def stop_assignments(
    assignments: QuerySet[TestAssignment], state: str, now: datetime, detail: str = ""
) -> None:
    """Withdraw assignments: removal from the desired state makes agents stop their programs."""
    nodes = set(assignments.values_list("node", flat=True))
    # Lock order as in report storage: agents before assignments.
    raise_generations(nodes)
    assignments.update(state=state, final=True, reported_at=now, detail=detail)


def record_run_event(run: TestRun, kind: EventKind, message: str, now: datetime) -> None:
    """Record an event of a run."""
    plan = run.plan
    data = {"plan": plan.name, "plan_id": plan.pk, "run_id": run.pk, "person": run.person}
    events.record(plan.site, kind, message, at=now, subject=plan.name, data=data)
    publish.changed(plan.site.name, NOUNS)


def plans_due(now: datetime) -> None:
    """Request due runs. Runs missed during a downtime are requested once."""
    due = TestPlan.objects.filter(enabled=True, removed_at=None, next_at__lte=now, site__archived_at=None)
    for ident in list(due.order_by("pk").values_list("pk", flat=True)):
        with transaction.atomic():
            plan = TestPlan.objects.select_related("site").select_for_update(of=("self",)).get(pk=ident)
            if plan.next_at is None or plan.next_at > now:
                continue
            plan.next_at = timetable(plan.schedule).after(now)
            plan.save(update_fields=["next_at"])
            _by_timetable(plan, now)


def _by_timetable(plan: TestPlan, now: datetime) -> None:
    try:
        request_run(plan, "", now)
    except (Conflict, Refused) as problem:
        data = {"plan": plan.name, "plan_id": plan.pk}
        message = f"The scheduled run of {plan.name} was skipped: {problem.message}"
        events.record(plan.site, EventKind.TEST_RUN_LEFT_OUT, message, at=now, subject=plan.name, data=data)


def run_duration(run: TestRun) -> str:
    """Duration of an ended run."""
    return duration((run.ended_at - run.began_at).total_seconds()) if run.ended_at and run.began_at else ""
