"""`devices list|show|history|metrics`: nodes, and the history of what they report."""

from __future__ import annotations

from typing import Annotated

import typer

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.resources import ListSpec, list_all, print_history, print_object
from backstay_cli.session import AsJson, AsOf, Search, Since, State, Until, View, session

NODES = ListSpec(
    "/nodes",
    "device",
    ("name", "role", "state", "reporting", "age_s", "agent", "engine"),
    ("management_address", "uptime_s", "title", "id"),
)
PAST_NODES = ListSpec(
    "/nodes",
    "device",
    ("name", "role", "state", "state_text", "uptime_s", "engine"),
    ("management_address", "title", "id"),
)
"""With what history keeps."""
METRICS = ListSpec("/metrics", "metric", ("name", "title", "unit", "kind"), ("source", "sentence"))
Name = Annotated[
    str, typer.Argument(metavar="NAME", help="Name of the device.", autocompletion=completion.nodes)
]


def list_nodes(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    kind: Annotated[str | None, typer.Option(help="Only this kind, e.g. host, switch or gateway.")] = None,
    state: State = None,
    search: Search = None,
    at: AsOf = None,
    view: View = None,
    json: AsJson = False,
) -> None:
    """List the devices of a site with state, reporting and agent.

    With --as-of, a device of which no measurement is kept is unknown; its agent is not kept.
    """
    run = session(context)
    spec = NODES if at is None else PAST_NODES
    list_all(run, spec, json=json, view=view, kind=kind, state=state, q=search, at=at)
    if not json:
        remind(run)


def show_node(context: typer.Context, name: Name, json: AsJson = False) -> None:
    """Show one device: state, role, management, clock, labels."""
    run = session(context)
    print_object(run.api.get(f"/nodes/{run.node(name)}"), json=json)


def metric_history(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    name: Name,
    metric: Annotated[str, typer.Argument(metavar="METRIC", help="Name of a metric: backstay metrics NAME.")],
    subject: Annotated[
        str, typer.Option("--part", help="Part of the device, as backstay metrics shows it.")
    ] = "",
    since: Since = None,
    until: Until = None,
    points: Annotated[int | None, typer.Option(min=1, max=2000, help="Maximum number of intervals.")] = None,
    json: AsJson = False,
) -> None:
    """Show the history of a device metric."""
    run = session(context)
    wanted = {"metric": metric, "subject": subject or None, "start": since, "end": until, "points": points}
    answer = run.api.get(f"/nodes/{run.node(name)}/metrics/history", **wanted)
    print_history(answer, json=json, bits=False)


def list_metrics(
    context: typer.Context,
    family: Annotated[str | None, typer.Option(help="Only metrics of this family, e.g. ib.")] = None,
    search: Search = None,
    json: AsJson = False,
) -> None:
    """List the metrics that devices can report: unit, kind and meaning."""
    list_all(session(context), METRICS, json=json, family=family, q=search)
