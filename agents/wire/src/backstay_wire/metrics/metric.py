"""What a metric is."""

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["growth", "level", "state"]
"""growth: a counter's increase per interval. level: a figure as it is now. state: one of some words."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure that devices have, explained once for every reader."""

    name: str
    """`family.figure`, as in `ib.symbol_errors`; never changed once it is stored."""
    title: str
    """Two or three words for a column's head."""
    kind: Kind
    unit: str
    """`errors`, `octets`, `ms`, `°C`; empty for a state or a bare number."""
    sentence: str
    """What it tells an operator, in one sentence."""
    source: str
    """MIB object, counter or manual it is read from."""
    error: bool = False
    """A growth or level above zero means that something is wrong."""
    good: frozenset[str] = field(default_factory=frozenset)
    """Of a state: the words that mean that all is well; other words are worth a look."""
    states: dict[int, str] = field(default_factory=dict)
    """Of a state read as a number: its words (a MIB's enumeration)."""
