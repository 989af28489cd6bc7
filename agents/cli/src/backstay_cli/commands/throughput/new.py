"""`tests new`: a throughput test plan from options or a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from backstay_cli import completion
from backstay_cli.commands.throughput.plans import show_plan
from backstay_cli.errors import Usage
from backstay_cli.session import AsJson, Session, session
from backstay_cli.text import seconds_of, shown
from backstay_cli.throughput.draft import ends_of, matrix_of, octets_of, of_file, shape_of
from backstay_cli.throughput.kinds import KINDS, SHAPES, with_parameters


def _choice(help_text: str, names: list[str]) -> Any:
    def check(value: str | None) -> str | None:
        if value is not None and value not in names:
            raise typer.BadParameter(f"{shown(value)} is not one of {', '.join(names)}.")
        return value

    return typer.Option(metavar=f"[{'|'.join(names)}]", help=help_text, callback=check)


@with_parameters
def new(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Name of the plan: letters, digits, - and _.")
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Read the plan from this JSON file; - for standard input."),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Change the existing plan with this name.")
    ] = False,
    kind: Annotated[str, _choice("Kind of test.", list(KINDS))] = "tcp",
    senders: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="NODE", help="Sender; repeatable.", autocompletion=completion.nodes),
    ] = None,
    receivers: Annotated[
        list[str] | None,
        typer.Option(
            "--to",
            metavar="NODE",
            help="Receiver; repeatable; not with shapes mesh and n_way.",
            autocompletion=completion.nodes,
        ),
    ] = None,
    shape: Annotated[
        str | None, _choice("Who sends to whom; default: derived from the ends.", list(SHAPES))
    ] = None,
    fabric: Annotated[
        str, typer.Option(help="Fabric to test; default: the first one that all ends share.")
    ] = "",
    repeats: Annotated[
        int, typer.Option(min=1, max=20, help="Number of times that the whole matrix is measured.")
    ] = 1,
    schedule: Annotated[
        str,
        typer.Option(help="Start times in UTC, five fields as in crontab(5): '0 3 * * *'; default: none."),
    ] = "",
    disabled: Annotated[
        bool, typer.Option("--disabled", help="Do not run the plan on its schedule yet.")
    ] = False,
    priority: Annotated[int, typer.Option(min=0, max=9, help="Priority; higher values run first.")] = 5,
    quiet: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=100,
            metavar="PERCENT",
            help="Maximum cross traffic, percent of a link; default: unlimited.",
        ),
    ] = None,
    budget_time: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Maximum test time per day, e.g. 30m; default: unlimited."),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Maximum data per day, bytes, e.g. 10G; default: unlimited."),
    ] = None,
    note: Annotated[str, typer.Option(help="Purpose of the plan.")] = "",
    json: AsJson = False,
    **typed: str | None,
) -> None:
    """Create a throughput test plan.

    Every combination of the parameters' values is one cell. Start the plan with `tests run`, or give it a
    --schedule. --file reads an edited plan as printed by `tests plan NAME --json`; NAME overrides its name.
    """
    run = session(context)
    if file is not None:
        body = _from_file(run, file, name)
    else:
        if name is None:
            raise Usage("Name the plan: backstay tests new NAME --from NODE --to NODE, or --file FILE.")
        ends = ends_of(senders), ends_of(receivers)
        body = {
            "site": run.one_site(), "name": name, "shape": shape_of(shape, *ends), "senders": ends[0],
            "receivers": ends[1], "fabric": fabric, "matrix": matrix_of(kind, typed), "repeats": repeats,
            "schedule": schedule, "enabled": not disabled, "priority": priority, "quiet_percent": quiet,
            "budget_s": None if budget_time is None else round(seconds_of(budget_time)),
            "budget_bytes": None if budget is None else octets_of(budget), "note": note,
        }  # fmt: skip
    show_plan(_keep(run, body, replace=replace), as_answer=json)


def _from_file(run: Session, file: str, name: str | None) -> dict[str, Any]:
    """The file's plan, with the selected site and, if given, the name on the command line."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"{shown(file)} cannot be read ({type(error).__name__}).") from error
    body = of_file(text, "standard input" if file == "-" else file)
    if run.named_site is not None or "site" not in body:
        body["site"] = run.one_site()
    return body | ({} if name is None else {"name": name})


def _keep(run: Session, body: dict[str, Any], *, replace: bool) -> Any:
    if not replace:
        return run.api.post("/test-plans", body)
    return run.api.put(f"/test-plans/{run.test_plan(str(body['name'])).id}", body)
