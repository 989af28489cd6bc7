"""A node that has not reported for three intervals."""

from __future__ import annotations

from operator import attrgetter

from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.explain import CauseRank
from backstay.core.model.freshness import incident_age_s
from backstay.core.model.topology import Node
from backstay.telemetry.selectors.nodes import NodeNow

_FORWARDING = frozenset({"gateway", "router", "switch"})


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """One finding per unreachable node; a node that has never reported has none."""
    findings = []
    for node in snapshot.topology.nodes.values():
        known = snapshot.nodes.get(node.id)
        if known is not None and known.report_times.watched and _is_unreachable(snapshot, known):
            findings.append(_finding(node, known))
    waiting = {fingerprint for fingerprint in present if _is_waiting(snapshot, fingerprint)}
    return RuleResult(tuple(findings), frozenset(waiting))


def _is_waiting(snapshot: SiteSnapshot, fingerprint: str) -> bool:
    """An incident from before a pause of the backend stays until its node reports."""
    known = snapshot.nodes.get(int(fingerprint.partition(":")[2]))
    if known is None or known.report_times.at is None or snapshot.listening_since is None:
        return False
    return known.report_times.at < snapshot.listening_since and known.report_times.watched


def _is_unreachable(snapshot: SiteSnapshot, known: NodeNow) -> bool:
    """Counted from the end of the backend's last pause: agents need time to report again."""
    at, age_s = known.report_times.at, incident_age_s(snapshot.site.interval_s)
    if at is None or (snapshot.now - at).total_seconds() <= age_s:
        return False
    listening_since = snapshot.listening_since
    return listening_since is None or (snapshot.now - listening_since).total_seconds() > age_s


def _finding(node: Node, known: NodeNow) -> Finding:
    assert known.report_times.at is not None
    detail = known.report_times.detail
    why = f"Its collector reports: {detail}." if detail else "Its agent does not report."
    return Finding(
        fingerprint=f"node_stale:{node.id}",
        severity="critical" if node.kind in _FORWARDING else "warning",
        subject=node.name,
        title=f"{node.name} is unreachable",
        detail=f"{why} Its values are the last ones reported.",
        since=known.report_times.at,
        node_id=node.id,
    )


RULE = Rule(
    kind="node_stale",
    title="Node unreachable",
    severity="warning",
    evaluate=evaluate,
    triggers=attrgetter("reporting"),
    cause_rank=CauseRank.NODE_UNREACHABLE,
)
