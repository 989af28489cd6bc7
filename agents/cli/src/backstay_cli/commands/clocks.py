"""`clocks`: offset and error bound of each clock by source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.text import Text

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG
from backstay_cli.models import ClockOut
from backstay_cli.output import as_json, print_lines, show, state_label, table
from backstay_cli.reading import read_all
from backstay_cli.session import AsJson, View, session
from backstay_cli.text import clock, length


def clocks(
    context: typer.Context,
    node: Annotated[
        str | None, typer.Option(help="Only this node's clock.", autocompletion=completion.nodes)
    ] = None,
    wrong: Annotated[
        bool, typer.Option("--wrong", help="Only clocks whose offset exceeds its error bound.")
    ] = False,
    view: View = None,
    json: AsJson = False,
) -> None:
    """Show clock offsets, largest first.

    Exit code 1: a clock has an open incident.
    """
    run = session(context)
    answer = run.listing("/clocks", view=view, node=node)
    known = [item for item in read_all(ClockOut, answer) if not wrong or item.text != "in sync"]
    if json:
        as_json(answer)
    elif known:
        head = ("node", "state", "clock offset", "+/- error", "drift", "last set", "source", "age")
        show(table(head, [_row(item) for item in known]))
        for title in dict.fromkeys(item.incident.title for item in known if item.incident):
            print_lines(title)
    else:
        print_lines("All clocks are in sync." if wrong else "No clock has been reported yet.")
    if not json:
        remind(run)
    if any(item.incident for item in known):
        raise typer.Exit(WRONG)


def _row(reading: ClockOut) -> Sequence[str | Text]:
    drift = (
        "-"
        if reading.drift_ppm is None
        else f"{reading.drift_ppm:+.0f} ± {reading.drift_error_ppm or 0:.0f} ppm"
    )
    step = "-" if reading.step is None else f"{clock(reading.step.at)}: {reading.step.text}"
    source = f"{reading.source} (against NTP)" if reading.against == "ntp" else reading.source
    off = reading.text if reading.text != "in sync" else f"{reading.offset_s:+.3f} s"
    return (
        reading.node,
        state_label(reading.state),
        off,
        length(reading.error_s),
        drift,
        step,
        source,
        length(reading.age_s),
    )
