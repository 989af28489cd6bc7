"""`saved-state`: running port settings against those of the next boot, and manual steps."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG
from backstay_cli.models import SavedItem, SavedNode
from backstay_cli.output import as_json, print_lines, show, state_label, table
from backstay_cli.reading import read_all
from backstay_cli.session import AsJson, session
from backstay_cli.text import count, names, shown

_VERDICTS = {
    "saved": ("ok", "saved"),
    "differs": ("warning", "would change at a reboot"),
    "unknown": ("unknown", "not in a known file"),
}


def saved_state(
    context: typer.Context,
    node: Annotated[
        str | None,
        typer.Option(help="Only this node, setting by setting.", autocompletion=completion.nodes),
    ] = None,
    json: AsJson = False,
) -> None:
    """Show settings that are running but not saved.

    Exit code 1: a reboot would change a setting.
    """
    run = session(context)
    answer = run.listing("/saved-state", node=node)
    known = read_all(SavedNode, answer)
    if json:
        as_json(answer)
    elif node is None:
        _nodes(known)
        remind(run)
    else:
        for item in known:
            _whole(item)
        if not known:
            print_lines(f"{node} reports no settings: it has no agent with ports of its own.")
    if any(_differs(item) for item in known):
        raise typer.Exit(WRONG)


def _differs(node: SavedNode) -> bool:
    """Whether a boot is known to change a setting; an unknown setting is no difference."""
    return any(item.verdict == "differs" for item in node.items)


def _nodes(known: list[SavedNode]) -> None:
    if not known:
        print_lines("No node is monitored yet.")
        return
    show(
        table(
            ("node", "state", "description"),
            [(item.node, state_label(item.state), item.text) for item in known],
        )
    )
    differing = [item.node for item in known if _differs(item)]
    print_lines(f"{count(len(differing), 'node')} would change at a reboot" + _listed(differing))
    by_hand = [item.node for item in known if item.reminders]
    if by_hand:
        print_lines(f"To be saved manually: {names(by_hand)}; see backstay saved-state --node NODE")


def _listed(nodes: list[str]) -> str:
    return f": {names(nodes)}" if nodes else ""


def _whole(saved_node: SavedNode) -> None:
    print_lines(
        Text.assemble(
            Text(shown(saved_node.node), style="bold"), " ", state_label(saved_node.state, saved_node.text)
        )
    )
    if saved_node.files:
        print_lines(f"Read at boot: {', '.join(saved_node.files)}")
    for line in (*saved_node.reported, *saved_node.reminders):
        print_lines(line)
    if saved_node.items:
        heads = ("port", "setting", "running", "after a reboot", "verdict")
        show(table(heads, [_row(item) for item in saved_node.items]))


def _row(item: SavedItem) -> tuple[str | Text, ...]:
    state, label = _VERDICTS.get(item.verdict, ("unknown", item.verdict))
    return item.port, item.what, item.running, item.saved or "-", state_label(state, label)
