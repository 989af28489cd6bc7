"""`backstay-agent read`: parses a saved output, prints the values, returns the exit status.

It needs every parser, so they are imported when it is called, not at the agent's start.
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
        str | None, typer.Option("--as", help="Kind of output, if it cannot be detected.")
    ] = None,
    as_table: Annotated[bool, typer.Option("--table", help="Print a table instead of JSON.")] = False,
) -> None:
    """Parse the saved output of a tool; show the values and the unknown lines.

    Exit status: 0 if everything was parsed, 1 if some lines were not, 2 if the input is unreadable.
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
    # Error messages may contain device text: print one line without control characters.
    shown = "".join(letter if letter.isprintable() else " " for letter in why)
    typer.echo(f"backstay-agent: {shown}", err=True)
    raise typer.Exit(_UNREADABLE)
