"""`links`, `gateways`, `route`: links and their use, the role of each gateway, the path between two nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated

import typer

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG
from backstay_cli.models import LinkOut, Load, NodeOut, NodeRouteOut, RouteEnd, RouteHopOut, RoutesBetween
from backstay_cli.output import as_json, heading, print_lines, show, state_label, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, AsOf, View, session
from backstay_cli.states import fact_label
from backstay_cli.text import count, percent, rate

ROUTE_HEAD = ("from", "to", "fabric", "usable rate", "MTU", "ARP", "chosen by")
ROUTE_BASIS = {"network": "shared network", "topology": "fewest links"}


def links(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    fabric: Annotated[str | None, typer.Option(help="Only links of this fabric.")] = None,
    node: Annotated[
        str | None, typer.Option(help="Only links of this node.", autocompletion=completion.nodes)
    ] = None,
    state: Annotated[
        str | None, typer.Option(help="Only links in this state: ok, warning, critical, unknown or disabled.")
    ] = None,
    at: AsOf = None,
    view: View = None,
    json: AsJson = False,
) -> None:
    """Show the carrier, paths, load and capacity of each link.

    With --as-of, loads are means of five minutes, and what history does not keep is unknown.
    """
    run = session(context)
    answer = run.listing("/links", view=view, fabric=fabric, node=node, state=state, at=at)
    known = read_all(LinkOut, answer)
    if json:
        as_json(answer)
        return
    head = ("link", "fabric", "carrier", "state", "paths", "out", "back", "capacity")
    if known:
        show(
            table(
                head,
                [
                    (
                        item.name,
                        item.fabric,
                        fact_label("carrier", item.carrier),
                        state_label(item.state, item.state_text),
                        fact_label("link_use", item.carries),
                        _load(item.forward),
                        _load(item.back),
                        rate(item.usable_rate),
                    )
                    for item in known
                ],
            )
        )
    print_lines(f"{count(len(known), 'link')}{_numbers(item.carrier for item in known)}")
    remind(run)


def _load(load: Load | None) -> str:
    return "-" if load is None or not load.fresh else f"{rate(load.bps)} ({percent(load.utilisation)})"


def _numbers(carriers: Iterable[str]) -> str:
    """`, 2 down, 1 unknown`; empty if all are up."""
    found = Counter(carriers)
    labels = {"down": "down", "admin_down": "administratively down", "unknown": "unknown"}
    return "".join(f", {found[name]} {label}" for name, label in labels.items() if found[name])


def gateways(context: typer.Context, json: AsJson = False) -> None:
    """Show the role and reachability of each gateway."""
    run = session(context)
    answer = run.listing("/nodes", gateway=True)
    if json:
        as_json(answer)
        return
    rows = [
        (
            item.name,
            fact_label("gateway_role", item.gateway.role),
            item.gateway.text,
            fact_label("reachability", item.gateway.reachability),
            "unknown" if item.reporting is None else fact_label("reporting", item.reporting),
        )
        for item in read_all(NodeOut, answer)
        if item.gateway is not None
    ]
    if rows:
        show(table(("gateway", "role", "paths", "probes", "reports"), rows))
    print_lines(count(len(rows), "gateway"))
    remind(run)


def route(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    source: Annotated[
        str,
        typer.Argument(metavar="FROM", help="Node that sends.", autocompletion=completion.nodes),
    ],
    destination: Annotated[
        str,
        typer.Argument(metavar="TO", help="Node that receives.", autocompletion=completion.nodes),
    ],
    failed: Annotated[
        list[str] | None,
        typer.Option(
            "--failed",
            metavar="OBJECT",
            help="Also under this failure: node:NAME, link:NODE:PORT or fabric:NAME. Repeatable.",
        ),
    ] = None,
    each_failure: Annotated[
        bool, typer.Option("--each-failure", help="Also under each single failure on the path.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Show the path from one node to another, hop by hop; exit code 1 if packets do not arrive."""
    run = session(context)
    answer = run.api.get(
        "/routes/between",
        site=run.site,
        source=source,
        destination=destination,
        failed=failed or [],
        each_failure=each_failure or None,
    )
    found = read(RoutesBetween, answer)
    if json:
        as_json(answer)
    else:
        for item in found.routes:
            _print_route(item)
    # What a single failure interrupts is the answer, not an error.
    wanted = found.routes[: len(failed or []) + 1]
    if any(item.outcome != "delivered" for item in wanted):
        raise typer.Exit(WRONG)


def _print_route(item: NodeRouteOut) -> None:
    print_lines(heading("No failure" if item.failed is None else f"{item.failed} failed"))
    if item.hops:
        show(table(ROUTE_HEAD, [_route_row(hop) for hop in item.hops]))
    print_lines(_summary(item))


def _route_row(hop: RouteHopOut) -> tuple[str, ...]:
    return (
        _end(hop.start),
        _end(hop.end),
        hop.fabric,
        _rate(hop.usable_rate),
        _mtu(hop.mtu),
        hop.arp,
        ROUTE_BASIS.get(hop.basis, f"{hop.policy}, {hop.basis}" if hop.policy else hop.basis),
    )


def _end(end: RouteEnd) -> str:
    return f"{end.name}:{end.port}" if end.port else end.name


def _rate(bps: int | None) -> str:
    return "unknown" if bps is None else rate(bps)


def _mtu(size: int | None) -> str:
    return "unknown" if size is None else f"{size} bytes"


def _summary(item: NodeRouteOut) -> str:
    """`Narrowest: 538 Mb/s at grf1:ga030-origin1:at0, MTU 9180 bytes`, or why packets do not arrive."""
    if item.outcome != "delivered":
        return item.reason
    narrowest = item.narrowest
    where = "" if narrowest is None else f" at {narrowest.link_name}"
    least = (
        ""
        if narrowest is None or item.usable_rate is not None
        else f"; known: {_rate(narrowest.usable_rate)}"
    )
    moved = ", on other links" if item.is_moved else ""
    return f"Narrowest: {_rate(item.usable_rate)}{least}{where}, MTU {_mtu(item.mtu)}{moved}"
