"""Static ARP entries that a polled device lost when it restarted: one finding per port.

Entries set by hand on a router are gone after its restart unless they are in its boot configuration. Peers
that do not answer ARP are then unreachable through it. The rule `drift` covers nodes with an agent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

from django.db.models import F

from backstay.alerts.evidence import observed
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.rules.neighbour_table import nodes_of
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.diagnosis.faults.fault import FaultEvidence
from backstay.core.diagnosis.neighbours import PortTable, lost_at_restart
from backstay.core.formatting import count, part_of
from backstay.core.model.topology import Fabric
from backstay.policy import selectors as policy_selectors
from backstay.telemetry.models import NodeState
from backstay.telemetry.selectors.neighbours import WatchNow, watches


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Ports whose static entries are missing since a restart, until they are set again."""
    known = [watch for watch in watches(snapshot.site, nodes_of(present)) if _is_missing(watch)]
    started = _polled(known)
    findings = []
    for watch in known:
        for port, table in watch.tables.items():
            fingerprint = f"neighbour_static:{watch.node_id}:{port}"[:200]
            is_lost = watch.node_id in started and lost_at_restart(table, started[watch.node_id])
            if table.missing and (is_lost or fingerprint in present):
                found = _finding(snapshot, fingerprint, (watch, port, table))
                evidence = _evidence(snapshot, watch, port, started.get(watch.node_id))
                findings.append(replace(found, evidence=tuple(evidence)))
    return RuleResult(tuple(findings))


def _is_missing(watch: WatchNow) -> bool:
    return any(table.missing for table in watch.tables.values())


def _polled(known: list[WatchNow]) -> dict[int, float]:
    """Start time of those that another node's agent polls, seconds since the Unix epoch."""
    rows = NodeState.objects.filter(node__in=[watch.node_id for watch in known], booted_at__isnull=False)
    rows = rows.filter(node__watcher__isnull=False).exclude(node__watcher=F("node"))
    started = rows.values_list("node_id", "booted_at")
    return {node: at.timestamp() for node, at in started if at is not None}


def _finding(snapshot: SiteSnapshot, fingerprint: str, of: tuple[WatchNow, str, PortTable]) -> Finding:
    watch, port, table = of
    fabric = _fabric(snapshot, watch.node_id, port)
    arp = policy_selectors.arp_policies(snapshot.site).get(fabric.id) if fabric is not None else None
    is_off = arp is not None and arp.mode == "off"
    name = f"{watch.node}:{port}"
    where = "" if fabric is None else f" of {fabric.name}"
    return Finding(
        fingerprint=fingerprint,
        severity="critical" if is_off else "warning",
        subject=name,
        title=f"{name} lost {count(table.missing, 'static ARP entry', 'static ARP entries')}"
        " when it restarted",
        detail=f"{count(table.permanent, 'entry remains', 'entries remain')}. Nodes{where} that do not answer"
        f" ARP are unreachable through {watch.node}. Set the entries again and add them to its boot"
        " configuration.",
        since=datetime.fromtimestamp(table.missing_at, UTC),
        node_id=watch.node_id,
        value=float(table.missing),
    )


def _evidence(
    snapshot: SiteSnapshot, watch: WatchNow, port: str, started: float | None
) -> Iterator[FaultEvidence]:
    """The table's count, and the restart."""
    table = watch.tables[port]
    before = table.permanent + table.missing
    text = f"{port} has {part_of(table.permanent, before, 'static entry', 'static entries')}"
    yield observed(snapshot, watch.node_id, text, watch.at, source="neighbours")
    if started is not None:
        yield observed(snapshot, watch.node_id, f"{watch.node} started", datetime.fromtimestamp(started, UTC))


def _fabric(snapshot: SiteSnapshot, node: int, port: str) -> Fabric | None:
    ports = snapshot.topology.ports.values()
    found = next((item for item in ports if item.node_id == node and item.name == port), None)
    return None if found is None else snapshot.topology.fabrics.get(found.fabric_id or 0)


RULE = Rule(
    kind="neighbour_static",
    title="Static ARP entries lost",
    severity="warning",
    evaluate=evaluate,
    cause_rank=CauseRank.INDEPENDENT,
    group="addresses",
    about="node",
    summary="A static neighbour entry contradicts the address that answers.",
    runbook="neighbour-entries",
)
