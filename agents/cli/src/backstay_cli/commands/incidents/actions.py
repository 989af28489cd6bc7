"""`acknowledge`, `snooze`, `assign`, `comment`: change one incident, or all that match filters."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from backstay_cli import completion
from backstay_cli.errors import Usage
from backstay_cli.models import BulkOut, IncidentDetail, IncidentSummary
from backstay_cli.output import as_json, print_lines
from backstay_cli.reading import read
from backstay_cli.session import AsJson, Session, number_of, session
from backstay_cli.text import clock, count, seconds_of, shown

MATCHING = "matching"
Number = Annotated[
    str, typer.Argument(metavar="N", help="Number of an incident, or `matching`: all open ones that match.")
]
Comment = Annotated[str, typer.Option("--comment", help="Comment, stored with the incident.")]
Kind = Annotated[str | None, typer.Option(help="With `matching`: only this kind of rule, e.g. port_down.")]
Node = Annotated[
    str | None,
    typer.Option(help="With `matching`: only of this node.", autocompletion=completion.nodes),
]
Search = Annotated[str | None, typer.Option(help="With `matching`: only titles that contain this.")]


def acknowledge(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    number: Number,
    comment: Comment = "",
    kind: Kind = None,
    node: Node = None,
    search: Search = None,
    json: AsJson = False,
) -> None:
    """Acknowledge an open incident, or all that match: escalation stops."""
    run = session(context)
    _act(run, number, (kind, node, search), "acknowledge", {"comment": comment}, json=json)


def snooze(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    number: Number,
    for_time: Annotated[
        str | None, typer.Argument(metavar="[TIME]", help="Duration, e.g. 2h or 1d; at most 30d.")
    ] = None,
    end: Annotated[bool, typer.Option("--end", help="End the snooze now.")] = False,
    comment: Comment = "",
    kind: Kind = None,
    node: Node = None,
    search: Search = None,
    json: AsJson = False,
) -> None:
    """Send no notifications of an incident for a time. It stays open; if it gets worse, the snooze ends."""
    if end == (for_time is not None):
        raise Usage("Use either TIME or --end, not both.")
    seconds = None if for_time is None else int(seconds_of(for_time))
    body = {"for_s": seconds, "comment": comment}
    _act(session(context), number, (kind, node, search), "snooze", body, json=json)


def assign(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    number: Number,
    user: Annotated[
        str | None,
        typer.Argument(metavar="[USER]", help="Name of a user.", autocompletion=completion.people),
    ] = None,
    nobody: Annotated[bool, typer.Option("--nobody", help="Remove the owner.")] = False,
    comment: Comment = "",
    kind: Kind = None,
    node: Node = None,
    search: Search = None,
    json: AsJson = False,
) -> None:
    """Give an incident an owner, or all that match."""
    if nobody == (user is not None):
        raise Usage("Use either USER or --nobody, not both.")
    body = {"owner": user, "comment": comment}
    _act(session(context), number, (kind, node, search), "assign", body, json=json)


def comment(
    context: typer.Context,
    number: Annotated[str, typer.Argument(metavar="N", help="Number of an incident.")],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The comment.")],
    json: AsJson = False,
) -> None:
    """Write a comment about an incident."""
    run = session(context)
    _print(run.api.post(f"/incidents/{number_of(number)}/comments", {"text": text}), json=json)


def _act(
    run: Session,
    number: str,
    filters: tuple[str | None, str | None, str | None],
    action: str,
    body: dict[str, Any],
    *,
    json: bool,
) -> None:
    if number == MATCHING:
        _many(run, filters, action, body, json=json)
        return
    if any(filters):
        raise Usage("Filters need `matching` instead of a number.")
    _print(run.api.post(f"/incidents/{number_of(number)}/{action}", body), json=json)


def _many(
    run: Session,
    filters: tuple[str | None, str | None, str | None],
    action: str,
    body: dict[str, Any],
    *,
    json: bool,
) -> None:
    """Exactly the incidents that the summary names: others that appear meanwhile stay as they are."""
    wanted: dict[str, Any] = dict(zip(("kind", "node", "q"), filters, strict=True))
    wanted = {name: value for name, value in wanted.items() if value is not None} | {"phase": "current"}
    site = run.one_site()
    seen = read(IncidentSummary, run.api.get("/incidents/summary", site=site, **wanted))
    if not seen.count and wanted.get("node"):
        run.node(wanted["node"])
    chosen = {"filter": wanted, "count": seen.count, "digest": seen.digest}
    answer = run.api.post("/incidents/bulk", {"site": site, "action": action, **chosen, **body})
    if json:
        as_json(answer)
        return
    done = read(BulkOut, answer)
    print_lines(f"{count(done.changed, 'incident')} changed, {done.unchanged} unchanged.")


def _print(answer: Any, *, json: bool) -> None:
    if json:
        as_json(answer)
        return
    incident = read(IncidentDetail, answer)
    print_lines(f"{incident.id}: {incident.title}: {incident.phase}")
    if incident.owner is not None:
        print_lines(f"Owner: {shown(incident.owner)}")
    if incident.snoozed_until is not None:
        print_lines(f"Snoozed until {clock(incident.snoozed_until)}")
