"""What a kind of throughput test states: its parameters, bounds, shapes and programs.

Lengths are bytes, times seconds, rates bit/s unless `unit` says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Load = Literal["stream", "datagrams", "blocks", "echoes", "messages", "file"]
"""What a test sends, by which the diagnosis decides what a measurement means: a TCP stream, paced datagrams,
blocks that wait for an acknowledgement, ICMP echoes, RDMA messages, a file."""
Direction = Literal["forward", "reverse", "both"]
Shape = Literal["pair", "n_pairs", "many_to_one", "one_to_many", "n_way", "mesh"]
ValueType = Literal["integer", "number", "boolean", "choice", "text"]
Unit = Literal["", "bytes", "s", "bit/s", "packets/s"]
Value = int | float | bool | str

DIRECTIONS: dict[Direction, str] = {"forward": "forward", "reverse": "reverse", "both": "bidirectional"}
"""Label of each direction of the data: from sender to receiver, back, or both at the same time."""
SHAPES: dict[Shape, str] = {
    "pair": "one to one",
    "n_pairs": "simultaneous pairs",
    "many_to_one": "many to one",
    "one_to_many": "one to many",
    "n_way": "all to all, simultaneous",
    "mesh": "mesh, one pair at a time",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One setting of a test, as the API, the form and the command line offer it."""

    name: str
    label: str
    type: ValueType = "integer"
    unit: Unit = ""
    minimum: float | None = None
    exclusive_minimum: bool = False
    maximum: float | None = None
    default: Value | None = None
    """None: the system's own, or none."""
    choices: tuple[str, ...] = ()
    choice_labels: tuple[str, ...] = ()
    """Of `choices`, or of false and true."""
    pattern: str = ""
    help: str = ""
    example: str = ""
    empty: str = ""
    """Effect of no value."""
    initial: str = ""
    """Text of the form's field in a new plan."""
    term: str = ""
    """Label among a plan's facts; empty: its summary already has the value."""
    option: str = ""
    """Of the command line; empty: the name without its unit."""
    required: bool = False
    varies: bool = True
    """Whether a plan may list several values: every combination is a cell."""
    advanced: bool = False
    measures: str = ""
    """Name in the diagnosis (`model.throughput.Parameters`); empty: the same. Parameters without one
    distinguish cells as text (`Parameters.other`)."""


@dataclass(frozen=True, slots=True)
class TestKind:
    """One kind of test; `duration` estimates a cell's seconds from its point and the usable rate (bit/s)."""

    __test__ = False
    """Not for pytest to collect."""
    name: str
    label: str
    description: str
    load: Load
    parameters: tuple[Parameter, ...]
    duration: Callable[[Mapping[str, Any], float], float]
    ends_by: tuple[str, ...] = ()
    """Exactly one of these parameters is given."""
    excludes: tuple[tuple[str, str], ...] = ()
    """Pairs of parameters that do not go together."""
    shapes: tuple[Shape, ...] = tuple(SHAPES)
    has_server: bool = True
    """Whether the receiver runs a program; otherwise its system answers and it needs no agent."""
    programs: tuple[str, ...] = ()
    """What client and server need on their hosts; empty: the agent itself is enough."""

    def parameter(self, name: str) -> Parameter:
        """Raises KeyError."""
        return {parameter.name: parameter for parameter in self.parameters}[name]
