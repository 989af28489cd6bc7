"""`policies`: intended policies, and the outage time of each by day or month."""

from __future__ import annotations

from typing import Annotated

import typer

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.errors import Usage
from backstay_cli.models import OutageTotalOut, PolicyOut, PolicyOutagesOut
from backstay_cli.output import Extra, as_json, print_lines, show, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Since, Until, session
from backstay_cli.text import count, length, names, shown

BY = ("day", "month")
HEAD = ("id", "name", "prefix", "gateways", "nodes", "deployed", Extra("detection"), Extra("origin"))


def list_policies(context: typer.Context, json: AsJson = False) -> None:
    """List failover policies with their definition and deployment."""
    run = session(context)
    answer = run.api.items("/failover-policies", site=run.site)
    known = read_all(PolicyOut, answer)
    if json:
        as_json(answer)
        return
    rows = [
        (
            str(item.id),
            item.name,
            item.prefix,
            ", then ".join(item.gateways) if len(item.gateways) < 4 else names(item.gateways),
            names(item.nodes, 6),
            item.progress.text,
            item.detection,
            item.origin,
        )
        for item in known
    ]
    if rows:
        show(table(HEAD, rows))
    print_lines(count(len(known), "failover policy").replace("policys", "policies"))
    remind(run)


def outages(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    policy: Annotated[
        str,
        typer.Argument(
            metavar="POLICY", help="Name or number of the policy.", autocompletion=completion.policies
        ),
    ],
    by: Annotated[str, typer.Option(metavar="PERIOD", help="day or month.")] = "day",
    since: Since = None,
    until: Until = None,
    json: AsJson = False,
) -> None:
    """Show the outage time of a policy's paths per day or month, in UTC."""
    if by not in BY:
        raise Usage(f"{shown(by)} is not a period: write --by day or --by month.")
    run = session(context)
    found = run.policy(policy)
    answer = run.api.get(f"/failover-policies/{found.id}/outages", by=by, start=since, end=until)
    if json:
        as_json(answer)
        return
    totals = read(PolicyOutagesOut, answer)
    show(table((f"{by} (UTC)", "outage time", "outages", "worst node", "observed"), map(_row, totals.items)))
    print_lines(f"{shown(found.name)}: {totals.text}, sum over its paths")


def _row(total: OutageTotalOut) -> tuple[str, ...]:
    observed = length(total.observed_s) if total.observed_s else "-"
    return f"{total.start:%Y-%m-%d}", total.text, str(total.outages), total.worst_text or "-", observed
