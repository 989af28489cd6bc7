"""Check for fallbacks with a smaller MTU, which stall connections that use larger packets."""

from __future__ import annotations

from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import failed, passed, some
from backstay.core.planning.proposal import Proposal
from backstay.core.planning.whatif.flows import Flow
from backstay.core.planning.whatif.forwarding_sim import Choice, FailureScenario

NAME = "mtu"


def check(proposal: Proposal) -> list[Finding]:
    """Fallbacks whose path has a smaller MTU than the preferred path."""
    scene = FailureScenario(proposal.analysis.world)
    planned = set(proposal.desired.routings)
    worse: dict[str, list[str]] = {}
    for flow in proposal.analysis.flows:
        nodes = proposal.names(member.node for member in flow.members if member.node in planned)
        for text in _smaller(proposal, scene, flow) if nodes else ():
            worse.setdefault(text, []).extend(nodes)
    found = [failed(NAME, text.format(some(nodes)), nodes) for text, nodes in worse.items()]
    return found or passed(NAME, "Every fallback carries packets as large as the preferred path does.")


def _smaller(proposal: Proposal, scene: FailureScenario, flow: Flow) -> list[str]:
    sizes = [
        (step.gateway, _mtu(proposal, path))
        for step in flow.steps
        if (path := scene.through(flow.speaker, step, flow.goal)).beyond.delivered
    ]
    return [
        f"{{}} can send {sizes[0][1]} bytes through {proposal.name(sizes[0][0])} but only {size} through "
        f"{proposal.name(gateway)} ({flow.route.policy}): make the MTUs of both paths equal."
        for gateway, size in sizes[1:]
        if size < sizes[0][1]
    ]


def _mtu(proposal: Proposal, path: Choice) -> int:
    links = [link for segment in (path.step, *path.beyond.segments) for link in segment.links]
    fabrics = proposal.topology.fabrics
    return min(fabrics[proposal.topology.links[link].fabric_id].mtu for link in links)
