"""`metrics`: what a node reports besides traffic."""

from __future__ import annotations

from typing import Annotated

import typer

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG
from backstay_cli.models import DeviceMetricOut
from backstay_cli.output import Cell, as_json, print_lines, show, state_label, table
from backstay_cli.reading import read_all
from backstay_cli.session import AsJson, session
from backstay_cli.text import count, digits, length


def metrics(
    context: typer.Context,
    node: Annotated[
        str, typer.Argument(metavar="NODE", help="Name of the node.", autocompletion=completion.nodes)
    ],
    search: Annotated[
        str | None, typer.Option(help="Only metrics whose name or part contains this text.")
    ] = None,
    warnings: Annotated[bool, typer.Option("--warnings", help="Only metrics in state warning.")] = False,
    json: AsJson = False,
) -> None:
    """Show the device metrics of a node.

    Exit code 1: a metric is in state warning.
    """
    run = session(context)
    path, state = f"/nodes/{run.node(node)}/metrics", "warning" if warnings else None
    answer = run.api.items(path, q=search, state=state)
    known = read_all(DeviceMetricOut, answer)
    if json:
        as_json(answer)
    else:
        if known:
            head = ("part", "metric", "state", "value", "per second", "collector", "age")
            show(table(head, [_row(item) for item in known]))
        print_lines(count(len(known), "metric"))
        remind(run)
    if any(item.state == "warning" for item in known):
        raise typer.Exit(WRONG)


def _row(item: DeviceMetricOut) -> list[Cell]:
    number = "-" if item.value is None else f"{digits(item.value)} {item.unit}".rstrip()
    return [
        item.subject or "-",
        item.name,
        state_label(item.state),
        number if item.reported_state is None else item.reported_state,
        "-" if item.per_s is None else f"{digits(item.per_s)}/s",
        item.collector,
        length(item.age_s),
    ]
