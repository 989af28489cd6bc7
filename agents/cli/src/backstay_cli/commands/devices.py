"""`devices inspect`: what Backstay asked a device, and what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import typer

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG
from backstay_cli.models import CollectorOut, TableReadingOut
from backstay_cli.output import Cell, as_json, print_lines, show, state_label, table
from backstay_cli.reading import read_all
from backstay_cli.session import AsJson, session
from backstay_cli.text import clock, count, length, milliseconds

_HEAD = ("collector", "result", "last answer", "duration", "agent", "age", "detail")
_TABLE_HEAD = (
    *("collector", "SNMP table", "columns", "rows", "results", "duration"),
    *("not understood", "error"),
)
_PROBLEMS = frozenset({"critical", "warning", "unknown"})


def inspect(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of the device.", autocompletion=completion.nodes)
    ],
    json: AsJson = False,
) -> None:
    """Show the last run of each collector of a device, and what each SNMP table returned.

    Exit code 1: a collector failed, or is no longer reported.
    """
    run = session(context)
    answer = run.api.items(f"/nodes/{run.node(name)}/collectors")
    known = read_all(CollectorOut, answer)
    if json:
        as_json(answer)
    else:
        if known:
            show(table(_HEAD, [_row(item) for item in known]))
        tables = [_table_row(item, reading) for item in known for reading in item.tables]
        if tables:
            show(table(_TABLE_HEAD, tables))
        print_lines(_summary(known))
        for item in known:
            if item.record_command:
                print_lines(_report(item))
        remind(run)
    if any(item.state in _PROBLEMS for item in known):
        raise typer.Exit(WRONG)


def _row(item: CollectorOut) -> list[Cell]:
    return [
        item.name,
        state_label(item.state, item.state_text),
        clock(item.answered_at),
        milliseconds(item.duration_ms),
        item.agent or "-",
        length(item.age_s),
        item.detail or "-",
    ]


def _table_row(item: CollectorOut, reading: TableReadingOut) -> list[Cell]:
    return [
        item.name,
        reading.table,
        str(reading.columns),
        str(reading.rows),
        "-" if reading.results is None else str(reading.results),
        milliseconds(reading.duration_ms),
        ", ".join(f"{unclear.rows} {unclear.reason}" for unclear in reading.not_understood) or "-",
        _interruption(reading),
    ]


def _interruption(reading: TableReadingOut) -> str:
    """`the walk was not over after 30 s (interrupted 2 times)`; `-` of a read that was whole at once."""
    times = f"interrupted {count(reading.interruptions, 'time')}" if reading.interruptions else ""
    if not reading.error:
        return times or "-"
    return f"{reading.error} ({times})" if times else reading.error


def _report(item: CollectorOut) -> str:
    """How to record a device that is read wrongly."""
    host = item.agent or "the host of its agent"
    return f"Read wrongly? Record it, anonymised, on {host}: {item.record_command}"


def _summary(known: Sequence[CollectorOut]) -> str:
    if not known:
        return "No collector of this device has reported yet: check its agent with backstay-agent status."
    states = Counter(item.state for item in known)
    failing, lost = states["critical"] + states["warning"], states["unknown"]
    parts = [count(len(known), "collector")]
    parts += [f"{failing} failing"] if failing else []
    parts += [f"{lost} no longer reported"] if lost else []
    return ", ".join(parts)
