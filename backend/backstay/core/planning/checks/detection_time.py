"""Check the real detection time of a dead gateway."""

from __future__ import annotations

from backstay.core.formatting import milliseconds
from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import passed, some, warning
from backstay.core.planning.detection import detects_in_ms
from backstay.core.planning.proposal import Proposal

NAME = "detection_time"


def check(proposal: Proposal) -> list[Finding]:
    """Nodes whose engine cannot detect within interval times `fail after`."""
    slow: dict[tuple[str, int, int, str], list[str]] = {}
    slowest = 0
    for routing, route in proposal.planned():
        asked, needs = route.timers.detects_in_ms, detects_in_ms(route, routing.engine.kind)
        slowest = max(slowest, needs)
        if needs > asked:
            key = (route.policy, asked, needs, routing.engine.kind.value)
            slow.setdefault(key, []).append(routing.node)
    found = [_finding(*key, list(dict.fromkeys(nodes))) for key, nodes in slow.items()]
    return found or passed(
        NAME, f"A dead gateway is detected within {milliseconds(slowest)}, as the policy requires."
    )


def _finding(policy: str, asked: int, needs: int, engine: str, nodes: list[str]) -> Finding:
    text = (
        f"{policy} requires {milliseconds(asked)}, but {engine}'s protocol takes up to {milliseconds(needs)} "
        f"on {some(nodes)}: choose the checker, set the gateways' announcement interval (at least 1 s), "
        "or accept the outage."
    )
    return warning(NAME, text, nodes)
