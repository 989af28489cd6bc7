"""Check that each node's engine supports the policy's detection method."""

from __future__ import annotations

from backstay.core.formatting import listing
from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import failed, passed
from backstay.core.planning.detection import unsupported
from backstay.core.planning.proposal import Proposal

NAME = "detection_possible"


def check(proposal: Proposal) -> list[Finding]:
    """BFD on engines without BFD for static routes; protocol detection without a routing protocol."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for routing, route in proposal.planned():
        why = unsupported(route.detection, routing.engine)
        if why and routing.node not in reasons.get((route.policy, why), ()):
            reasons.setdefault((route.policy, why), []).append(routing.node)
    found = [
        failed(
            NAME,
            f"{policy} requires {_detection_label(proposal, policy)}, but {_node_list(nodes)} {why}:"
            " choose the checker.",
            nodes,
        )
        for (policy, why), nodes in reasons.items()
    ]
    return found or passed(NAME, "Every node's engine supports its policy's failure detection.")


def _node_list(nodes: list[str]) -> str:
    return listing(nodes) if len(nodes) == 1 else f"each of {listing(nodes)}"


def _detection_label(proposal: Proposal, policy: str) -> str:
    detections = {route.policy: route.detection for _, route in proposal.planned()}
    return {"bfd": "BFD", "protocol": "a routing protocol's timers", "checker": "the checker"}[
        detections[policy]
    ]
