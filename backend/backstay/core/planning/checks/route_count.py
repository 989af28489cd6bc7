"""Check that one message holds a node's routes, its boot file and the probes of the change."""

from __future__ import annotations

from backstay.core.formatting import count
from backstay.core.model.plan import Finding
from backstay.core.model.routing import Detection
from backstay.core.planning.checks.finding import by_number, failed, passed, some, warning
from backstay.core.planning.probes import MOST as MOST_PROBES
from backstay.core.planning.probes import probes
from backstay.core.planning.proposal import Proposal

NAME = "route_count"
MOST = 8_192
"""Maximum routes of one node in a message to its agent (`backstay_wire.routing.MAX_ROUTES`)."""
MOST_CHECKED = 300
"""Routes of one node that a checker was seen to switch in time: 300 in 0.6 s, 1,500 not within two minutes
(docs/benchmarks.md, "Many routes")."""
MOST_TEXT = 4 * 1024 * 1024
"""Maximum characters of its boot file (`backstay_wire.routing.MAX_CONFIG`)."""


def check(proposal: Proposal) -> list[Finding]:
    """Nodes above the maximum, such as return-path routers of a stripe with unordered node numbers."""
    counts = {routing.node: len(routing.routes) for routing in proposal.desired.routings.values()}
    found = [
        failed(
            NAME,
            f"{node} would need {many:,} routes, the limit is {MOST:,}: stripe by a label whose nodes have "
            "consecutive addresses, so that few return prefixes are needed.",
            [node],
        )
        for node, many in counts.items()
        if many > MOST
    ]
    found += [
        failed(
            NAME,
            f"{file.path} of {node.routing.node} would have {len(file.after):,} characters, the limit is "
            f"{MOST_TEXT:,}: give the node fewer routes.",
            [node.routing.node],
        )
        for node in proposal.nodes
        for file in node.files
        if len(file.after) > MOST_TEXT
    ]
    checked = {
        routing.node: sum(route.detection is Detection.CHECKER for route in routing.routes)
        for routing in proposal.desired.routings.values()
    }
    found += [
        warning(
            NAME,
            f"The checker of {node} would monitor {many:,} routes; it is known to switch {MOST_CHECKED} in"
            " time. Use BFD or fewer routes, or accept a slow failover.",
            [node],
        )
        for node, many in checked.items()
        if many > MOST_CHECKED
    ]
    found += _probes(proposal)
    return found or passed(NAME, f"No node needs more than {max(counts.values(), default=0)} routes.")


def _probes(proposal: Proposal) -> list[Finding]:
    """Nodes with more probes than an assignment takes, by the number left out."""
    dead: dict[int, set[int]] = {}
    for (node, gateway), answers in proposal.observation.alive.items():
        if not answers:
            dead.setdefault(node, set()).add(gateway)
    needed: dict[int, list[str]] = {}
    for plan in proposal.nodes:
        many = len(probes(plan.routing, dead.get(plan.routing.node_id, ())))
        if plan.changes and many > MOST_PROBES:
            needed.setdefault(many, []).append(plan.routing.node)
    return [
        warning(
            NAME,
            f"{some(nodes)} {by_number(nodes, 'needs', 'need')} {many} probes and a change runs "
            f"{MOST_PROBES}: {count(many - MOST_PROBES, 'probe')} of standby gateways left out, so these "
            "gateways are not proven before it is saved. Deploy fewer policies per change, or accept it.",
            nodes,
        )
        for many, nodes in needed.items()
    ]
