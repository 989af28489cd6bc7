"""`clocks`: how far each clock is off, by whose word, to within what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.text import Text

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG
from backstay_cli.models import ClockOut
from backstay_cli.output import as_json, say, show, table, word
from backstay_cli.reading import read_all
from backstay_cli.session import AsJson, session
from backstay_cli.text import clock, length


def clocks(
    context: typer.Context,
    node: Annotated[
        str | None, typer.Option(help="Only this node's clock.", autocompletion=completion.nodes)
    ] = None,
    wrong: Annotated[bool, typer.Option("--wrong", help="Only clocks that are certainly wrong.")] = False,
    json: AsJson = False,
) -> None:
    """Clocks against ours, the furthest off first. Exit code 1: one has an incident."""
    run = session(context)
    answer = run.api.items("/clocks", site=run.site, node=node)
    known = [item for item in read_all(ClockOut, answer) if not wrong or item.text != "right"]
    if json:
        as_json(answer)
    elif known:
        head = ("node", "state", "clock", "to within", "drift", "last set", "told by", "age")
        show(table(head, [_row(item) for item in known]))
        for title in dict.fromkeys(item.incident.title for item in known if item.incident):
            say(title)
    else:
        say("No clock is wrong." if wrong else "Nobody tells of a clock yet.")
    if not json:
        remind(run)
    if any(item.incident for item in known):
        raise typer.Exit(WRONG)


def _row(told: ClockOut) -> Sequence[str | Text]:
    drift = "-" if told.drift_ppm is None else f"{told.drift_ppm:+.0f} ± {told.drift_error_ppm or 0:.0f} ppm"
    step = "-" if told.step is None else f"{clock(told.step.at)}: {told.step.text}"
    source = f"{told.source} (against NTP)" if told.against == "ntp" else told.source
    off = told.text if told.text != "right" else f"{told.offset_s:+.3f} s"
    return told.node, word(told.state), off, length(told.error_s), drift, step, source, length(told.age_s)
