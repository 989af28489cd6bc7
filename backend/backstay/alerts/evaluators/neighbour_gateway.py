"""Entries that still point at a dead gateway after a failover: one finding a gateway."""

from __future__ import annotations

from datetime import datetime, timedelta

from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Rule
from backstay.alerts.selectors.situation import Situation
from backstay.core.diagnosis.dead_entries import misleading
from backstay.core.formatting import count, listing
from backstay.telemetry.selectors.neighbours import Towards, addresses_of, towards


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """Gateways that answer nobody, and the nodes that would still send to them."""
    after = timedelta(seconds=float(rule.parameters.get("after_s", 10.0)))
    findings = []
    for gateway, since in _dead(situation).items():
        if situation.now - since < after:
            continue
        found = misleading(towards(situation.site, gateway), addresses_of(gateway))
        if found:
            findings.append(_finding(situation, gateway, since, found))
    return Verdict(tuple(findings))


def _dead(situation: Situation) -> dict[int, datetime]:
    """Gateway -> since when: nobody that probes it is answered, and somebody's way went by another."""
    answers: dict[int, list[bool]] = {}
    since: dict[int, datetime] = {}
    for path in situation.paths:
        policy = situation.policies[path.policy_id]
        for gateway, name in path.gateways(policy).items():
            alive = path.alive(name)
            if alive is not None and situation.is_fresh(path.node_id):
                answers.setdefault(gateway, []).append(alive)
                told = path.answers_since(name) or path.since or situation.now
                since[gateway] = max(told, since.get(gateway, told))
    return {gateway: since[gateway] for gateway, said in answers.items() if not any(said)}


def _finding(
    situation: Situation, gateway: int, since: datetime, found: list[tuple[Towards, str]]
) -> Finding:
    name = situation.topology.nodes[gateway].name
    nodes = sorted({entry.node for entry, _ in found})
    first = "; ".join(
        f"{entry.node}:{entry.port} has {entry.address} at {entry.mac}: {why}" for entry, why in found[:8]
    )
    rest = f"; and {len(found) - 8} more" if len(found) > 8 else ""
    verb = "points" if len(nodes) == 1 else "point"
    return Finding(
        fingerprint=f"neighbour_gateway:{gateway}",
        severity="critical"
        if any(entry.state in {"permanent", "static"} for entry, _ in found)
        else "warning",
        subject=name,
        title=f"{name} is dead and {count(len(nodes), 'node')} still {verb} at it: {listing(nodes)}"[:300],
        detail=f"{first}{rest}. What they send there is lost."[:2000],
        since=since,
        node_id=gateway,
        value=float(len(found)),
    )
