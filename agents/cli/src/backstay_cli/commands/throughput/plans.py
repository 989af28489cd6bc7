"""`tests plans`, `tests plan`, `tests remove`: what is tested, when, and within which limits."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.models import TestPlanOut
from backstay_cli.output import as_json, print_lines, show, table
from backstay_cli.reading import read, read_all
from backstay_cli.resources import ListSpec, list_all
from backstay_cli.session import AsJson, session
from backstay_cli.states import progress_label
from backstay_cli.text import clock, count
from backstay_cli.throughput.labels import between
from backstay_cli.throughput.plan_view import kind_of, next_step, plan_parts
from backstay_cli.throughput.run_view import brief

Name = Annotated[
    str,
    typer.Argument(metavar="PLAN", help="Name or number of the plan.", autocompletion=completion.test_plans),
]

GRIDS = ListSpec(
    "/test-grids", "mesh", ("name", "state", "sentence"), ("age_s", "hosts", "run"), plural="meshes"
)


def plans(context: typer.Context, json: AsJson = False) -> None:
    """List throughput test plans, each with its latest run."""
    run = session(context)
    answer = run.api.items("/test-plans", site=run.site)
    known = read_all(TestPlanOut, answer)
    if json:
        as_json(answer)
        return
    if known:
        show(table(("plan", "test", "ends", "cells", "state", "next", "latest run"), map(_row, known)))
    print_lines(count(len(known), "test plan"))
    remind(run)


def _row(plan: TestPlanOut) -> tuple[Any, ...]:
    return (
        plan.name,
        kind_of(plan),
        between(plan.senders, plan.receivers),
        str(plan.cells),
        progress_label("test_run", plan.state),
        clock(plan.next_at),
        "-" if plan.last_run is None else brief(plan.last_run),
    )


def plan(context: typer.Context, name: Name, json: AsJson = False) -> None:
    """Show one plan: ends, parameters, schedule and limits."""
    run = session(context)
    show_plan(run.api.get(f"/test-plans/{run.test_plan(name).id}"), as_answer=json)


def grids(context: typer.Context, json: AsJson = False) -> None:
    """List the latest mesh of each plan: what is usual, and which hosts are slow."""
    list_all(session(context), GRIDS, json=json)


def remove(context: typer.Context, name: Name) -> None:
    """Remove a plan; its runs are kept.

    Refused while one of its runs has not ended.
    """
    run = session(context)
    found = run.test_plan(name)
    run.api.delete(f"/test-plans/{found.id}")
    print_lines(f"Test plan {found.name} was removed; {count(found.runs, 'run')} kept.")


def show_plan(answer: Any, *, as_answer: bool) -> None:
    """Print a plan and the next command."""
    if as_answer:
        as_json(answer)
        return
    plan = read(TestPlanOut, answer)
    show(*plan_parts(plan))
    if following := next_step(plan):
        print_lines("", following)
