"""A reading as columns. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backstay_agent.offline_parse.reader import Reading

_WIDEST = 40


def lines(reading: Reading) -> Iterator[str]:
    """Each group of values under its name, one row per entry; unparsed lines at the end."""
    yield f"read as {reading.kind}; not understood: {reading.unparsed_count}"
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
