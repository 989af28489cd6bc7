"""Runs: request by an operator or the schedule, cancellation, events."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from backstay.core.errors import Conflict, Refused
from backstay.core.formatting import count, duration
from backstay.inventory.models import Site
from backstay.inventory.services import raise_generations
from backstay.live import publish
from backstay.telemetry import events
from backstay.throughput import verdicts
from backstay.throughput.models import OPEN, SiteLock, TestAssignment, TestCell, TestPlan, TestRun
from backstay.throughput.plans import NOUNS, locked, pieces, timetable
from backstay.throughput.site_context import SiteContext

MOST_OPEN = 20
"""Max active runs per site."""
ASKED = ("shape", "senders", "receivers", "fabric", "matrix", "repeats", "quiet_percent")


def lock_site(site: Site) -> SiteLock:
    """The site lock, held for the transaction: nobody else starts, ends or cancels a cell."""
    SiteLock.objects.get_or_create(site=site)
    return SiteLock.objects.select_for_update(no_key=True).get(site=site)


@transaction.atomic
def ask(plan: TestPlan, person: str, now: datetime) -> TestRun:
    """Request a run; the next tick starts it or records what it waits for.

    Conflict when a run is active or the plan was removed.
    """
    plan = locked(plan)
    lock_site(plan.site)
    other = plan.runs.filter(state__in=OPEN).first()
    if other is not None:
        raise Conflict(f"Run #{other.pk} of {plan.name} is active: wait for it, or cancel it.")
    if TestRun.objects.filter(plan__site=plan.site, state__in=OPEN).count() >= MOST_OPEN:
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
        run, "asked", f"{who} requested run #{run.pk} of {plan.name}: {count(len(made), 'cell')}", now
    )
    return run


@transaction.atomic
def cancel(run_id: int, person: str, now: datetime) -> None:
    """Cancel a run; agents stop their programs. Conflict when it has ended."""
    run = TestRun.objects.select_related("plan__site").get(pk=run_id)
    lock_site(run.plan.site)
    run.refresh_from_db()
    if run.state not in OPEN:
        raise Conflict(f"Run #{run.pk} has ended: it is {run.state}.")
    stop(TestAssignment.objects.filter(cell__run=run, final=False), "cancelled", now)
    run.cells.filter(state__in=["queued", "running"]).update(state="cancelled", ended_at=now)
    run.state, run.ended_at, run.waits_for = "cancelled", now, ""
    run.outcome = f"cancelled by {person}"
    run.save(update_fields=["state", "ended_at", "waits_for", "outcome"])
    verdicts.judge(run)
    record_run_event(run, "cancelled", f"{person} cancelled run #{run.pk} of {run.plan.name}", now)


def stop(assignments: QuerySet[TestAssignment], state: str, now: datetime, detail: str = "") -> None:
    """Withdraw assignments: removal from the desired state makes agents stop their programs."""
    nodes = set(assignments.values_list("node", flat=True))
    # Lock order as in report storage: agents before assignments.
    raise_generations(nodes)
    assignments.update(state=state, final=True, reported_at=now, detail=detail)


def record_run_event(run: TestRun, what: str, message: str, now: datetime, severity: str = "ok") -> None:
    """Record an event of a run."""
    plan = run.plan
    data = {"plan": plan.name, "plan_id": plan.pk, "run_id": run.pk, "person": run.person}
    events.record(
        plan.site, f"test_run.{what}", message, at=now, subject=plan.name, severity=severity, data=data
    )
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
        ask(plan, "", now)
    except (Conflict, Refused) as problem:
        data = {"plan": plan.name, "plan_id": plan.pk}
        message = f"The scheduled run of {plan.name} was skipped: {problem.message}"
        events.record(
            plan.site,
            "test_run.left_out",
            message,
            at=now,
            subject=plan.name,
            severity="warning",
            data=data,
        )


def took(run: TestRun) -> str:
    """Duration of an ended run."""
    return duration((run.ended_at - run.began_at).total_seconds()) if run.ended_at and run.began_at else ""
