"""Formats of an API response for programs: JSON, YAML and CSV, all ASCII. Pure.

ASCII only, so that names chosen by devices cannot control the terminal.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable
from typing import Any

import yaml

from backstay_cli.text import SPEC, shown

FORMULA: tuple[str, ...] = tuple(SPEC["csv"]["formula_prefixes"])
"""First characters with which a spreadsheet takes a text for a formula; the pages quote the same."""


def as_json_text(answer: Any, *, indent: int | None = 2) -> str:
    """JSON with a final line break."""
    return json.dumps(answer, indent=indent).replace("\x7f", "\\u007f") + "\n"


def as_yaml_text(answer: Any) -> str:
    """One YAML 1.1 document in block style, opened by `---`."""
    dumped: str = yaml.safe_dump(
        answer, sort_keys=False, allow_unicode=False, explicit_start=True, default_flow_style=False
    )
    return dumped


def as_csv_text(answer: Any) -> str:
    """One row per item of a list or per time of a history, or one row of a single object.

    Columns are in the order of first appearance. Fields of nested objects are `forward.bps`. A list of
    values is joined by `; `, a list of objects is JSON.
    """
    rows = [dict(_flat("", item)) for item in _items(answer)]
    head = list(dict.fromkeys(name for row in rows for name in row))
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([row.get(name, "") for name in head] for row in rows)
    return written.getvalue()


STRUCTURED: dict[str, Callable[[Any], str]] = {
    "json": as_json_text,
    "yaml": as_yaml_text,
    "csv": as_csv_text,
}
"""Format name -> its writer."""


def series(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """One row per time of a columnar history: every list of its length is a column."""
    length = len(answer["at"])
    columns = {name: values for name, values in answer.items() if _is_column(values, length)}
    return [{name: values[index] for name, values in columns.items()} for index in range(length)]


def _is_column(values: Any, length: int) -> bool:
    is_long = isinstance(values, list) and len(values) == length
    return is_long and not any(isinstance(value, (dict, list)) for value in values)


def _items(answer: Any) -> list[Any]:
    if isinstance(answer, dict) and isinstance(answer.get("items"), list):
        answer = answer["items"]
    if isinstance(answer, dict) and isinstance(answer.get("at"), list):
        return series(answer)
    return answer if isinstance(answer, list) else [answer]


def _flat(name: str, value: Any) -> Iterable[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for key, part in value.items():
            yield from _flat(f"{name}.{key}" if name else str(key), part)
    else:
        yield shown(name or "value"), _cell(value)


def _cell(value: Any) -> str:
    if value is None or value in ({}, []):
        return ""
    if isinstance(value, list):
        has_objects = any(isinstance(item, (dict, list)) for item in value)
        text = json.dumps(value) if has_objects else "; ".join(map(_cell, value))
    elif isinstance(value, str):
        text = value
    else:
        return json.dumps(value)
    return shown(f"'{text}" if text.startswith(FORMULA) else text)
