"""`hold`, `holds`: leave a node's managed routes to an operator for a limited time."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from backstay_cli import completion, polling
from backstay_cli.commands.status import remind
from backstay_cli.errors import Undone, Usage
from backstay_cli.models import HoldOut
from backstay_cli.output import as_json, print_lines, print_note, show, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Reason, Session, session
from backstay_cli.text import clock, count, seconds_of, shown

HEAD = ("node", "state", "until", "by", "reason", "set on", "detail")
_OVER = frozenset({"ended", "failed"})


def holds(
    context: typer.Context,
    node: Annotated[
        str | None, typer.Option(help="Only holds of this node.", autocompletion=completion.nodes)
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Include holds that have ended.")] = False,
    json: AsJson = False,
) -> None:
    """List held nodes: until when, by whom and why."""
    run = session(context)
    answer = run.listing("/holds", node=node, state=None if every else "open")
    known = read_all(HoldOut, answer)
    if json:
        as_json(answer)
        return
    if known:
        show(table(HEAD, [_row(item) for item in known]))
    print_lines(count(len(known), "hold"))
    remind(run)


def _row(hold: HoldOut) -> tuple[str, ...]:
    place = "the node" if hold.origin == "node" else "Backstay"
    return (hold.node, hold.state, clock(hold.until), hold.by, hold.reason, place, hold.detail)


def hold(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    node: Annotated[
        str, typer.Argument(metavar="NODE", help="Name of the node.", autocompletion=completion.nodes)
    ],
    for_time: Annotated[
        str | None, typer.Argument(metavar="[TIME]", help="Duration, e.g. 30m or 1h30m; at most 24h.")
    ] = None,
    end: Annotated[bool, typer.Option("--end", help="End the hold now.")] = False,
    reason: Reason = "",
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait until the node has confirmed the hold or its end.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Hold a node: its checker does not change its routes.

    A held node does not fail over, and changes to it are blocked. When the hold ends, the node restores the
    managed routes and reports what it found. Without Backstay, run `backstay-agent hold` on the node.
    """
    if end == (for_time is not None):
        raise Usage("Use either TIME or --end, not both.")
    run = session(context)
    seconds = None if for_time is None else seconds_of(for_time)
    ident = run.node(node)
    if seconds is None:
        answer = run.api.delete(f"/nodes/{ident}/hold")
    else:
        answer = run.api.post(f"/nodes/{ident}/hold", {"seconds": seconds, "reason": reason})
    if wait:
        answer = _settled(run, read(HoldOut, answer), end=end)
    _print(answer, as_answer=json)


def _settled(run: Session, asked: HoldOut, *, end: bool) -> Any:
    """The hold's last answer once its node has confirmed it, or its end."""

    def look() -> Any:
        rows = run.api.items("/holds", site=run.site, node=asked.node)["items"]
        found = next((row for row in rows if row["id"] == asked.id), None)
        if found is None:
            raise Undone(f"The hold of {shown(asked.node)} no longer exists.")
        return found

    def settled(answer: Any) -> bool:
        return read(HoldOut, answer).state in (_OVER if end else _OVER | {"held"})

    return polling.until(look, settled, show=lambda _: None, silent=lambda error: print_note(str(error)))


def _print(answer: Any, *, as_answer: bool) -> None:
    hold = read(HoldOut, answer)
    if as_answer:
        as_json(answer)
    else:
        print_lines(f"{hold.node}: {hold.text}")
    if hold.state == "failed":
        raise Undone(f"The hold failed: {shown(hold.detail)}.")
