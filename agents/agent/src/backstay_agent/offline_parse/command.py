"""`backstay-agent read`: the input's octets in, the reading out, and the exit status.

It needs every parser, so they are loaded when it is called, and not by an agent that starts.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, NoReturn

import typer

_INCOMPLETE, _UNREADABLE = 1, 2


def command(
    file: Annotated[str, typer.Argument(help="The saved output, or - for standard input.")],
    kind: Annotated[
        str | None, typer.Option("--as", help="Kind of output, where the text does not show it.")
    ] = None,
    as_table: Annotated[bool, typer.Option("--table", help="Print a table instead of JSON.")] = False,
) -> None:
    """Parse the saved output of a tool; show the values and the lines that are not understood.

    Exit status: 0 when everything was understood, 1 when something was not, 2 when it is not readable.
    """
    from backstay_agent.offline_parse import table
    from backstay_agent.offline_parse.reader import LIMIT, ReadError, read

    try:
        reading = read(_octets(file, LIMIT + 1), kind)
    except ReadError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{file}: {error.strerror}")
    if as_table:
        typer.echo("\n".join(table.lines(reading)))
    else:
        typer.echo(json.dumps(asdict(reading), indent=1))
    raise typer.Exit(_INCOMPLETE if reading.unparsed_count else 0)


def _octets(file: str, most: int) -> bytes:
    """Raises OSError."""
    if file == "-":
        return sys.stdin.buffer.read(most)
    with Path(file).open("rb") as source:
        return source.read(most)


def _fail(why: str) -> NoReturn:
    # What a device's text brings into an error is one line without control characters.
    shown = "".join(letter if letter.isprintable() else " " for letter in why)
    typer.echo(f"backstay-agent: {shown}", err=True)
    raise typer.Exit(_UNREADABLE)
