"""Agents whose spool fills: their reports arrive more slowly than they are made, and will be lost.

A backlog after an outage drains within minutes, so a spool must stay filled for `after_s`.
"""

from __future__ import annotations

from backstay.accounts.models import Agent
from backstay.alerts.evidence import observed
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult, held_for, is_shown
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import RuleParameter, opens_after
from backstay.core.formatting import count

RAISE = RuleParameter(
    "raise_at", "Opens at", "reports", 500, 1, 10_000_000, "Waiting reports from which it opens.", "integer"
)
CLEAR = RuleParameter(
    "clear_at",
    "Resolves below",
    "reports",
    100,
    1,
    10_000_000,
    "Below so many it resolves.",
    "integer",
    "raise_at",
)


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Spools above `raise_at` for `after_s`, until below `clear_at`; one query. Agents that do not report are
    undecided: their last report is old."""
    least = min(parameters["raise_at"], parameters["clear_at"])
    rows = Agent.objects.filter(site=snapshot.site.name, revoked_at=None, spool_waiting__gte=least)
    nodes = {node.name: node.id for node in snapshot.topology.nodes.values()} if rows or present else {}
    findings = []
    undecided = {
        name
        for name, item in present.items()
        if item.node_id is not None and not snapshot.is_fresh(item.node_id)
    }
    for agent in rows:
        node = nodes.get(agent.node)
        fingerprint = f"agent_spool:{node}"
        incident = present.get(fingerprint)
        limit = parameters["clear_at" if is_shown(incident) else "raise_at"]
        if node is None or agent.spool_waiting < limit or not snapshot.is_fresh(node):
            continue
        waiting = count(agent.spool_waiting, "report")
        lost = (
            f" {count(agent.spool_dropped, 'report')} lost since its enrolment."
            if agent.spool_dropped
            else ""
        )
        findings.append(
            Finding(
                fingerprint=fingerprint,
                subject=agent.node,
                title=f"{agent.node}: {waiting} wait in its agent's spool",
                detail=f"They arrive more slowly than they are made.{lost} Check its connection to the"
                " backend, and the load of the ingest. When the spool is full, the oldest reports are lost.",
                since=(agent.last_reported_at or snapshot.now) if incident is None else incident.opened_at,
                node_id=node,
                value=float(agent.spool_waiting),
                threshold=parameters["raise_at"],
                count=held_for(parameters["after_s"], snapshot.now, incident),
                evidence=(
                    observed(snapshot, node, f"{waiting} waiting", agent.last_reported_at, source="report"),
                ),
            )
        )
    return RuleResult(tuple(findings), frozenset(undecided))


RULE = Rule(
    kind="agent_spool",
    title="Agent spool filling",
    severity="warning",
    evaluate=evaluate,
    group="monitoring",
    about="node",
    summary="Reports wait in an agent's spool for minutes.",
    parameters=(RAISE, CLEAR, opens_after(300.0)),
    cause_rank=CauseRank.EFFECT,
    runbook="agent-spool",
)
