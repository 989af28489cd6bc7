"""Lists, single objects and histories of the API as tables, by the names of their fields.

A list command states the fields of its columns; headings and formats follow from the names, which carry the
unit (`_bps`, `_s`, `_at`). An object is printed with all its fields, its lists of objects as tables below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from rich.text import Text

from backstay_cli.formatting import series
from backstay_cli.output import Cell, Extra, as_json, heading, print_lines, show, state_label, table
from backstay_cli.session import Session
from backstay_cli.text import byte_size, clock, count, digits, length, milliseconds, names, percent, rate

_HIDDEN = frozenset({"url", "kind", "csrf_token"})
"""Fields of a single object that are not printed."""
_TIMES = frozenset({"since", "until", "at", "start", "end", "oldest_waiting"})
_SHARES = frozenset({"utilisation", "in_utilisation", "out_utilisation", "share", "coverage", "imbalance"})
_RATES = frozenset({"speed", "media_rate", "usable_rate", "contradicted_speed", "capacity"})
_UNITS = ("_bytes", "_bps", "_pps", "_ps", "_ms", "_ppm", "_s", "_at")
_SCALAR = (str, int, float, bool, type(None))
LISTED = 12
"""Names of a list that are printed; the structured formats have all."""


@dataclass(frozen=True, slots=True)
class ListSpec:
    """A list of the API: `columns` and, where there is room, `extra` ones are its fields."""

    path: str
    noun: str
    columns: tuple[str, ...]
    extra: tuple[str, ...] = ()
    plural: str = ""

    def counted(self, number: int) -> str:
        """`1 fabric`, `3 fabrics`."""
        return f"{number} {self.plural}" if self.plural and number != 1 else count(number, self.noun)


def print_list(spec: ListSpec, answer: Any, *, json: bool) -> None:
    """The list as a table with its length, or as the API gave it."""
    if json:
        as_json(answer)
        return
    items: list[dict[str, Any]] = answer["items"]
    if items:
        show(_rows([*spec.columns, *map(Extra, spec.extra)], items))
    print_lines(spec.counted(len(items)))


def list_all(
    run: Session, spec: ListSpec, /, *, json: bool, view: str | None = None, **filters: object
) -> list[dict[str, Any]]:
    """Read and print a list, as `Session.listing`; returns the items."""
    answer = run.listing(spec.path, view, **filters)
    print_list(spec, answer, json=json)
    items: list[dict[str, Any]] = answer["items"]
    return items


def print_object(answer: dict[str, Any], *, json: bool, title: str = "") -> None:
    """One object with all its fields."""
    if json:
        as_json(answer)
        return
    name = title or str(answer.get("title") or answer.get("name") or "")
    if name:
        print_lines(heading(name))
    lists: dict[str, list[dict[str, Any]]] = {}
    rows = list(_fields("", answer, lists))
    show(table(("field", "value"), rows))
    for field, items in lists.items():
        print_lines("", heading(title_of(field)))
        fields = list(
            dict.fromkeys(key for item in items for key, value in item.items() if key not in _HIDDEN)
        )
        show(_rows([*fields[:4], *map(Extra, fields[4:])], items))


def print_history(answer: dict[str, Any], *, json: bool, bits: bool = True) -> None:
    """A columnar history, one row per interval with a value; `bits`: its columns are rates in bit/s."""
    if json:
        as_json(answer)
        return
    rows = [
        row for row in series(answer) if any(value is not None for name, value in row.items() if name != "at")
    ]
    fields = list(rows[0]) if rows else []
    cells = [[_point(name, row[name], bits=bits) for name in fields] for row in rows]
    if rows:
        show(table([title_of(name) for name in fields], cells))
    else:
        print_lines("Nothing was measured in this range.")
    print_lines(
        f"{count(len(rows), 'interval')} of {length(answer.get('step_s'))}, from {answer.get('level')}"
    )


def _point(name: str, value: Any, *, bits: bool) -> str:
    if name == "at":
        return clock(datetime.fromtimestamp(value, UTC))
    if value is None:
        return "-"
    return rate(value) if bits and name.endswith(("_mean", "_max")) else digits(value)


def title_of(field: str) -> str:
    """`age` of `age_s`, `usable rate` of `usable_rate`: units stand with the values."""
    for unit in _UNITS:
        field = field.removesuffix(unit) or field
    return field.replace("_", " ").replace(".", " ")


def cell(field: str, value: Any, item: Mapping[str, Any]) -> Cell:
    """A field's value for people; `item` is the object that has it."""
    if field == "state" and isinstance(value, str):
        return state_label(value, str(item.get("state_text") or ""))
    if value is None or value in ("", [], {}):
        return "-"
    if isinstance(value, list):
        simple = all(isinstance(one, _SCALAR) for one in value)
        return names([str(one) for one in value], LISTED) if simple else str(len(value))
    if isinstance(value, dict):
        return ", ".join(f"{key}={one}" for key, one in value.items() if isinstance(one, _SCALAR))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _quantity(field, value) if isinstance(value, (int, float)) else _text(field, value)


def _text(field: str, value: str) -> str:
    if field.endswith("_at") or field in _TIMES:
        try:
            return clock(datetime.fromisoformat(value))
        except ValueError:
            return value
    return value


def _quantity(field: str, value: float) -> str:  # noqa: PLR0911 - one return per unit
    if field in _SHARES:
        return percent(value)
    if field.endswith("_bps") or field in _RATES:
        return rate(value)
    if field.endswith(("_bytes", "octets")) or field == "bytes":
        return byte_size(value)
    if field.endswith("_ms"):
        return milliseconds(value)
    if field.endswith(("_ps", "_pps")):
        return f"{digits(value)}/s"
    if field.endswith("_offset_s"):
        return f"{value:+.3f} s"
    if field.endswith("_s"):
        return length(value)
    return digits(value) if isinstance(value, float) else str(value)


def _rows(fields: Sequence[str], items: Sequence[Mapping[str, Any]]) -> Any:
    head = [type(field)(title_of(field)) for field in fields]
    return table(head, [[cell(field, item.get(field), item) for field in fields] for item in items])


def _fields(
    prefix: str, item: Mapping[str, Any], lists: dict[str, list[dict[str, Any]]]
) -> list[tuple[str, Cell]]:
    """Rows of an object's fields, nested ones with their path; collects its lists of objects."""
    rows: list[tuple[str, Cell]] = []
    for field, value in item.items():
        path = f"{prefix} {title_of(field)}".strip()
        if field in _HIDDEN or field == "state_text":
            continue
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lists[path] = value
        elif isinstance(value, dict) and value:
            rows += _fields(path, value, lists)
        else:
            text = cell(field, value, item)
            rows.append((path, text if isinstance(text, Text) else str(text)))
    return rows
