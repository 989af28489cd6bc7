"""`incidents`: root causes with their effects, or one incident with its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.text import Text

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG
from backstay_cli.models import IncidentDetail, IncidentEvidence, IncidentOut
from backstay_cli.output import as_json, heading, print_lines, show, state_label, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, AsOf, Search, State, View, session
from backstay_cli.text import clock, count, length, shown

Every = Annotated[bool, typer.Option("--all", help="Include effects and resolved incidents.")]
HEAD = ("id", "state", "incident", "effects", "age")


def incidents(
    context: typer.Context,
    number: Annotated[
        int | None, typer.Argument(metavar="[N]", help="Number of an incident: show its evidence.")
    ] = None,
    every: Every = False,
    json: AsJson = False,
) -> None:
    """List open root causes, or show one incident.

    Exit code 1: there is an open root cause.
    """
    if number is None:
        list_incidents(context, every, json=json)
    else:
        show_incident(context, number, json)


def list_incidents(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    every: Every = False,
    kind: Annotated[str | None, typer.Option(help="Only of this rule, e.g. port_down.")] = None,
    node: Annotated[
        str | None, typer.Option(help="Only of this node.", autocompletion=completion.nodes)
    ] = None,
    state: State = None,
    owner: Annotated[
        str | None, typer.Option(help="Only those of this user.", autocompletion=completion.people)
    ] = None,
    search: Search = None,
    at: AsOf = None,
    view: View = None,
    json: AsJson = False,
) -> None:
    """List open root causes, or all incidents that were open at a past time.

    Exit code 1: there is one.
    """
    run = session(context)
    is_all = every or at is not None or view is not None
    filters: dict[str, object] = {} if is_all else {"phase": "current", "root": "true"}
    filters |= {"at": at, "kind": kind, "node": node, "state": state, "owner": owner, "q": search}
    answer = run.listing("/incidents", view=view, **filters)
    known = read_all(IncidentOut, answer)
    if json:
        as_json(answer)
    elif known:
        show(table(HEAD, [_row(item) for item in known]))
    else:
        print_lines(_none(view, is_all=is_all))
    if not json:
        remind(run)
    if any(item.phase != "resolved" for item in known):
        raise typer.Exit(WRONG)


def _none(view: str | None, *, is_all: bool) -> str:
    if view is not None:
        return f"No incidents of the view {shown(view)}."
    return "No incidents." if is_all else "No open incidents."


def _row(item: IncidentOut) -> Sequence[str | Text]:
    return (str(item.id), state_label(item.state), item.title, str(item.effects or "-"), length(item.age_s))


def show_incident(
    context: typer.Context,
    number: Annotated[int, typer.Argument(metavar="N", help="Number of the incident.")],
    json: AsJson = False,
) -> None:
    """Show one incident: evidence for and against it, effects, comments, runbook."""
    run = session(context)
    answer = run.api.get(f"/incidents/{number}")
    if json:
        as_json(answer)
        return
    incident = read(IncidentDetail, answer)
    effects = read_all(IncidentOut, run.api.items("/incidents", site=run.site, cause_id=str(number)))
    print_lines(heading(incident.title))
    print_lines(f"{incident.phase}, {incident.detail}", *_states(incident))
    head = ("evidence", "observation", "age", "reported by")
    show(table(head, [_evidence(item) for item in incident.evidence]))
    if incident.cause_id is not None:
        print_lines(f"Caused by incident {incident.cause_id}: backstay incidents show {incident.cause_id}")
    if effects:
        print_lines("", heading(f"Root cause of {count(len(effects), 'incident')}"))
        show(table(HEAD, [_row(item) for item in effects]))
    print_lines(f"Runbook: {incident.runbook}")


def _states(incident: IncidentDetail) -> list[str]:
    """Sentences about what people did with it, and how often it came back."""
    found = []
    if incident.owner is not None:
        found.append(f"Owner: {incident.owner}")
    if incident.snoozed_until is not None:
        found.append(f"Snoozed until {clock(incident.snoozed_until)} by {incident.snoozed_by}")
    if incident.muted == "maintenance":
        found.append("In a maintenance window: it does not notify")
    if incident.flapping_since is not None:
        found.append(f"Flapping: {incident.occurrences} times since {clock(incident.flapping_since)}")
    if incident.resolves_at is not None:
        found.append(f"Quiet since {clock(incident.quiet_since)}, resolves at {clock(incident.resolves_at)}")
    found += [f"{clock(item.at)} {item.author}: {item.text}" for item in incident.comments]
    return found


def _evidence(item: IncidentEvidence) -> Sequence[str | Text]:
    verdict = item.label if item.supports else f"{item.label} (contradicts)"
    return (verdict, item.text, length(item.age_s), item.by or "-")
