"""A node that has not reported for three intervals.

That does not show that its data path is down: while other nodes get answers from it, the incident is a
warning.
"""

from __future__ import annotations

from operator import attrgetter

from backstay.alerts.models import Incident
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import NOTHING, CauseRank, Scope
from backstay.core.diagnosis.faults.fault import Fault, FaultKind
from backstay.core.diagnosis.faults.reporting import Answers, answering_nodes, is_unread, silent_node
from backstay.core.formatting import count
from backstay.core.model.topology import Node

_FORWARDING = frozenset({"gateway", "router", "switch"})


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """One finding per node that does not report; a node that has never reported has none."""
    silent = [node for node in snapshot.topology.nodes.values() if node.id in snapshot.silent_nodes]
    answering = answering_nodes(snapshot.observations) if silent else {}
    faults = {fault.node_id: fault for fault in snapshot.faults if fault.kind == FaultKind.NODE_UNREACHABLE}
    findings = [_finding(snapshot, node, answering.get(node.id), faults.get(node.id)) for node in silent]
    waiting = {fingerprint for fingerprint in present if _is_waiting(snapshot, fingerprint)}
    return RuleResult(tuple(findings), frozenset(waiting))


def _is_waiting(snapshot: SiteSnapshot, fingerprint: str) -> bool:
    """An incident from before a pause of the backend stays until its node reports."""
    known = snapshot.nodes.get(int(fingerprint.partition(":")[2]))
    if known is None or known.report_times.at is None or snapshot.listening_since is None:
        return False
    return known.report_times.at < snapshot.listening_since and known.report_times.watched


def _finding(snapshot: SiteSnapshot, node: Node, answers: Answers | None, root: Fault | None) -> Finding:
    """`root`: the node as a root cause, with the paths that it breaks; None if a wider fault explains it."""
    known = snapshot.nodes[node.id]
    assert known.report_times.at is not None
    detail = known.report_times.detail
    why = f"Its collector reports: {detail}." if detail else "Its agent does not report."
    fault = root or silent_node(snapshot.observations, node.id, answers)
    reached = (
        ""
        if answers is None
        else f" {count(len(set(answers[1])), 'node')} reach it: its agent or management port failed."
    )
    return Finding(
        fingerprint=f"node_stale:{node.id}",
        severity="critical" if node.kind in _FORWARDING and answers is None else "warning",
        subject=node.name,
        title=f"{node.name} is not reporting",
        detail=f"{why} Its values are the last ones reported.{reached}",
        since=known.report_times.at,
        node_id=node.id,
        path_ids=(*fault.dead_paths, *fault.rerouted_paths),
        fault=fault,
        evidence=fault.evidence,
    )


def _covers(snapshot: SiteSnapshot, incident: Incident) -> Scope:
    """The node; its links and the paths through it only if it is unreachable: one that answers has power, and
    of one that nobody polls nothing is known."""
    if incident.node_id is None:
        return NOTHING
    node = frozenset({incident.node_id})
    has_answered = any(not item["supports"] for item in incident.evidence)
    if has_answered or is_unread(snapshot.observations, incident.node_id):
        return Scope(nodes=node)
    links = frozenset(link.id for link in snapshot.observations.data_links(incident.node_id))
    return Scope(nodes=node, links=links, gateways=node)


RULE = Rule(
    kind="node_stale",
    title="Node not reporting",
    severity="warning",
    evaluate=evaluate,
    triggers=attrgetter("reporting"),
    cause_rank=CauseRank.NODE_UNREACHABLE,
    covers=_covers,
    reads_faults=True,
    group="reachability",
    about="node",
    summary="A node has not reported for three intervals.",
    runbook="node-unreachable",
)
