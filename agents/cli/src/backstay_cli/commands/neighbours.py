"""`neighbours`: table utilisation, the history of an address, and duplicate addresses."""

from __future__ import annotations

from typing import Annotated

import typer

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG, Usage
from backstay_cli.models import DuplicateOut, NeighbourHistory, NeighbourTable
from backstay_cli.output import as_json, print_lines, show, state_label, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Session, session
from backstay_cli.text import clock, count, length, names


def neighbours(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    address: Annotated[
        str | None,
        typer.Argument(
            metavar="[ADDRESS]", help="Show the history of this address; default: show all tables."
        ),
    ] = None,
    node: Annotated[
        str | None, typer.Option(help="Only this node's tables.", autocompletion=completion.nodes)
    ] = None,
    at: Annotated[
        str | None, typer.Option(metavar="TIME", help="Show who had the address at this time, e.g. now-1h.")
    ] = None,
    duplicates: Annotated[bool, typer.Option("--duplicates", help="Only duplicate addresses.")] = False,
    json: AsJson = False,
) -> None:
    """Show neighbour tables (ARP, ND).

    Exit code 1: a table is full or flooded, or an address is duplicate.
    """
    run = session(context)
    if at is not None and address is None:
        raise Usage("Name the address: backstay neighbours 10.1.0.7 --at now-1h")
    if address is not None:
        _who(run, address, at, as_answer=json)
    elif duplicates:
        _duplicates(run, as_answer=json)
    else:
        _tables(run, node, as_answer=json)


def _who(run: Session, address: str, at: str | None, *, as_answer: bool) -> None:
    answer = run.api.get("/neighbours/history", site=run.site, address=address, at=at)
    if as_answer:
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


def _duplicates(run: Session, *, as_answer: bool) -> None:
    answer = run.api.items("/neighbours/duplicates", site=run.site)
    known = read_all(DuplicateOut, answer)
    if as_answer:
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


def _tables(run: Session, node: str | None, *, as_answer: bool) -> None:
    answer = run.api.items("/neighbours/tables", site=run.site, node=node)
    known = read_all(NeighbourTable, answer)
    if as_answer:
        as_json(answer)
    else:
        rows = [
            (
                f"{item.node}:{item.port}",
                state_label(item.state),
                str(item.ipv4),
                str(item.ipv6),
                str(item.incomplete),
                "-" if item.capacity_ipv4 is None else str(item.capacity_ipv4),
                "-" if item.share is None else f"{item.share:.0%}",
                "-" if item.broadcasts_per_s is None else f"{item.broadcasts_per_s:.0f}/s",
                item.talker_owner or item.talker or "-",
            )
            for item in known
        ]
        head = ("port", "state", "ARP", "ND", "incomplete", "capacity", "full", "broadcasts", "most from")
        show(table(head, rows))
        for title in dict.fromkeys(incident.title for item in known for incident in item.incidents):
            print_lines(title)
        remind(run)
    if any(item.incidents for item in known):
        raise typer.Exit(WRONG)
