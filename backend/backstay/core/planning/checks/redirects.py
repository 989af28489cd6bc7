"""gated trusts an ICMP redirect (preference 30) more than our static routes, for three minutes."""

from __future__ import annotations

import re

from backstay.core.model.plan import Finding, NodePlan
from backstay.core.model.routing import EngineKind
from backstay.core.planning.checks.finding import passed, some, warning
from backstay.core.planning.proposal import Proposal

NAME = "redirects"
_COMMENT = re.compile(r"#[^\n]*|/\*.*?\*/", re.DOTALL)
_OFF = re.compile(r"(?:^|[;}\s])redirect\s+(?:no|off)\b")


def check(proposal: Proposal) -> list[Finding]:
    """Hosts with gated whose file does not say `redirect no`."""
    open_hosts = [plan.routing.node for plan in proposal.nodes if _listens(proposal, plan)]
    if not open_hosts:
        return passed(NAME, "No host lets an ICMP redirect override its gateways.")
    text = (
        f"A stray ICMP redirect would override the gateways of {some(open_hosts)} for three minutes: add "
        "`redirect no;` to gated's file there."
    )
    return [warning(NAME, text, open_hosts)]


def _listens(proposal: Proposal, plan: NodePlan) -> bool:
    routing = plan.routing
    if routing.engine.kind is not EngineKind.GATED or proposal.topology.nodes[routing.node_id].kind != "host":
        return False
    return not any(_OFF.search(_COMMENT.sub(" ", each.after)) for each in plan.files)
