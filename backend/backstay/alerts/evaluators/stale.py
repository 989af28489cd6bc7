"""A node that has been silent for three intervals."""

from __future__ import annotations

from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Rule
from backstay.alerts.selectors.situation import Situation
from backstay.core.model.freshness import incident_age_s
from backstay.core.model.topology import Node
from backstay.telemetry.selectors.nodes import NodeNow

_FORWARDING = frozenset({"gateway", "router", "switch"})


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """One finding a silent node. A node that was never heard is not yet part of the network's truth."""
    findings = []
    for node in situation.topology.nodes.values():
        told = situation.nodes.get(node.id)
        if told is not None and told.heard.watched and _silent(situation, told):
            findings.append(_finding(node, told))
    return Verdict(tuple(findings))


def _silent(situation: Situation, told: NodeNow) -> bool:
    at = told.heard.at
    return at is not None and (situation.now - at).total_seconds() > incident_age_s(situation.site.interval_s)


def _finding(node: Node, told: NodeNow) -> Finding:
    assert told.heard.at is not None
    why = f"Its collector says: {told.heard.detail}." if told.heard.detail else "Its agent sends nothing."
    return Finding(
        fingerprint=f"node_stale:{node.id}",
        severity="critical" if node.kind in _FORWARDING else "warning",
        subject=node.name,
        title=f"{node.name} is silent",
        detail=f"{why} What is shown of it is what was last known.",
        since=told.heard.at,
        node_id=node.id,
    )
