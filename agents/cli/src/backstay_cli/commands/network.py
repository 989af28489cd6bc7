"""`links`, `gateways`: carrier and use of links, and the role of each gateway."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated

import typer

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.models import LinkOut, Load, NodeOut
from backstay_cli.output import as_json, print_lines, show, state_label, table
from backstay_cli.reading import read_all
from backstay_cli.session import AsJson, session
from backstay_cli.states import fact_label
from backstay_cli.text import count, percent, rate


def links(
    context: typer.Context,
    fabric: Annotated[str | None, typer.Option(help="Only links of this fabric.")] = None,
    node: Annotated[
        str | None, typer.Option(help="Only links of this node.", autocompletion=completion.nodes)
    ] = None,
    state: Annotated[
        str | None, typer.Option(help="Only links in this state: ok, warning, critical, unknown or disabled.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Show the carrier, paths, load and capacity of each link."""
    run = session(context)
    answer = run.api.items("/links", site=run.site, fabric=fabric, node=node, state=state)
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
    answer = run.api.items("/nodes", site=run.site, gateway=True)
    if json:
        as_json(answer)
        return
    rows = [
        (
            item.name,
            fact_label("gateway_role", item.gateway.role),
            item.gateway.text,
            fact_label("reachability", item.gateway.reachability),
            fact_label("reporting", item.reporting),
        )
        for item in read_all(NodeOut, answer)
        if item.gateway is not None
    ]
    if rows:
        show(table(("gateway", "role", "paths", "probes", "reports"), rows))
    print_lines(count(len(rows), "gateway"))
    remind(run)
