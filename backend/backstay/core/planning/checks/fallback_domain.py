"""Check for components that both the preferred path and the fallback depend on."""

from __future__ import annotations

from collections.abc import Iterable

from backstay.core.model.plan import Finding
from backstay.core.model.search import Component, leads_to, sources
from backstay.core.model.topology import Vertex
from backstay.core.planning.checks.finding import failed, passed, some, warning
from backstay.core.planning.proposal import Proposal
from backstay.core.planning.whatif.flows import Flow
from backstay.core.planning.whatif.forwarding_sim import FailureScenario

NAME = "fallback_domain"


def check(proposal: Proposal) -> list[Finding]:
    """Components behind the gateways that all gateways of a policy depend on, and whether they are
    avoidable.
    """
    search = _Search(proposal)
    planned = set(proposal.desired.routings)
    shared: dict[tuple[str, str, bool], list[str]] = {}
    for flow in proposal.analysis.flows:
        nodes = [member.node for member in flow.members if member.node in planned]
        if len(flow.steps) < 2 or not nodes:
            continue
        for thing in sorted(search.common(flow)):
            key = (flow.route.policy, _name(proposal, thing), search.is_avoidable(flow, thing))
            shared.setdefault(key, []).extend(proposal.names(nodes))
    found = [_finding(*key, list(dict.fromkeys(nodes))) for key, nodes in shared.items()]
    return found or passed(NAME, "Behind the gateways, no policy depends on a single component.")


class _Search:
    """Common components of flows and the paths around them; each distinct shape is searched once."""

    def __init__(self, proposal: Proposal) -> None:
        self._topology = proposal.topology
        self._segments = proposal.analysis.world.segments
        self._scene = FailureScenario(proposal.analysis.world)
        self._behind: dict[tuple[object, ...], frozenset[Component]] = {}
        self._sources: dict[tuple[frozenset[Vertex], Component], frozenset[Vertex]] = {}

    def common(self, flow: Flow) -> frozenset[Component]:
        """Components common to all paths beyond the flow's gateways, except the destination."""
        gateways = tuple(step.gateway if step.segment.links else None for step in flow.steps)
        # Hosts share the path behind a gateway; a forwarding node's packets may return to it.
        owner = flow.speaker if self._topology.forwards(("node", flow.speaker)) else None
        key = (flow.goal, gateways, owner)
        if key not in self._behind:
            self._behind[key] = self._common(flow)
        own = {("node", flow.speaker), *(("link", link) for link in flow.members[0].links)}
        return self._behind[key] - own

    def _common(self, flow: Flow) -> frozenset[Component]:
        paths = [self._scene.through(flow.speaker, step, flow.goal) for step in flow.steps]
        beyond = [
            {thing for segment in path.beyond.segments for thing in self._segments.things(segment)}
            for path in paths
            if path.beyond.delivered
        ]
        if len(beyond) < 2:
            return frozenset()
        gateways: Iterable[Component] = (("node", step.gateway) for step in flow.steps)
        return frozenset(set.intersection(*beyond) - set(flow.goal.vertices) - set(gateways))

    def is_avoidable(self, flow: Flow, thing: Component) -> bool:
        """Whether a path from the flow's speaker to its destination exists without the component."""
        key = (flow.goal.vertices, thing)
        if key not in self._sources:
            self._sources[key] = sources(self._topology, flow.goal.vertices, thing)
        start = ("node", flow.speaker)
        return start not in flow.goal.vertices and leads_to(self._topology, start, self._sources[key], thing)


def _name(proposal: Proposal, thing: Component) -> str:
    kind, ident = thing
    if kind == "fabric":
        return proposal.topology.fabrics[ident].name
    if kind == "node":
        return proposal.name(ident)
    port = proposal.topology.ports[proposal.topology.links[ident].a]
    return f"the link at {proposal.name(port.node_id)}:{port.name}"


def _finding(policy: str, thing: str, avoidable: bool, nodes: list[str]) -> Finding:
    start = (
        f"Every gateway of {policy} forwards {some(nodes)} over {thing}: if it fails, the fallback fails too"
    )
    if avoidable:
        return failed(NAME, f"{start}. A path around it exists: name a gateway that uses it.", nodes)
    return warning(NAME, f"{start}, and the site has no path around it.", nodes)
