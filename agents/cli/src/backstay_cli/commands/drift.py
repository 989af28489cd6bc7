"""`drift`: nodes whose intended, running and saved state differ, and plans in either direction."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from backstay_cli import completion
from backstay_cli.commands.plans import propose, show_plan
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG, Usage
from backstay_cli.models import DriftOut
from backstay_cli.output import as_json, print_lines, show, state_label, table
from backstay_cli.reading import read_all
from backstay_cli.session import AsJson, Reason, Session, Ticket, session
from backstay_cli.text import count, length, names, shown

Nodes = Annotated[
    list[str] | None,
    typer.Argument(metavar="[NODE]...", help="Nodes to show; default: all.", autocompletion=completion.nodes),
]
Reboot = Annotated[bool, typer.Option("--reboot", help="Only nodes that a reboot would change.")]
Items = Annotated[bool, typer.Option("--items", help="Show each prefix and file that differs.")]


def drift(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    nodes: Nodes = None,
    restore: Annotated[
        bool, typer.Option("--restore", help="Plan a change that restores the intended state.")
    ] = False,
    adopt: Annotated[
        bool, typer.Option("--adopt", help="Plan a change that adopts the running state as intended.")
    ] = False,
    reboot: Reboot = False,
    items: Items = False,
    reason: Reason = "",
    ticket: Ticket = "",
    json: AsJson = False,
) -> None:
    """Show where intended, running and saved state differ.

    Exit code 1: there is drift, or a check blocks the plan.
    """
    if restore and adopt:
        raise Usage("Use either --restore or --adopt, not both.")
    run = session(context)
    wanted = nodes or []
    if restore or adopt:
        chosen = wanted or _drifting(run)
        kind = "restore" if restore else "adopt"
        answer = propose(run, kind, {"nodes": chosen}, reason=reason, ticket=ticket)
        show_plan(run, answer, as_answer=json)
        return
    list_drift(context, nodes, reboot, items, json)


def list_drift(
    context: typer.Context,
    nodes: Nodes = None,
    reboot: Reboot = False,
    items: Items = False,
    json: AsJson = False,
) -> None:
    """Show where intended, running and saved state differ.

    Exit code 1: there is drift.
    """
    run = session(context)
    wanted = nodes or []
    answer = run.api.items("/drift", site=run.site, only="reboot" if reboot else None)
    missing = [name for name in wanted if not any(item.get("node") == name for item in answer["items"])]
    for name in missing:
        run.node(name)
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
        raise Usage("No node is in drift: there is nothing to plan.")
    return [item.node for item in known]


def _print(known: list[DriftOut], *, items: bool) -> None:
    rows = [
        (
            item.node,
            item.engine or "-",
            state_label(item.state, _state_label(item)),
            Text("yes", style="yellow") if item.reboot else "no",
            length(item.age_s),
            item.text,
        )
        for item in known
    ]
    if rows:
        show(table(("node", "engine", "state", "would change on reboot", "since", "what"), rows))
    for entry in known if items else ():
        items_of_node = [(item.what, item.intended, item.running, item.saved) for item in entry.items]
        print_lines("")
        show(table((shown(entry.node), "intended", "running", "saved"), items_of_node))
    drifting = [item.node for item in known if _in_drift(item)]
    print_lines(f"{count(len(drifting), 'node')} in drift" + (f": {names(drifting)}" if drifting else ""))
    if drifting:
        print_lines("Next: backstay drift --restore NODE, or backstay drift --adopt NODE")


def _state_label(drift_out: DriftOut) -> str:
    differs = [
        name
        for name, is_so in (("running", drift_out.running_differs), ("saved", drift_out.saved_differs))
        if is_so
    ]
    if differs:
        return f"{' and '.join(differs)} not as intended"
    return "on its fallback" if drift_out.on_fallback else "as intended"
