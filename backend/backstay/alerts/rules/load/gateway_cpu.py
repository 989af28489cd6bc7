"""A gateway or router whose processors are busy: it forwards late, or drops packets and routing messages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from backstay.alerts.evidence import observed
from backstay.alerts.models import Incident
from backstay.alerts.rule import (
    Finding,
    MetricSeries,
    Parameters,
    Present,
    Rule,
    RuleResult,
    Unmeasured,
    held_for,
    is_shown,
)
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import RuleParameter, opens_after
from backstay.core.model.device_metric import is_fresh
from backstay.telemetry.selectors.metrics import metrics_now

KINDS = frozenset({"gateway", "router"})
LOAD, IDLE = "host.processor_load", "aix.cpu_idle"
"""HOST-RESOURCES-MIB hrProcessorLoad, of each processor; AIX's vmstat, of all."""
RAISE = RuleParameter(
    "raise_at", "Opens at", "%", 90, 1, 100, "Mean load of its processors from which it opens."
)
CLEAR = RuleParameter(
    "clear_at", "Resolves below", "%", 75, 0, 100, "Mean load below which it resolves.", below="raise_at"
)


@dataclass(frozen=True, slots=True)
class ProcessorLoad:
    """Mean load of a node's processors, %."""

    node_id: int
    node: str
    load: float
    processors: int
    at: datetime


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Gateways above `raise_at` for `after_s`, until below `clear_at`; undecided without fresh values."""
    loads = {item.node_id: item for item in processor_loads(snapshot)}
    findings, undecided = [], {name for name in present if int(name.split(":")[1]) not in loads}
    for item in loads.values():
        fingerprint = f"gateway_cpu:{item.node_id}"
        incident = present.get(fingerprint)
        if item.load < parameters["clear_at" if is_shown(incident) else "raise_at"]:
            continue
        findings.append(
            Finding(
                fingerprint=fingerprint,
                subject=item.node,
                title=f"{item.node}: processors at {item.load:.0f} %",
                detail=f"Mean of {item.processors}. Clears below {parameters['clear_at']:g} %. Look for"
                " a process or for traffic that its interfaces cannot forward by themselves.",
                since=item.at if incident is None else incident.opened_at,
                node_id=item.node_id,
                value=item.load,
                threshold=parameters["raise_at"],
                count=held_for(parameters["after_s"], snapshot.now, incident),
                evidence=(observed(snapshot, item.node_id, f"processor load {item.load:.0f} %", item.at),),
            )
        )
    return RuleResult(tuple(findings), frozenset(undecided))


def processor_loads(snapshot: SiteSnapshot) -> list[ProcessorLoad]:
    """Fresh values of gateways and routers; one query."""
    nodes = [node.id for node in snapshot.topology.nodes.values() if node.kind in KINDS]
    if not nodes:
        return []
    found: dict[int, list[tuple[str, float, datetime]]] = {}
    for metric in metrics_now(snapshot.site, nodes, (LOAD, IDLE)):
        reading, interval_s = metric.reading, snapshot.site.interval_s
        if reading.number is None or not is_fresh(reading, snapshot.now, interval_s):
            continue
        load = reading.number if metric.metric == LOAD else 100 - reading.number
        found.setdefault(metric.node_id, []).append((metric.node, load, reading.at))
    return [
        ProcessorLoad(
            node,
            items[0][0],
            sum(load for _, load, _ in items) / len(items),
            len(items),
            max(at for *_, at in items),
        )
        for node, items in found.items()
        if snapshot.is_fresh(node)
    ]


def unmeasured(snapshot: SiteSnapshot, _: Parameters) -> list[Unmeasured]:
    """Gateways and routers whose processor load nothing reports."""
    known = {item.node_id for item in processor_loads(snapshot)}
    return [
        Unmeasured(node.name, "nothing reports the load of its processors", node_id=node.id)
        for node in snapshot.topology.nodes.values()
        if node.kind in KINDS and node.id not in known
    ]


def series(snapshot: SiteSnapshot, incident: Incident) -> list[MetricSeries]:
    """The load of each processor, the busiest first; one query."""
    if incident.node_id is None:
        return []
    rows = metrics_now(snapshot.site, (incident.node_id,), (LOAD, IDLE))
    limit = incident.threshold
    rows.sort(key=lambda row: -(row.reading.number or 0.0))
    return [
        MetricSeries(
            row.node_id,
            row.metric,
            row.subject,
            limit if limit is None or row.metric == LOAD else 100 - limit,
        )
        for row in rows
    ]


RULE = Rule(
    kind="gateway_cpu",
    title="Gateway processors busy",
    severity="warning",
    evaluate=evaluate,
    group="load",
    about="node",
    summary="The processors of a gateway or router are busy.",
    parameters=(RAISE, CLEAR, opens_after(300.0)),
    unmeasured=unmeasured,
    series=series,
    cause_rank=CauseRank.INDEPENDENT,
    runbook="gateway-load",
)
