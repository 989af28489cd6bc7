"""`fabrics list|show|history|health`, `topology`: networks of a site, and how they are joined."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from backstay_cli.errors import WRONG, Usage
from backstay_cli.lookup import FABRIC
from backstay_cli.output import as_json, print_lines
from backstay_cli.resources import ListSpec, list_all, print_history, print_list, print_object
from backstay_cli.session import AsJson, AsOf, Search, Since, Until, session
from backstay_cli.text import count, shown

FABRICS = ListSpec(
    "/fabrics",
    "fabric",
    ("name", "title", "kind", "usable_rate", "mtu", "ports"),
    ("arp", "media_rate", "id"),
)
LINKS = ListSpec(
    "/topology", "link", ("name", "fabric", "carrier", "state", "carries"), ("usable_rate", "id")
)
REPORTS = {"infiniband": "/infiniband/{}/health", "hippi": "/hippi/{}"}
"""Kind of a fabric -> the path of its health report in the API."""
Name = Annotated[str, typer.Argument(metavar="FABRIC", help="Name or number of the fabric.")]


def list_fabrics(context: typer.Context, search: Search = None, json: AsJson = False) -> None:
    """List the fabrics of a site."""
    list_all(session(context), FABRICS, json=json, q=search)


def show_fabric(context: typer.Context, fabric: Name, json: AsJson = False) -> None:
    """Show one fabric: ports, links, rates, errors, contradictions."""
    run = session(context)
    print_object(run.api.get(f"/fabrics/{run.one(FABRIC, fabric)}"), json=json)


def fabric_history(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    fabric: Name,
    since: Since = None,
    until: Until = None,
    points: Annotated[int | None, typer.Option(min=1, max=2000, help="Maximum number of intervals.")] = None,
    json: AsJson = False,
) -> None:
    """Show what all devices of a fabric received and sent over time."""
    run = session(context)
    path = f"/fabrics/{run.one(FABRIC, fabric)}/history"
    print_history(run.api.get(path, start=since, end=until, points=points), json=json)


def fabric_health(context: typer.Context, fabric: Name, json: AsJson = False) -> None:
    """Show the health report of an InfiniBand or HIPPI fabric.

    Exit code 1: a cable, a link or a port has a problem.
    """
    run = session(context)
    ident = run.one(FABRIC, fabric)
    report = REPORTS.get(run.api.get(f"/fabrics/{ident}").get("kind"))
    if report is None:
        raise Usage(f"{shown(fabric)} has no health report: only InfiniBand and HIPPI fabrics have one.")
    answer = run.api.get(report.format(ident))
    print_object(answer, json=json, title=str(answer.get("headline", "")))
    if answer.get("state") in {"warning", "critical"}:
        raise typer.Exit(WRONG)


def topology(context: typer.Context, at: AsOf = None, json: AsJson = False) -> None:
    """Show the links between the nodes of a site, as the map has them, now or at a past time."""
    run = session(context)
    answer: Any = (
        run.api.get("/topology", site=run.site)
        if at is None
        else run.api.get("/topology/past", site=run.site, at=at)
    )
    if json:
        as_json(answer)
        return
    print_lines(count(len(answer["nodes"]), "node"))
    print_list(LINKS, {"items": answer["links"]}, json=False)
