"""`devices`: what Backstay asks a device, what becomes of it, and recordings of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from backstay_cli import completion, polling
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG, Undone, Usage
from backstay_cli.models import CollectorOut, RecordingOut, TableReadingOut
from backstay_cli.output import Cell, as_json, print_lines, print_note, show, state_label, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Session, number_of, session
from backstay_cli.text import byte_size, clock, count, length, milliseconds, shown

_HEAD = ("collector", "result", "last answer", "duration", "agent", "age", "detail")
_TABLE_HEAD = (
    *("collector", "SNMP table", "columns", "rows", "results", "duration"),
    *("not understood", "error"),
)
_RECORDING_HEAD = ("recording", "state", "asked", "objects", "size", "by", "detail")
_PROBLEMS = frozenset({"critical", "warning", "unknown"})


Output = Annotated[
    Path | None, typer.Option("--output", help="Wait for the file and store it here.", dir_okay=False)
]
Name = Annotated[
    str, typer.Argument(metavar="NAME", help="Name of the device.", autocompletion=completion.nodes)
]


def inspect(
    context: typer.Context,
    name: Name,
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
                print_lines(_report(item, name))
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


def _report(item: CollectorOut, name: str) -> str:
    """How to record a device that is read wrongly."""
    host = item.agent or "the host of its agent"
    return (
        f"Read wrongly? Record it, anonymised, with backstay devices record {quote(name)},"
        f" or on {host}: {item.record_command}"
    )


def _summary(known: Sequence[CollectorOut]) -> str:
    if not known:
        return "No collector of this device has reported yet: check its agent with backstay-agent status."
    states = Counter(item.state for item in known)
    failing, lost = states["critical"] + states["warning"], states["unknown"]
    parts = [count(len(known), "collector")]
    parts += [f"{failing} failing"] if failing else []
    parts += [f"{lost} no longer reported"] if lost else []
    return ", ".join(parts)


def record(context: typer.Context, name: Name, output: Output = None, json: AsJson = False) -> None:
    """Record what an SNMP device returns, without names and addresses.

    Its agent reads the device once and replaces names and addresses before it sends the file. Attach it to a
    report; `backstay-agent read FILE` shows how it is read. Exit code 5: it was not recorded.
    """
    run = session(context)
    answer = run.api.post(f"/nodes/{run.node(name)}/recordings", {})
    _finish(run, answer, output, as_answer=json)


def recordings(
    context: typer.Context,
    name: Name,
    number: Annotated[str | None, typer.Argument(metavar="[N]", help="One recording by its number.")] = None,
    output: Output = None,
    json: AsJson = False,
) -> None:
    """List the recordings of a device, newest first, or show or download one."""
    run = session(context)
    if number is not None:
        _finish(run, run.api.get(f"/recordings/{number_of(number)}"), output, as_answer=json)
        return
    if output is not None:
        raise Usage("Name the recording by its number: backstay devices recordings NAME N.")
    answer = run.api.items(f"/nodes/{run.node(name)}/recordings")
    known = read_all(RecordingOut, answer)
    if json:
        as_json(answer)
        return
    if known:
        show(table(_RECORDING_HEAD, [_recording_row(item) for item in known]))
    print_lines(count(len(known), "recording"))
    remind(run)


def _recording_row(item: RecordingOut) -> tuple[str, ...]:
    numbers = (str(item.objects), byte_size(item.bytes))
    return (str(item.id), item.state, clock(item.asked_at), *numbers, item.by, item.text)


def _finish(run: Session, answer: Any, output: Path | None, *, as_answer: bool) -> None:
    """Wait and store the file if requested, print the state, and fail if the recording did."""
    if output is not None:
        answer = _ended(run, read(RecordingOut, answer).id)
    known = read(RecordingOut, answer)
    if output is not None and known.download is not None:
        run.api.download(f"/recordings/{known.id}/download", output, known.bytes)
        print_note(f"Wrote {shown(str(output))}: {count(known.objects, 'object')}.")
    if as_answer:
        as_json(answer)
    else:
        print_lines(f"Recording {known.id} of {known.device}: {known.state}. {known.text}")
        if output is None and known.state != "failed":
            command = f"backstay devices recordings {quote(known.device)} {known.id}"
            print_lines(f"To store its file: {command} --output {known.filename}")
    if known.state == "failed":
        raise Undone(f"{shown(known.device)} was not recorded: {shown(known.text)}")


def _ended(run: Session, ident: int) -> Any:
    return polling.until(
        lambda: run.api.get(f"/recordings/{ident}"),
        lambda answer: read(RecordingOut, answer).state != "asked",
        show=lambda _: None,
        silent=lambda error: print_note(str(error)),
    )
