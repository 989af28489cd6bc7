"""`plan`, `diff`: the differences that a change would make, checked before approval."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.text import Text

from backstay_cli import completion
from backstay_cli.errors import WRONG, OperatorError, Usage
from backstay_cli.models import ArpShapeOut, ChangeDetail, PlanOut, ShapeOut
from backstay_cli.output import Lines, as_json, print_lines, show
from backstay_cli.plan_view import arp_differences, file_lines, next_step, plan_parts, semantic_lines
from backstay_cli.reading import read
from backstay_cli.session import AsJson, Reason, Session, Ticket, number_of, session
from backstay_cli.text import names, shown

Number = Annotated[
    str, typer.Argument(metavar="N", help="Number of the change.", autocompletion=completion.changes)
]
VERBS = ("show", "again")


def plan(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    policies: Annotated[
        list[str],
        typer.Argument(
            metavar="POLICY... | show N | again N",
            help="Policies to deploy, by name or number; or a change to show or plan again.",
            autocompletion=completion.policies,
        ),
    ],
    node: Annotated[
        list[str] | None,
        typer.Option(help="Deploy to this node only; repeatable.", autocompletion=completion.nodes),
    ] = None,
    wave_size: Annotated[
        int | None,
        typer.Option(
            min=1, max=10_000, help="Maximum nodes per wave; default: one node, then a tenth, then the rest."
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="Title of the change.")] = "",
    reason: Reason = "",
    ticket: Ticket = "",
    json: AsJson = False,
) -> None:
    """Plan a change that deploys failover policies.

    No node is changed. `plan show N` shows the plan of change N; `plan again N` plans it again from current
    data. Exit code 1: a failed check blocks the plan.
    """
    run = session(context)
    if policies[0] in VERBS and len(policies) == 2:
        path = f"/changes/{number_of(policies[1])}"
        answer = run.api.get(path) if policies[0] == "show" else run.api.post(f"{path}/plan")
    else:
        wanted = [policy.id for policy in run.policies(policies)]
        body = {"policies": wanted, "nodes": node or [], "wave_size": wave_size}
        answer = propose(run, "policies", body, title=title, reason=reason, ticket=ticket)
    show_plan(run, answer, as_answer=json)


def propose(run: Session, kind: str, what: dict[str, object], **texts: str) -> Any:
    """Create a change; it is planned at once."""
    return run.api.post("/changes", {"site": run.one_site(), "kind": kind, **what, **texts})


def show_plan(run: Session, answer: Any, *, as_answer: bool) -> None:
    """Print a change's whole plan; exit code 1 when a check blocks it."""
    answer = run.whole_change(answer)
    change = read(ChangeDetail, answer)
    if as_answer:
        as_json(answer)
    else:
        show(*plan_parts(change))
        if following := next_step(change):
            print_lines("", following)
    if change.plan is not None and change.plan.blocked:
        raise typer.Exit(WRONG)


def planned(change: ChangeDetail) -> PlanOut:
    """A change's plan, which it must have."""
    if change.plan is None:
        raise OperatorError(f"Change {shown(change.name)} has no plan yet: backstay plan again {change.id}.")
    return change.plan


def diff(
    context: typer.Context,
    number: Number,
    semantic: Annotated[
        bool, typer.Option("--semantic", help="Print prefixes and gateways instead of file lines.")
    ] = False,
    node: Annotated[str | None, typer.Option(help="Only this node.", autocompletion=completion.nodes)] = None,
    json: AsJson = False,
) -> None:
    """Show what a change would alter on its nodes.

    Prints unified diffs of the boot files; --semantic prints the routes of each prefix instead.
    """
    run = session(context)
    answer = run.whole_change(run.api.get(f"/changes/{number_of(number)}"))
    plan = planned(read(ChangeDetail, answer))
    shapes: list[ShapeOut | ArpShapeOut] = [*plan.shapes, *(plan.arp.shapes if plan.arp else ())]
    fitting = [item for item in shapes if node is None or node in item.nodes]
    if node is not None and not fitting:
        raise Usage(f"The plan alters nothing on {shown(node)}: see backstay plan show {number_of(number)}.")
    if json:
        document = answer["plan"]
        every = [*document["shapes"], *((document.get("arp") or {}).get("shapes", ()))]
        as_json([item for item in every if node is None or node in item["nodes"]])
        return
    for shape in fitting:
        _show_difference(shape, semantic=semantic)
    if not fitting:
        print_lines("No differences.")


def _show_difference(shape: ShapeOut | ArpShapeOut, *, semantic: bool) -> None:
    engine = f" ({shape.engine})" if isinstance(shape, ShapeOut) else ""
    who = Text(shown(f"# {names(shape.nodes, 16)}{engine}"), style="dim")
    if not semantic:
        show(Lines([who, *file_lines(shape)]))
    elif isinstance(shape, ShapeOut):
        show(Lines(semantic_lines(shape)))
    else:
        show(who)
        show(arp_differences(shape))
