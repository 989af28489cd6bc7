"""`ports ...`, `links show|history`: ports and links with their rates, and what they carried over time."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Annotated

import typer

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.models import PortTrendsOut
from backstay_cli.output import as_json, print_lines, show, table
from backstay_cli.reading import read
from backstay_cli.resources import ListSpec, list_all, print_history, print_object
from backstay_cli.session import AsJson, Search, Since, State, Until, View, session
from backstay_cli.text import count, rate

PORTS = ListSpec(
    "/ports",
    "port",
    ("name", "fabric", "carrier", "state", "in_bps", "out_bps", "utilisation"),
    ("in_errors_ps", "out_errors_ps", "usable_rate", "in_pps", "out_pps", "mtu", "mac", "addresses", "id"),
)
Link = Annotated[
    str, typer.Argument(metavar="LINK", help="Name or number of the link.", autocompletion=completion.links)
]


PortName = Annotated[
    str, typer.Argument(metavar="NODE:PORT", help="A port, such as grf1:ga030, or its number.")
]
Points = Annotated[int | None, typer.Option(min=1, max=2000, help="Maximum number of intervals.")]
MOST_TRENDS = 200
"""Ports of one request for trends."""


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
    view: View = None,
    json: AsJson = False,
) -> None:
    """List ports with carrier, rates, utilisation and errors."""
    run = session(context)
    list_all(run, PORTS, json=json, view=view, node=node, fabric=fabric, state=state, q=search, sort=sort)
    if not json:
        remind(run)


def show_port(context: typer.Context, port: PortName, json: AsJson = False) -> None:
    """Show one port: rates, errors, addresses, speed, link."""
    run = session(context)
    print_object(run.api.get(f"/ports/{run.port(port)}"), json=json)


def port_history(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    port: PortName,
    since: Since = None,
    until: Until = None,
    points: Points = None,
    json: AsJson = False,
) -> None:
    """Show the load, packets, errors and discards of a port over time."""
    run = session(context)
    answer = run.api.get(f"/ports/{run.port(port)}/history", start=since, end=until, points=points)
    print_history(answer, json=json)


def port_trends(
    context: typer.Context,
    node: Annotated[
        str, typer.Argument(metavar="NODE", help="Name of the node.", autocompletion=completion.nodes)
    ],
    since: Since = None,
    until: Until = None,
    json: AsJson = False,
) -> None:
    """Show the mean and the highest load of each port of a node over a time, the busiest ports first."""
    run = session(context)
    ports = {
        item["id"]: item["name"] for item in run.listing("/ports", node=node, sort="-utilisation")["items"]
    }
    answer = run.api.get(
        "/ports/trends", site=run.site, port_id=list(ports)[:MOST_TRENDS], start=since, end=until
    )
    if json:
        as_json(answer)
        return
    trends = {item.port_id: item for item in read(PortTrendsOut, answer).ports}
    known = [(name, trends[ident]) for ident, name in ports.items() if ident in trends]
    if known:
        head = ("port", "in, mean", "in, highest", "out, mean", "out, highest")
        show(table(head, [[name, *_load(item.in_mean), *_load(item.out_mean)] for name, item in known]))
    rest = len(ports) - len(known)
    print_lines(
        count(len(known), "port") + (f"; {rest} more: ask for each with ports history" if rest else "")
    )


def _load(means: Sequence[float | None]) -> tuple[str, str]:
    known = [value for value in means if value is not None]
    return (rate(fmean(known)), rate(max(known))) if known else ("-", "-")


def show_link(context: typer.Context, link: Link, json: AsJson = False) -> None:
    """Show one link: ends, load in each direction, evidence and contradictions."""
    run = session(context)
    print_object(run.api.get(f"/links/{run.link(link)}"), json=json)


def link_history(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    link: Link,
    since: Since = None,
    until: Until = None,
    points: Points = None,
    json: AsJson = False,
) -> None:
    """Show the load of a link in each direction over time."""
    run = session(context)
    answer = run.api.get(f"/links/{run.link(link)}/history", start=since, end=until, points=points)
    print_history(answer, json=json)
