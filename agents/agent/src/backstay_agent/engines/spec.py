"""Spec of a routing engine: names every part of the agent that is specific to it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from backstay_agent.actuators.actuator import Actuator, Prefix
from backstay_agent.collectors.base import Collector
from backstay_agent.parsers.routing import candidates
from backstay_agent.parsers.routing.candidates import Candidate
from backstay_agent.parsers.saved_output import OutputKind
from backstay_wire import Engine, EngineKind, Source

Destination = Callable[[str], Prefix | None]
"""A line of a boot file -> the prefix of the route that it states; None: it states none."""


@dataclass(frozen=True, slots=True)
class RoutingEngine:
    """One engine. File paths are not part of it: the backend sends each node's (`backstay_wire.Engine`)."""

    kind: EngineKind
    actuator: Callable[[Engine], Actuator]
    """Actuators keep no state: a new one is created on each use."""
    staged_file: Callable[[Engine], Path | None] = lambda engine: None
    """The file of ours that the engine runs until its boot file is written; None: it needs none."""
    source: type[Source] | None = None
    """The wire's source type that assigns its collectors; None: another collector covers the engine."""
    collectors: Callable[..., list[Collector]] = lambda source, context: []
    """(source, context) -> its collectors."""
    destination: Destination = lambda line: None
    """Parses a line of the boot file that is one whole route; such lines return when a block is removed."""
    saved_outputs: Mapping[str, OutputKind] = field(default_factory=dict)
    """Kinds of saved output that `backstay-agent read` parses."""


def candidate_values(found: list[Candidate]) -> dict[str, object]:
    """Candidate routes as values of a saved output."""
    return {"candidates": found, "metrics": candidates.metrics(found)}
