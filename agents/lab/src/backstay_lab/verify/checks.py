"""Comparisons and their tables. Pure.

`equal`: the API's value is one of the source's growths between two readings. `within`: it lies between the
least and the most that the readings allow, with the width of that range. Everything else fails, including
values that the source does not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from backstay_lab.verify.series import Grown, Value

Name = str | frozenset[str]
"""The source's value, or its two bounds."""

WIDEST = 0.25
"""Largest accepted width, as a share of the greatest growth that the readings allow."""


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One comparison."""

    what: str
    reported: str
    source: str
    verdict: str
    passed: bool


@dataclass(frozen=True, slots=True)
class CheckTable:
    """The comparisons of one kind."""

    title: str
    rows: Sequence[CheckRow]


def compare_growth(
    what: str, reported: float, source: Grown | None, *, rounding: float = 0.0, small: float = 4.0
) -> CheckRow:
    """Compare a growth of the API, apart from its rounding, with the range of the source's readings.

    Readings further apart than WIDEST prove nothing, except for amounts up to `small`.
    """
    shown = number(reported)
    if source is None:
        return CheckRow(what, shown, "not read", "NO", False)
    if any(abs(reported - seen) <= rounding for seen in source.seen):
        return CheckRow(what, shown, shown, "equal", True)
    between = f"{number(source.least)} .. {number(source.most)}"
    if not source.least - rounding <= reported <= source.most + rounding:
        return CheckRow(what, shown, between, "NO", False)
    width = source.most - source.least
    share = width / source.most
    if share > WIDEST and width > small:
        return CheckRow(what, shown, between, f"NO: readings {share:.0%} apart", False)
    return CheckRow(what, shown, between, f"within {share:.1%}", True)


def compare_value(what: str, reported: Value, source: Iterable[Value]) -> CheckRow:
    """Compare a level or state with the source's readings around that moment."""
    values = list(dict.fromkeys(source))
    shown = " or ".join(text(value) for value in values[:4]) or "not read"
    same = any(_same(reported, value) for value in values)
    return CheckRow(what, text(reported), shown, "equal" if same else "NO", same)


def compare_names(what: str, expected: Iterable[Name], found: Iterable[Name]) -> CheckRow:
    """Everything expected must be found."""
    wanted, there = set(expected), set(found)
    missing = sorted(map(_spelt, wanted - there))
    some = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
    source = f"{len(wanted)}" + (f", missing: {some}" if missing else "")
    return CheckRow(what, str(len(wanted & there)), source, "NO" if missing else "equal", not missing)


def compare_sets(what: str, expected: Iterable[str], found: Iterable[str]) -> CheckRow:
    """Both must have the same members."""
    wanted, there = set(expected), set(found)
    differ = [f"missing: {name}" for name in sorted(wanted - there)]
    differ += [f"too much: {name}" for name in sorted(there - wanted)]
    some = "; ".join(differ[:4]) + (f" and {len(differ) - 4} more" if len(differ) > 4 else "")
    source = f"{len(wanted)}" + (f", {some}" if differ else "")
    return CheckRow(what, str(len(there)), source, "NO" if differ else "equal", not differ)


def _spelt(name: Name) -> str:
    return name if isinstance(name, str) else " - ".join(sorted(name))


def _same(reported: Value, value: Value) -> bool:
    if isinstance(reported, str) or isinstance(value, str):
        return str(reported) == str(value)
    return abs(reported - value) <= 1e-9 * max(1.0, abs(reported))


def number(value: float) -> str:
    """`1,234` or `0.5`."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.3f}"


def text(value: Value) -> str:
    """A level or state as text."""
    return value if isinstance(value, str) else number(value)


def lines(table: CheckTable, *, failures_only: bool = False) -> list[str]:
    """A table for a terminal."""
    head = ("", "value", "API", "source", "result")
    shown = [row for row in table.rows if not (failures_only and row.passed)]
    cells = [head, *(("ok" if row.passed else "FAIL", *_cells(row)) for row in shown)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(head))]
    title = f"{table.title}: {sum(row.passed for row in table.rows)} of {len(table.rows)}"
    if not shown:
        return [title]
    return [
        title,
        *("  " + "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in cells),
    ]


def _cells(row: CheckRow) -> tuple[str, str, str, str]:
    return row.what, row.reported, row.source, row.verdict


def total(tables: Iterable[CheckTable]) -> tuple[int, int]:
    """(passed, failed); an empty table is a failure, because it proves nothing."""
    passed = failed = 0
    for table in tables:
        good = sum(row.passed for row in table.rows)
        passed += good
        failed += len(table.rows) - good or (0 if table.rows else 1)
    return passed, failed
