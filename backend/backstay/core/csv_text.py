"""CSV (RFC 4180, UTF-8) that no spreadsheet evaluates: one rule for the API and the pages.

`CSV_SPEC` states the rule as data with golden examples, which the frontend takes from `core.client_spec`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""A spreadsheet evaluates texts that begin with these, also in full width; an apostrophe prevents it."""
LINE_END = "\r\n"

Value = str | float | bool | None


def table(header: Iterable[str], rows: Iterable[Iterable[Value]]) -> str:
    """The text of a table with its headings."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=LINE_END)
    writer.writerow([_cell(name) for name in header])
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def field(value: Value) -> str:
    """One field of a line, quoted if necessary."""
    if value is None or value == "":
        return ""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow([_cell(value)])
    return text.getvalue()


def _cell(value: Value) -> str | float:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_PREFIXES) else value


CSV_SPEC: dict[str, object] = {
    "formula_prefixes": list(FORMULA_PREFIXES),
    "examples": [
        ["plain", "plain"],
        ["", ""],
        [None, ""],
        [True, "true"],
        [-3, "-3"],
        [1.5, "1.5"],
        ["=1+1", "'=1+1"],
        ["+1", "'+1"],
        ["-1.5", "'-1.5"],
        ["-rm", "'-rm"],
        ["@cmd", "'@cmd"],
        ["\tcmd", "'\tcmd"],
        ["\rcmd", '"\'\rcmd"'],
        ["\ncmd", '"\'\ncmd"'],
        ["\uff1d1+1", "'\uff1d1+1"],
        ["a=1", "a=1"],
        ["a,b", '"a,b"'],
        ['said "no"', '"said ""no"""'],
        ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
        ["a\nb", '"a\nb"'],
        ["Zürich", "Zürich"],
    ],
}
"""`examples`: [value, field of a line]."""
