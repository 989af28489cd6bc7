"""`neighbours`: table utilisation, the history of an address, and duplicate addresses."""

from __future__ import annotations

from typing import Annotated

import typer

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG, Usage
from backstay_cli.models import DuplicateOut, NeighbourHistory, NeighbourTable
from backstay_cli.output import Extra, as_json, print_lines, show, state_label, table
from backstay_cli.reading import read, read_all
from backstay_cli.resources import ListSpec, list_all
from backstay_cli.session import AsJson, AsOf, Search, session
from backstay_cli.text import clock, count, length, names

Node = Annotated[str | None, typer.Option(help="Only this node's tables.", autocompletion=completion.nodes)]
ENTRIES = ListSpec(
    "/neighbours",
    "neighbour entry",
    ("node", "port", "address", "mac", "owner", "state"),
    ("held_since", "age_s"),
    plural="neighbour entries",
)


def neighbours(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    address: Annotated[
        str | None,
        typer.Argument(
            metavar="[ADDRESS]", help="Show the history of this address; default: show all tables."
        ),
    ] = None,
    node: Node = None,
    at: AsOf = None,
    duplicates: Annotated[bool, typer.Option("--duplicates", help="Only duplicate addresses.")] = False,
    json: AsJson = False,
) -> None:
    """Show neighbour tables (ARP, ND).

    Exit code 1: a table is full or flooded, or an address is duplicate.
    """
    if at is not None and address is None:
        raise Usage("Name the address: backstay neighbours history 10.1.0.7 --as-of now-1h")
    if address is not None:
        address_history(context, address, at, json)
    elif duplicates:
        list_duplicates(context, json)
    else:
        list_tables(context, node, json)


def list_neighbours(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    node: Node = None,
    port: Annotated[str | None, typer.Option(help="Only entries of this port.")] = None,
    address: Annotated[str | None, typer.Option(help="Only this address.")] = None,
    mac: Annotated[str | None, typer.Option(help="Only this hardware address.")] = None,
    state: Annotated[
        str | None, typer.Option(help="Only entries in this state, e.g. reachable or stale.")
    ] = None,
    search: Search = None,
    json: AsJson = False,
) -> None:
    """List the entries of neighbour tables: address, hardware address, owner."""
    filters = {
        "node": node,
        "port": port,
        "address": address,
        "mac": mac,
        "state": state,
        "q": search,
    }
    list_all(session(context), ENTRIES, json=json, view=None, **filters)


def address_history(
    context: typer.Context,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="An IPv4 or IPv6 address.")],
    at: AsOf = None,
    json: AsJson = False,
) -> None:
    """Show which nodes had an address, and when."""
    run = session(context)
    answer = run.api.get("/neighbours/history", site=run.site, address=address, at=at)
    if json:
        as_json(answer)
        return
    known = read(NeighbourHistory, answer)
    rows = [
        (
            item.owner or "-",
            item.mac,
            clock(item.since),
            "now" if item.until is None else clock(item.until),
            f"{item.node}:{item.port}",
        )
        for item in known.items
    ]
    if rows:
        show(table(("node", "hardware address", "from", "until", "reported by"), rows))
    else:
        print_lines(f"No table of the last {count(known.kept_days, 'day')} had {known.address}.")


def list_duplicates(context: typer.Context, json: AsJson = False) -> None:
    """List addresses that several hardware addresses use.

    Exit code 1: there is one.
    """
    run = session(context)
    answer = run.api.items("/neighbours/duplicates", site=run.site)
    known = read_all(DuplicateOut, answer)
    if json:
        as_json(answer)
    else:
        rows = [
            (
                item.address,
                item.fabric or "-",
                mac.owner or "-",
                mac.mac,
                names(mac.nodes),
                length(item.age_s),
            )
            for item in known
            for mac in item.macs
        ]
        if rows:
            show(table(("address", "fabric", "node", "hardware address", "reported by", "since"), rows))
        print_lines("1 duplicate address." if len(known) == 1 else f"{len(known)} duplicate addresses.")
    if known:
        raise typer.Exit(WRONG)


def list_tables(context: typer.Context, node: Node = None, json: AsJson = False) -> None:
    """List neighbour tables: entries, capacity, broadcasts.

    Exit code 1: a table is full or flooded.
    """
    run = session(context)
    answer = run.listing("/neighbours/tables", node=node)
    known = read_all(NeighbourTable, answer)
    if json:
        as_json(answer)
    else:
        rows = [
            (
                f"{item.node}:{item.port}",
                state_label(item.state),
                str(item.ipv4),
                str(item.ipv6),
                "-" if item.capacity_ipv4 is None else str(item.capacity_ipv4),
                "-" if item.share is None else f"{item.share:.0%}",
                str(item.incomplete),
                "-" if item.broadcasts_per_s is None else f"{item.broadcasts_per_s:.0f}/s",
                item.talker_owner or item.talker or "-",
            )
            for item in known
        ]
        names_of = ("incomplete", "broadcasts", "most from")
        head = ("port", "state", "ARP", "ND", "capacity", "full", *map(Extra, names_of))
        show(table(head, rows))
        for title in dict.fromkeys(incident.title for item in known for incident in item.incidents):
            print_lines(title)
        remind(run)
    if any(item.incidents for item in known):
        raise typer.Exit(WRONG)
