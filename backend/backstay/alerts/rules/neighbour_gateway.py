"""Neighbour entries that still point at a dead gateway after a failover: one finding per gateway."""

from __future__ import annotations

from datetime import datetime, timedelta

from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.explain import CauseRank
from backstay.core.diagnosis.neighbours import misleading
from backstay.core.formatting import count, listing
from backstay.telemetry.selectors.neighbours import Towards, addresses_of, towards


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Dead gateways, and the nodes that would still send to them."""
    after = timedelta(seconds=float(parameters["after_s"]))
    findings = []
    for gateway, since in _dead(snapshot).items():
        if snapshot.now - since < after:
            continue
        found = misleading(towards(snapshot.site, gateway), addresses_of(gateway))
        if found:
            findings.append(_finding(snapshot, gateway, since, found))
    return RuleResult(tuple(findings))


def _dead(snapshot: SiteSnapshot) -> dict[int, datetime]:
    """Gateway -> since when no probe of it is answered while a path uses another gateway."""
    answers: dict[int, list[bool]] = {}
    since: dict[int, datetime] = {}
    for path in snapshot.paths:
        policy = snapshot.policies[path.policy_id]
        for gateway, name in path.gateways(policy).items():
            alive = path.alive(name)
            if alive is not None and snapshot.is_fresh(path.node_id):
                answers.setdefault(gateway, []).append(alive)
                moment = path.answers_since(name) or path.since or snapshot.now
                since[gateway] = max(moment, since.get(gateway, moment))
    return {gateway: since[gateway] for gateway, alive in answers.items() if not any(alive)}


def _finding(
    snapshot: SiteSnapshot, gateway: int, since: datetime, found: list[tuple[Towards, str]]
) -> Finding:
    name = snapshot.topology.nodes[gateway].name
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
        detail=f"{first}{rest}. Packets sent there are lost."[:2000],
        since=since,
        node_id=gateway,
        value=float(len(found)),
    )


RULE = Rule(
    kind="neighbour_gateway",
    title="Stale gateway entries",
    severity="warning",
    evaluate=evaluate,
    defaults={"after_s": 10.0},
    cause_rank=CauseRank.EFFECT,
)
