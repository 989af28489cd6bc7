"""`backstay-agent read`: the input's octets in, the reading out, and what the exit status says."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from backstay_agent.reading import table
from backstay_agent.reading.reader import LIMIT, ReadError, read

_INCOMPLETE, _UNREADABLE = 1, 2


def command(
    file: Annotated[str, typer.Argument(help="The saved output, or - for standard input.")],
    kind: Annotated[
        str | None, typer.Option("--as", help="What it is, where its text does not tell.")
    ] = None,
    as_table: Annotated[bool, typer.Option("--table", help="For people.")] = False,
) -> None:
    """Show what Backstay makes of a tool's saved output, and what it does not understand.

    Ends with 0 when all was understood, 1 when something was not, 2 when it cannot be read.
    """
    try:
        reading = read(_octets(file), kind)
    except ReadError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{file}: {error.strerror}")
    if as_table:
        typer.echo("\n".join(table.lines(reading)))
    else:
        typer.echo(json.dumps(asdict(reading), indent=1))
    raise typer.Exit(_INCOMPLETE if reading.unparsed_count else 0)


def _octets(file: str) -> bytes:
    """One octet more than is allowed, at most. Raises OSError."""
    if file == "-":
        return sys.stdin.buffer.read(LIMIT + 1)
    with Path(file).open("rb") as source:
        return source.read(LIMIT + 1)


def _fail(why: str) -> NoReturn:
    # What a device's text brings into an error is one line without control characters.
    shown = "".join(letter if letter.isprintable() else " " for letter in why)
    typer.echo(f"backstay-agent: {shown}", err=True)
    raise typer.Exit(_UNREADABLE)
