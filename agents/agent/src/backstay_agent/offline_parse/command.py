"""`backstay-agent read`: parses a saved output, prints the values, returns the exit status.

It needs every parser, so they are imported when it is called, not at the agent's start.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from backstay_agent.offline_parse.reader import ParsedOutput

_INCOMPLETE, _UNREADABLE = 1, 2
_WIDEST = 40


def command(
    file: Annotated[str, typer.Argument(help="The saved output, or - for standard input.")],
    kind: Annotated[
        str | None, typer.Option("--as", help="Kind of output; default: detected from the content.")
    ] = None,
    as_table: Annotated[bool, typer.Option("--table", help="Print a table instead of JSON.")] = False,
) -> None:
    """Parse the saved output of a tool and print its values.

    What was not understood is listed and counted as well, and a damaged JSON text is read up to its damage.
    Exit status: 0 everything was parsed; 1 some of it was not understood; 2 nothing could be read.
    """
    from backstay_agent.offline_parse.reader import LIMIT, ReadError, read

    try:
        reading = read(_octets(file, LIMIT + 1), kind)
    except ReadError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{file}: {error.strerror}")
    if as_table:
        typer.echo("\n".join(lines(reading)))
    else:
        typer.echo(json.dumps(asdict(reading), indent=1))
    raise typer.Exit(_INCOMPLETE if reading.unparsed_count or reading.lost_characters else 0)


def _octets(file: str, most: int) -> bytes:
    """Raises OSError."""
    if file == "-":
        return sys.stdin.buffer.read(most)
    with Path(file).open("rb") as source:
        return source.read(most)


def _fail(why: str) -> NoReturn:
    # Error messages may contain device text: print one line without control characters.
    shown = "".join(letter if letter.isprintable() else " " for letter in why)
    typer.echo(f"backstay-agent: {shown}", err=True)
    raise typer.Exit(_UNREADABLE)


def lines(reading: "ParsedOutput") -> Iterator[str]:
    """Columns: each group of values under its name, one row per entry; unparsed lines at the end."""
    understood = ", ".join(f"{count} {name}" for name, count in reading.understood.items())
    yield f"read as {reading.kind}; understood: {understood}; not understood: {reading.unparsed_count}"
    if reading.lost_characters:
        yield f"damaged: the last {reading.lost_characters} characters are not read"
    for name, value in reading.values.items():
        yield ""
        yield f"{name}:"
        yield from _group(value)
    if reading.unparsed:
        yield ""
        yield "not understood:"
        yield from (f"  {_cell(line)}" for line in reading.unparsed)


def _group(value: Any) -> Iterator[str]:
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        yield from _rows(value)
    elif isinstance(value, dict):
        yield from (f"  {_short(key)}  {_cell(item)}" for key, item in value.items())
    else:
        yield f"  {_cell(value)}"


def _rows(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = [names, *([_short(row.get(name)) for name in names] for row in rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(names))]
    for row in cells:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _short(value: Any) -> str:
    cell = _cell(value)
    return cell if len(cell) <= _WIDEST else f"{cell[: _WIDEST - 3]}..."


def _cell(value: Any) -> str:
    """Control characters of a device's text must not reach the terminal."""
    if value is None:
        return "-"
    if isinstance(value, str) and value.isprintable():
        return value
    return json.dumps(value)
