"""Check for components that both the preferred path and the fallback depend on."""

from __future__ import annotations

from collections.abc import Iterable

from backstay.core.model.plan import Finding
from backstay.core.model.search import Component, shortest
from backstay.core.planning.checks.finding import failed, passed, some, warning
from backstay.core.planning.proposal import Proposal
from backstay.core.planning.whatif.flows import Flow
from backstay.core.planning.whatif.forwarding_sim import FailureScenario

NAME = "fallback_domain"


def check(proposal: Proposal) -> list[Finding]:
    """Components behind the gateways that all gateways of a policy depend on, and whether they are
    avoidable.
    """
    scene = FailureScenario(proposal.analysis.world, None)
    planned = set(proposal.desired.routings)
    shared: dict[tuple[str, str, bool], list[str]] = {}
    for flow in proposal.analysis.flows:
        nodes = [member.node for member in flow.members if member.node in planned]
        if len(flow.steps) < 2 or not nodes:
            continue
        for thing in sorted(_common(scene, flow, proposal)):
            avoidable = bool(_around(proposal, flow, thing))
            key = (flow.route.policy, _name(proposal, thing), avoidable)
            shared.setdefault(key, []).extend(proposal.names(nodes))
    found = [_finding(*key, list(dict.fromkeys(nodes))) for key, nodes in shared.items()]
    return found or passed(NAME, "Behind the gateways, no policy depends on a single component.")


def _common(scene: FailureScenario, flow: Flow, proposal: Proposal) -> set[Component]:
    """Components common to all paths beyond their gateways, except the destination."""
    paths = [scene.through(flow.speaker, step, flow.goal) for step in flow.steps]
    segments = proposal.analysis.world.segments
    beyond = [
        {thing for segment in path.beyond.segments for thing in segments.things(segment)}
        for path in paths
        if path.beyond.delivered
    ]
    if len(beyond) < 2:
        return set()
    own = {("node", flow.speaker), *(("link", link) for link in flow.members[0].links)}
    gateways: Iterable[Component] = (("node", step.gateway) for step in flow.steps)
    return set.intersection(*beyond) - set(flow.goal.vertices) - own - set(gateways)


def _around(proposal: Proposal, flow: Flow, thing: Component) -> tuple[object, ...]:
    path = shortest(proposal.topology, ("node", flow.speaker), flow.goal.vertices, without=thing)
    return path.links


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
