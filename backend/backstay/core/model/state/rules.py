"""State tables: the first row whose facts hold decides.

`decide` reads a table for one object; `inventory.state_sql` makes the same table a SQL expression for lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, Literal, TypeVar

State = Literal["ok", "warning", "critical", "unknown", "disabled"]
"""The display state of an object: its colour."""
WORST_FIRST: Mapping[State, int] = {"critical": 0, "warning": 1, "unknown": 2, "disabled": 3, "ok": 4}
"""How lists sort by state."""

Name = TypeVar("Name", bound=str)
Facts = Mapping[str, bool | str | None]


@dataclass(frozen=True, slots=True)
class StateText:
    """A state and its text."""

    state: State
    text: str


@dataclass(frozen=True, slots=True)
class StateRule(Generic[Name]):
    """One row of a state table: it matches if every fact in `when` has its value."""

    state: Name
    when: Facts = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True, slots=True)
class StateSpec:
    """How a state is shown: `tone` is its colour, `glyph` one character, `label` its name everywhere."""

    tone: State
    glyph: str
    label: str
    meaning: str


def decide(rules: Sequence[StateRule[Name]], facts: Facts) -> StateRule[Name]:
    """The first matching rule; the last rule of a table always matches."""
    return next(rule for rule in rules if all(facts[name] == value for name, value in rule.when.items()))


def seconds(now: datetime, at: datetime | None) -> float | None:
    """Age in seconds, at least 0; None if `at` is None."""
    return None if at is None else round(max((now - at).total_seconds(), 0.0), 1)
