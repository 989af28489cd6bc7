"""`tests run`, `runs`, `show`, `cancel`, `compare`, `export`: results of plans and their causes."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import typer

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.commands.throughput.plans import Name
from backstay_cli.errors import OK, WRONG, Usage
from backstay_cli.follower import Left
from backstay_cli.models import (
    ComparisonOut,
    TestCellDetail,
    TestGridOut,
    TestRunDetail,
    TestRunOut,
)
from backstay_cli.output import as_json, console, print_lines, print_note, show, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Session, session
from backstay_cli.text import clock, count, shown
from backstay_cli.throughput.labels import exit_code
from backstay_cli.throughput.run_follower import follow
from backstay_cli.throughput.run_view import (
    brief,
    cell_parts,
    comparison_parts,
    headline,
    next_step,
    run_parts,
)

RUN = "Number of a run, name of a plan for its latest run, or a paper's table, e.g. cern96.fig4."
Which = Annotated[str, typer.Argument(metavar="RUN", help=RUN, autocompletion=completion.test_runs)]
Before = Annotated[
    str, typer.Argument(metavar="BEFORE", help=f"The earlier run. {RUN}", autocompletion=completion.test_runs)
]
After = Annotated[
    str,
    typer.Argument(
        metavar="AFTER", help="The later run, named in the same way.", autocompletion=completion.test_runs
    ),
]
Wait = Annotated[bool, typer.Option("--wait", help="Follow the run to its end.")]
State = Literal["current", "queued", "waiting", "running", "done", "cancelled", "failed"]


def run(context: typer.Context, name: Name, wait: Wait = False, json: AsJson = False) -> None:
    """Run a plan as soon as its nodes and links are free.

    With --wait, the exit codes are: 0 all cells were measured; 1 some cells were not measured, the run is
    slower than usual, or it was cancelled; 3 refused; 5 no cell could be measured.
    """
    asked = session(context)
    answer = asked.api.post(f"/test-plans/{asked.test_plan(name).id}/run")
    run = read(TestRunOut, answer)
    if wait:
        _finish(asked, run.id, wait=True, as_answer=json)
        return
    if json:
        as_json(answer)
        return
    show(headline(run))
    print_lines(next_step(run))


def runs(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Option("--plan", help="Only runs of this plan.", autocompletion=completion.test_plans),
    ] = None,
    state: Annotated[State | None, typer.Option(help="Only runs in this state; current: not ended.")] = None,
    papers: Annotated[bool, typer.Option("--papers", help="List the papers' tables instead.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=500, help="Maximum number of runs.")] = 50,
    json: AsJson = False,
) -> None:
    """List runs of throughput tests, newest first."""
    if papers and (name is not None or state is not None):
        raise Usage("The papers' tables have no plan or state: use --papers alone.")
    asked = session(context)
    wanted: dict[str, object] = {"plan": None if name is None else asked.test_plan(name).id, "state": state}
    if papers:
        wanted = {"source": "paper"}
    answer = asked.api.newest("/test-runs", limit, site=asked.site, **wanted)
    known = read_all(TestRunOut, answer)
    if json:
        as_json(answer)
        return
    if known:
        rows = [(item.id, item.plan, clock(item.asked_at), brief(item)) for item in known]
        show(table(("run", "plan", "requested", "result"), rows))
    older = "; there are older runs: raise -n" if answer.get("next") and not papers else ""
    print_lines(f"{count(len(known), 'run')}{older}")
    remind(asked)


def show_run(
    context: typer.Context,
    which: Which,
    wait: Wait = False,
    cell: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Show cell N, with each node's part in it.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Show one run: results, their causes and remedies.

    The exit codes are those of `tests run --wait`.
    """
    asked = session(context)
    ident = asked.test_run(which)
    if cell is None:
        _finish(asked, ident, wait=wait, as_answer=json)
        return
    answer = asked.api.get(f"/test-runs/{ident}/cells/{cell}")
    run = read(TestCellDetail, answer)
    if json:
        as_json(answer)
    else:
        show(*cell_parts(ident, run))


def cancel(context: typer.Context, which: Which, json: AsJson = False) -> None:
    """End a run at once; its measurements are kept."""
    asked = session(context)
    answer = asked.api.post(f"/test-runs/{asked.test_run(which)}/cancel")
    if json:
        as_json(answer)
    else:
        show(headline(read(TestRunDetail, answer)))


def compare(context: typer.Context, before: Before, after: After, json: AsJson = False) -> None:
    """Compare two runs cell by cell.

    Exit code 1: AFTER is significantly slower than BEFORE.
    """
    asked = session(context)
    first, second = asked.test_run(before), asked.test_run(after)
    answer = asked.api.get(f"/test-runs/{second}/compare", **{"with": first})
    run = read(ComparisonOut, answer)
    if json:
        as_json(answer)
    else:
        show(*comparison_parts(run))
    if run.outcome == "slower":
        raise typer.Exit(WRONG)


def export(
    context: typer.Context,
    which: Which,
    csv: Annotated[
        bool, typer.Option("--csv", help="Print CSV: one line per cell, with units in the headings.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Write a run to standard output as CSV or JSON."""
    if csv == json:
        raise Usage("Choose a format: --csv or --json.")
    asked = session(context)
    path = f"/test-runs/{asked.test_run(which)}/export"
    if json:
        as_json(asked.api.get(path, format="json"))
        return
    table_text = asked.api.text(path, format="csv")
    seen = sys.stdout.isatty()
    sys.stdout.write(shown(table_text, keep="\r\n\t") if seen else table_text)


def _finish(asked: Session, ident: str, *, wait: bool, as_answer: bool) -> None:
    """Follow to the end if requested, print the state and exit with its code."""
    try:
        if wait:
            follow(asked, ident, as_json=as_answer)
    except (Left, KeyboardInterrupt):
        print_note(f"The run continues. To follow it again: backstay tests show {ident} --wait")
        return
    answer = asked.api.get(f"/test-runs/{ident}")
    run = read(TestRunDetail, answer)
    if as_answer:
        as_json(answer)
    else:
        show(*run_parts(run, _grid(asked, run), console().width))
        if following := next_step(run):
            print_lines("", following)
    if (code := exit_code(run)) != OK:
        raise typer.Exit(code)


def _grid(asked: Session, run: TestRunDetail) -> TestGridOut | None:
    """A mesh's pattern for exactly this run; available only for a plan's latest run."""
    if run.shape != "mesh" or run.verdict is None or run.plan_id is None:
        return None
    found = read(TestGridOut, asked.api.get(f"/test-grids/{run.plan_id}"))
    return found if found.run == run.id else None
