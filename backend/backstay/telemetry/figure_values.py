"""A collector's figures of one moment as the columns that are stored, as PostgreSQL reads arrays. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from backstay_wire import METRICS, DeltaOutcome, Figure

COUNTED = frozenset({DeltaOutcome.OK, DeltaOutcome.WRAPPED, DeltaOutcome.GAP})
"""Outcomes with which a growth is known (wire: Figure.outcome)."""


@dataclass(frozen=True, slots=True)
class FigureValues:
    """A set's columns by slot."""

    numbers: list[float | None]
    words: list[str | None]
    outcomes: list[int]

    @classmethod
    def of(cls, figures: Iterable[Figure]) -> FigureValues:
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


def _array(items: Iterable[str]) -> str:
    return "{" + ",".join(items) + "}"


def _number(value: float | None) -> str:
    return "NULL" if value is None else repr(value)


def _quoted(text: str | None) -> str:
    """An element of a text array (PostgreSQL manual, "Array Input and Output Syntax")."""
    if text is None:
        return "NULL"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
