"""Check the real detection time of a dead gateway."""

from __future__ import annotations

from backstay.core.formatting import listing, milliseconds
from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import passed, some, warning
from backstay.core.planning.detection import detects_in_ms, switches_in_ms
from backstay.core.planning.proposal import Proposal

NAME = "detection_time"


def check(proposal: Proposal) -> list[Finding]:
    """Nodes whose engine cannot detect within interval times `fail after`, and each engine's switch time."""
    slow: dict[tuple[str, int, int, str], list[str]] = {}
    slowest = 0
    switches: dict[str, int] = {}
    for routing, route in proposal.planned():
        switch = switches_in_ms(route, routing.engine.kind)
        if switch:
            switches[routing.engine.spec.label] = switch
        asked, needs = route.timers.detects_in_ms, detects_in_ms(route, routing.engine.kind)
        slowest = max(slowest, needs)
        if needs > asked:
            key = (route.policy, asked, needs, routing.engine.kind.value)
            slow.setdefault(key, []).append(routing.node)
    found = [_finding(*key, list(dict.fromkeys(nodes))) for key, nodes in slow.items()]
    detected = f"A dead gateway is detected within {milliseconds(slowest)}, as the policy requires."
    return found or passed(NAME, " ".join([detected, *_switching(switches)]))


def _switching(switches: dict[str, int]) -> list[str]:
    """What an engine adds before traffic takes another gateway."""
    if not switches:
        return []
    longest_first = sorted(switches.items(), key=lambda item: (-item[1], item[0]))
    times = listing([f"{label} up to {milliseconds(ms)}" for label, ms in longest_first])
    return [f"Then the engine switches: {times}."]


def _finding(policy: str, asked: int, needs: int, engine: str, nodes: list[str]) -> Finding:
    text = (
        f"{policy} requires {milliseconds(asked)}, but {engine}'s protocol takes up to {milliseconds(needs)} "
        f"on {some(nodes)}: choose the checker, set the gateways' announcement interval (at least 1 s), "
        "or accept the outage."
    )
    return warning(NAME, text, nodes)
