"""All that a check may look at, in one frozen value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backstay.core.model.plan import NodePlan, Observation
from backstay.core.model.policy import FailoverIntent
from backstay.core.model.routing import (
    Address,
    Engine,
    NodeRouting,
    ObservedRouting,
    PolicyRoute,
)
from backstay.core.model.topology import Topology
from backstay.core.planning.resolve import Desired
from backstay.core.planning.waves import Waves
from backstay.core.planning.whatif.failure import Analysis


@dataclass(frozen=True, slots=True)
class Proposal:
    """What was given, what it comes to, and what was worked out about it."""

    topology: Topology
    intents: tuple[FailoverIntent, ...]
    observed: Mapping[int, ObservedRouting]
    engines: Mapping[int, Engine]
    observation: Observation
    confirmed: Mapping[int, NodeRouting]
    wave_limit: int
    desired: Desired
    routings: Mapping[int, NodeRouting]
    """All managed routing of the site as it will be."""
    nodes: tuple[NodePlan, ...]
    faults: Mapping[int, str]
    """Node id -> why its file cannot be written."""
    advice: Mapping[int, tuple[str, ...]]
    """Node id -> what its own part of the file should have besides."""
    waves: Waves
    analysis: Analysis

    def name(self, node: int) -> str:
        """A node's name; of one that the site no longer has, its number."""
        known = self.topology.nodes.get(node)
        return f"node {node}" if known is None else known.name

    def names(self, nodes: Iterable[int]) -> tuple[str, ...]:
        """Names, each once, in order."""
        return tuple(dict.fromkeys(self.name(node) for node in nodes))

    def planned(self) -> Iterable[tuple[NodeRouting, PolicyRoute]]:
        """Every route of every node that the plan concerns."""
        for routing in self.desired.routings.values():
            for route in routing.routes:
                yield routing, route

    def addresses(self, node: int) -> tuple[Address, ...]:
        """A node's addresses on data ports."""
        ports = self.topology.data_ports.get(node, ())
        return tuple(interface.ip for port in ports for interface in self.topology.interfaces[port.id])
