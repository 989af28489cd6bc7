"""Check that no operator holds a node that the plan changes: their routes must not be replaced under them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from backstay.core.formatting import listing
from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import failed, passed
from backstay.core.planning.proposal import Proposal

NAME = "held"


def check(proposal: Proposal) -> list[Finding]:
    """Changing nodes with a hold."""
    changing = {node.routing.node: node.routing.node_id for node in proposal.nodes if node.changes}
    return held_findings(NAME, changing, proposal.observation.holds)


def held_findings(name: str, changing: Mapping[str, int], holds: Mapping[int, str]) -> list[Finding]:
    """`changing`: node name -> id; `holds`: node id -> `held until 14:32 UTC by alice`."""
    held = {node: holds[ident] for node, ident in changing.items() if ident in holds}
    if not held:
        return passed(name, "No operator holds a node that changes.")
    return [failed(name, f"{_listed(held.items())}. Wait until the holds end, or end them.", held)]


def _listed(held: Iterable[tuple[str, str]]) -> str:
    return listing([f"{node} is {text}" for node, text in held])
