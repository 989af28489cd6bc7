"""The only writer of figures: the newest set of each collector, and the past of those that are numbers.

A set is two rows: `FigureSet`, replaced by what is newer, and one of `telemetry_figures`, which is kept
for as long as samples are. Both name the figures by a `FigureLayout`. Off the hot path of samples: a batch
without figures pays nothing here, and a batch of a whole fabric's sweep is two pipelined statements.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import psycopg
from django.db import connection, transaction

from backstay.telemetry.models import FigureLayout
from backstay_wire import METRICS, DeltaOutcome, Figure, FigureReport

MAX_LAYOUTS = 5000
"""Of one collector about one device within the days that are kept: a device that invents names is refused."""
CACHED_US = 86_400 * 1_000_000
"""A layout is not believed to exist for longer than this without asking: unused ones are removed in time."""
COUNTED = frozenset({DeltaOutcome.OK, DeltaOutcome.WRAPPED, DeltaOutcome.GAP})
"""Outcomes with which a growth is known (wire: Figure.outcome)."""

Pair = tuple[str, str]
"""(metric, subject): what tells one figure of a collector from another."""

_MOMENT = "(timestamptz 'epoch' + %s * interval '1 microsecond')"
_NEWEST = f"""
INSERT INTO telemetry_figureset AS known
    (node_id, collector, layout_id, at, duration_ns, numbers, words, outcomes)
VALUES (%s, %s, %s, {_MOMENT}, %s, %s::float8[], %s::text[], %s::smallint[])
ON CONFLICT (node_id, collector) DO UPDATE SET layout_id = EXCLUDED.layout_id, at = EXCLUDED.at,
    duration_ns = EXCLUDED.duration_ns, numbers = EXCLUDED.numbers, words = EXCLUDED.words,
    outcomes = EXCLUDED.outcomes
WHERE known.at < EXCLUDED.at
"""  # noqa: S608 - only a constant of this module is put in
_PAST = f"""
INSERT INTO telemetry_figures (node_id, ts, duration_ns, layout_id, places, numbers)
VALUES (%s, {_MOMENT}, %s, %s, %s::integer[], %s::float8[])
"""  # noqa: S608 - only a constant of this module is put in

_layouts: dict[tuple[int, str], tuple[bytes, int, int]] = {}
"""(node, collector) -> (digest, layout id, microseconds until which it is believed)."""


class TooManyLayoutsError(ValueError):
    """The collector's figures are others each time."""


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One accepted report with its device's id and its time by our clock, microseconds."""

    node: int
    at_us: int
    report: FigureReport


def write_figures(rows: Sequence[FigureRow]) -> None:
    """Store the rows, whatever their order; the days' partitions must exist. TooManyLayoutsError."""
    if not rows:
        return
    newest, past = [], []
    for row in rows:
        figures = {(each.metric, each.subject): each for each in row.report.figures}
        pairs = sorted(figures)
        layout = _layout_id(row, pairs)
        values = _Values.of([figures[pair] for pair in pairs])
        head = (row.node, row.report.collector, layout, row.at_us, row.report.duration_ns)
        newest.append((*head, *values.newest()))
        if values.has_numbers:
            past.append((row.node, row.at_us, row.report.duration_ns, layout, *values.past()))
    newest.sort(key=lambda each: each[:2])  # One order for all writers: no deadlocks.
    with connection.wrap_database_errors, _cursor() as cursor:
        cursor.executemany(_NEWEST, newest)
        cursor.executemany(_PAST, past)


def _cursor() -> psycopg.Cursor[tuple[object, ...]]:
    connection.ensure_connection()
    return psycopg.Cursor(connection.connection)


@dataclass(frozen=True, slots=True)
class _Values:
    """A set's columns by slot."""

    numbers: list[float | None]
    words: list[str | None]
    outcomes: list[int]

    @classmethod
    def of(cls, figures: Iterable[Figure]) -> _Values:
        numbers, words, outcomes = [], [], []
        for figure in figures:
            word = _word(figure)
            numbers.append(float(figure.value) if word is None else None)
            words.append(word)
            outcomes.append(int(figure.outcome))
        return cls(numbers, words, outcomes)

    @property
    def has_numbers(self) -> bool:
        return any(number is not None for number in self.numbers)

    def newest(self) -> tuple[str, str | None, str | None]:
        """The arrays of `FigureSet` as PostgreSQL reads them."""
        words = _array(map(_quoted, self.words)) if any(word is not None for word in self.words) else None
        outcomes = _array(map(str, self.outcomes)) if any(self.outcomes) else None
        return _array(map(_number, self.numbers)), words, outcomes

    def past(self) -> tuple[str, str]:
        """Places and numbers of what is not zero."""
        places, told = [], []
        for place, (number, outcome) in enumerate(zip(self.numbers, self.outcomes, strict=True), 1):
            if number is None:
                continue
            known = number if outcome in COUNTED else math.nan
            if known != 0:
                places.append(str(place))
                told.append(repr(known))
        return _array(places), _array(told)


def _word(figure: Figure) -> str | None:
    """A state's word; None of a number. A state read as a number has its words in the register."""
    if isinstance(figure.value, str):
        return figure.value
    known = METRICS.get(figure.metric)
    if known is not None and known.kind == "state":
        return known.words.get(int(figure.value), str(figure.value))
    return None if math.isfinite(figure.value) else ""


def _layout_id(row: FigureRow, pairs: Sequence[Pair]) -> int:
    key = (row.node, row.report.collector)
    digest = blake2b(json.dumps(pairs).encode(), digest_size=16).digest()
    known = _layouts.get(key)
    if known is not None and known[0] == digest and row.at_us < known[2]:
        return known[1]
    found = FigureLayout.objects.filter(node_id=row.node, collector=row.report.collector)
    layout = found.filter(digest=digest).first()
    if layout is None:
        if found.count() >= MAX_LAYOUTS:
            raise TooManyLayoutsError(f"{row.report.collector}: other figures than ever before, again")
        layout, _ = FigureLayout.objects.get_or_create(
            node_id=row.node,
            collector=row.report.collector,
            digest=digest,
            defaults={
                "metrics": [metric for metric, _ in pairs],
                "subjects": [subject for _, subject in pairs],
            },
        )
    entry = (digest, layout.pk, row.at_us + CACHED_US)
    transaction.on_commit(lambda: _layouts.update({key: entry}))
    return layout.pk


def forget_layouts() -> None:
    """Forget what this process knows of layouts (tests undo their transactions)."""
    _layouts.clear()


def _array(items: Iterable[str]) -> str:
    return "{" + ",".join(items) + "}"


def _number(value: float | None) -> str:
    return "NULL" if value is None else repr(value)


def _quoted(text: str | None) -> str:
    """An element of a text array (PostgreSQL manual, "Array Input and Output Syntax")."""
    if text is None:
        return "NULL"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
