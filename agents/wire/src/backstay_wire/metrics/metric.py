"""Definition of a metric."""

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["growth", "level", "state"]
"""growth: a counter's increase per interval. level: a current value. state: one of a set of names."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of devices, described once for all readers."""

    name: str
    """`family.name`, as in `ib.symbol_errors`; never changed once stored."""
    title: str
    """Two or three words for a column's header."""
    kind: Kind
    unit: str
    """`errors`, `octets`, `ms`, `°C`; empty for a state or a bare number."""
    sentence: str
    """Description for an operator, in one sentence."""
    source: str
    """MIB object, counter or manual it is read from."""
    error: bool = False
    """True if a growth or level above zero indicates a fault."""
    good: frozenset[str] = field(default_factory=frozenset)
    """Healthy states; any other state needs attention."""
    states: dict[int, str] = field(default_factory=dict)
    """State names by number (a MIB's enumeration)."""
