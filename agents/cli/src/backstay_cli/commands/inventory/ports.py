"""`ports list|show`, `links show|history`: ports and links with their rates, and the history of a link."""

from __future__ import annotations

from typing import Annotated

import typer

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.resources import ListSpec, list_all, print_history, print_object
from backstay_cli.session import AsJson, Search, Since, State, Until, session

PORTS = ListSpec(
    "/ports",
    "port",
    ("name", "fabric", "carrier", "state", "in_bps", "out_bps", "utilisation"),
    ("in_errors_ps", "out_errors_ps", "usable_rate", "in_pps", "out_pps", "mtu", "mac", "addresses", "id"),
)
Link = Annotated[
    str, typer.Argument(metavar="LINK", help="Name or number of the link.", autocompletion=completion.links)
]


def list_ports(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    node: Annotated[
        str | None, typer.Option(help="Only ports of this node.", autocompletion=completion.nodes)
    ] = None,
    fabric: Annotated[str | None, typer.Option(help="Only ports of this fabric.")] = None,
    state: State = None,
    search: Search = None,
    sort: Annotated[
        str | None,
        typer.Option(metavar="FIELD", help="Order, e.g. name or utilisation; -utilisation: descending."),
    ] = None,
    json: AsJson = False,
) -> None:
    """List ports with carrier, rates, utilisation and errors."""
    run = session(context)
    list_all(run, PORTS, json=json, node=node, fabric=fabric, state=state, q=search, sort=sort)
    if not json:
        remind(run)


def show_port(
    context: typer.Context,
    port: Annotated[
        str, typer.Argument(metavar="NODE:PORT", help="A port, such as grf1:ga030, or its number.")
    ],
    json: AsJson = False,
) -> None:
    """Show one port: rates, errors, addresses, speed, link."""
    run = session(context)
    print_object(run.api.get(f"/ports/{run.port(port)}"), json=json)


def show_link(context: typer.Context, link: Link, json: AsJson = False) -> None:
    """Show one link: ends, load in each direction, evidence and contradictions."""
    run = session(context)
    print_object(run.api.get(f"/links/{run.link(link)}"), json=json)


def link_history(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    link: Link,
    since: Since = None,
    until: Until = None,
    points: Annotated[int | None, typer.Option(min=1, max=2000, help="Maximum number of intervals.")] = None,
    json: AsJson = False,
) -> None:
    """Show the load of a link in each direction over time."""
    run = session(context)
    answer = run.api.get(f"/links/{run.link(link)}/history", start=since, end=until, points=points)
    print_history(answer, json=json)
