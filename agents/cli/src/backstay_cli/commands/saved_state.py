"""`saved-state`: what ports run against what the next boot would set, and what a person has to save."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG
from backstay_cli.models import SavedItem, SavedNode
from backstay_cli.output import as_json, say, show, table, word
from backstay_cli.reading import read_all
from backstay_cli.session import AsJson, session
from backstay_cli.text import count, names, shown

_VERDICTS = {
    "saved": ("ok", "saved"),
    "differs": ("warning", "would change at a boot"),
    "unknown": ("unknown", "not in a file that is read"),
}


def saved_state(
    context: typer.Context,
    node: Annotated[
        str | None,
        typer.Option(help="Only this node, setting by setting.", autocompletion=completion.nodes),
    ] = None,
    json: AsJson = False,
) -> None:
    """What is running but not saved. Exit code 1: a boot would change something."""
    run = session(context)
    answer = run.api.items("/saved-state", site=run.site, node=node)
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
            say(f"Nobody watches a node {shown(node)}.")
    if any(_differs(item) for item in known):
        raise typer.Exit(WRONG)


def _differs(node: SavedNode) -> bool:
    """Whether a boot is known to change a setting; an unknown setting is no difference."""
    return any(item.verdict == "differs" for item in node.items)


def _nodes(known: list[SavedNode]) -> None:
    if not known:
        say("No node is watched yet.")
        return
    show(table(("node", "state", "what"), [(item.node, word(item.state), item.text) for item in known]))
    differing = [item.node for item in known if _differs(item)]
    say(f"{count(len(differing), 'node')} would be different after a boot" + _listed(differing))
    by_hand = [item.node for item in known if item.reminders]
    if by_hand:
        say(f"To be saved by a person: {names(by_hand)}; backstay saved-state --node NODE says how")


def _listed(nodes: list[str]) -> str:
    return f": {names(nodes)}" if nodes else ""


def _whole(saved_node: SavedNode) -> None:
    say(
        Text.assemble(
            Text(shown(saved_node.node), style="bold"), " ", word(saved_node.state, saved_node.text)
        )
    )
    if saved_node.files:
        say(f"Read at boot: {', '.join(saved_node.files)}")
    for line in (*saved_node.reported, *saved_node.reminders):
        say(line)
    if saved_node.items:
        heads = ("port", "what", "running", "after a boot", "verdict")
        show(table(heads, [_row(item) for item in saved_node.items]))


def _row(item: SavedItem) -> tuple[str | Text, ...]:
    state, said = _VERDICTS.get(item.verdict, ("unknown", item.verdict))
    return item.port, item.what, item.running, item.saved or "-", word(state, said)
