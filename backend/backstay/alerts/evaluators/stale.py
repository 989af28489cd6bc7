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
    waiting = {fingerprint for fingerprint in present if _waits(situation, fingerprint)}
    return Verdict(tuple(findings), frozenset(waiting))


def _waits(situation: Situation, fingerprint: str) -> bool:
    """An incident from before we were away stays until its node is heard."""
    told = situation.nodes.get(int(fingerprint.partition(":")[2]))
    if told is None or told.heard.at is None or situation.heard_from is None:
        return False
    return told.heard.at < situation.heard_from and told.heard.watched


def _silent(situation: Situation, told: NodeNow) -> bool:
    """Counted from when agents could be heard at all: after we were away they need time to report again."""
    at, age_s = told.heard.at, incident_age_s(situation.site.interval_s)
    if at is None or (situation.now - at).total_seconds() <= age_s:
        return False
    heard_from = situation.heard_from
    return heard_from is None or (situation.now - heard_from).total_seconds() > age_s


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
