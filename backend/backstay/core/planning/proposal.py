"""Input of the checks as one frozen value."""

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
    """Inputs of a plan, its desired routing, and the analysis."""

    topology: Topology
    intents: tuple[FailoverIntent, ...]
    observed: Mapping[int, ObservedRouting]
    engines: Mapping[int, Engine]
    observation: Observation
    confirmed: Mapping[int, NodeRouting]
    wave_limit: int
    desired: Desired
    routings: Mapping[int, NodeRouting]
    """All managed routing of the site after the change."""
    nodes: tuple[NodePlan, ...]
    faults: Mapping[int, str]
    """Node id -> reason why its file cannot be written."""
    advice: Mapping[int, tuple[str, ...]]
    """Node id -> recommended additions to the operator's part of its file."""
    waves: Waves
    analysis: Analysis

    def name(self, node: int) -> str:
        """A node's name; its number if the site no longer has the node."""
        known = self.topology.nodes.get(node)
        return f"node {node}" if known is None else known.name

    def names(self, nodes: Iterable[int]) -> tuple[str, ...]:
        """Unique names, in order."""
        return tuple(dict.fromkeys(self.name(node) for node in nodes))

    def planned(self) -> Iterable[tuple[NodeRouting, PolicyRoute]]:
        """Every route of every node in the plan."""
        for routing in self.desired.routings.values():
            for route in routing.routes:
                yield routing, route

    def addresses(self, node: int) -> tuple[Address, ...]:
        """A node's addresses on data ports."""
        ports = self.topology.data_ports.get(node, ())
        return tuple(interface.ip for port in ports for interface in self.topology.interfaces[port.id])
