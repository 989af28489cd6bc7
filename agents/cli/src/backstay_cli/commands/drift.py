"""`drift`: nodes whose intended, running and saved routing are not one, and plans in either direction."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from backstay_cli import completion
from backstay_cli.commands.plans import propose, show_plan
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG, Usage
from backstay_cli.models import DriftOut
from backstay_cli.output import as_json, say, show, table, word
from backstay_cli.reading import read_all
from backstay_cli.session import AsJson, Reason, Session, session
from backstay_cli.text import count, length, names, shown


def drift(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    nodes: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NODE]...", help="All, if none.", autocompletion=completion.nodes),
    ] = None,
    restore: Annotated[
        bool, typer.Option("--restore", help="Plan a change: run and save what is intended.")
    ] = False,
    adopt: Annotated[
        bool, typer.Option("--adopt", help="Plan a change: what the nodes run becomes what is intended.")
    ] = False,
    reboot: Annotated[
        bool, typer.Option("--reboot", help="Only nodes that would run something else after a reboot.")
    ] = False,
    items: Annotated[bool, typer.Option("--items", help="Each prefix and file that differs.")] = False,
    reason: Reason = "",
    ticket: Annotated[str, typer.Option(help="Number of a ticket.")] = "",
    json: AsJson = False,
) -> None:
    """Where intended, running and saved differ. Exit code 1: there is drift, or a plan's check blocks it."""
    if restore and adopt:
        raise Usage("Restore what is intended, or adopt what runs: not both.")
    run = session(context)
    wanted = nodes or []
    if restore or adopt:
        chosen = wanted or _drifting(run)
        kind = "restore" if restore else "adopt"
        answer = propose(run, kind, {"nodes": chosen}, reason=reason, ticket=ticket)
        show_plan(answer, as_answer=json)
        return
    answer = run.api.items("/drift", site=run.site, only="reboot" if reboot else None)
    answer["items"] = [item for item in answer["items"] if not wanted or item.get("node") in wanted]
    known = read_all(DriftOut, answer)
    if json:
        as_json(answer)
    else:
        _print(known, items=items)
        remind(run)
    if any(_in_drift(item) or (reboot and item.reboot) for item in known):
        raise typer.Exit(WRONG)


def _in_drift(node: DriftOut) -> bool:
    """Whether it is drift, and not only a checker on its fallback."""
    return node.running_differs or node.saved_differs


def _drifting(run: Session) -> list[str]:
    known = read_all(DriftOut, run.api.items("/drift", site=run.one_site(), only="drift"))
    if not known:
        raise Usage("No node drifts: there is nothing to plan.")
    return [item.node for item in known]


def _print(known: list[DriftOut], *, items: bool) -> None:
    rows = [
        (
            item.node,
            item.engine or "-",
            word(item.state, _standing(item)),
            Text("yes", style="yellow") if item.reboot else "no",
            length(item.age_s),
            item.text,
        )
        for item in known
    ]
    if rows:
        show(table(("node", "engine", "state", "would change on reboot", "since", "what"), rows))
    for entry in known if items else ():
        told = [(item.what, item.intended, item.running, item.saved) for item in entry.items]
        say("")
        show(table((shown(entry.node), "intended", "running", "saved"), told))
    drifting = [item.node for item in known if _in_drift(item)]
    say(f"{count(len(drifting), 'node')} in drift" + (f": {names(drifting)}" if drifting else ""))
    if drifting:
        say("Next: backstay drift --restore NODE, or backstay drift --adopt NODE")


def _standing(drift_out: DriftOut) -> str:
    differs = [
        name
        for name, is_so in (("running", drift_out.running_differs), ("saved", drift_out.saved_differs))
        if is_so
    ]
    if differs:
        return f"{' and '.join(differs)} not as intended"
    return "on its fallback" if drift_out.on_fallback else "as intended"
