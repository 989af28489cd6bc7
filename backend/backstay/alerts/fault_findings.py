"""From faults to findings: what the rules about root causes share.

Titles and details state the current facts; every evaluation renders them again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from backstay.alerts.models import Incident
from backstay.alerts.rule import (
    Finding,
    Parameters,
    Present,
    Rule,
    RuleResult,
    Severity,
    count_until,
    no_objects,
)
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.explain import CauseRank, Scope
from backstay.core.diagnosis.faults.fault import Fault, FaultKind
from backstay.core.formatting import count, listing
from backstay.policy.selectors import PathState
from backstay.telemetry.facts import Facts

PARTIAL_AFTER_S = 6.0
"""A gateway that is unreachable on one fabric only may still report that its port there is down."""
Describe = Callable[[SiteSnapshot, Fault], str]
"""The beginning of the title: `grf1 lost all links`."""


def fault_rule(
    kind: FaultKind,
    title: str,
    *,
    severity: Severity,
    rank: CauseRank,
    describe: Describe,
    advice: str,
    after_s: float = 0.0,
    triggers: Callable[[Facts], object] | None = None,
) -> Rule:
    """The rule of one kind of fault; `advice`: what to do, the last sentence of the detail."""

    def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
        after_s = float(parameters["after_s"])
        findings = tuple(
            _finding(snapshot, fault, describe(snapshot, fault), (advice, after_s), present)
            for fault in snapshot.faults
            if fault.kind == kind
        )
        blind = (name for name, incident in present.items() if is_blind(snapshot, incident))
        return RuleResult(findings, frozenset(blind))

    return Rule(
        kind=kind.value,
        title=title,
        severity=severity,
        evaluate=evaluate,
        defaults={"after_s": after_s},
        triggers=triggers,
        cause_rank=rank,
        scope=no_objects,
        covers=covers,
        reads_faults=True,
        runbook=kind.value.replace("_", "-"),
    )


def fingerprint(fault: Fault) -> str:
    """`gateway_isolated:12`; a partial fault also has its fabric, `gateway_unreachable:12:3`."""
    kind, subject, part = fault.key
    return f"{kind}:{subject}" + (f":{part}" if part else "")


def covers(_: SiteSnapshot, incident: Incident) -> Scope:
    """What the incident's fault affected when it was evaluated last."""
    affected: dict[str, list[int]] = incident.affected
    paths = [*affected.get("dead_paths", ()), *affected.get("rerouted_paths", ())]
    return Scope(
        nodes=frozenset(affected.get("nodes", ())),
        links=frozenset(affected.get("links", ())),
        paths=frozenset([*paths, *affected.get("standby_paths", ())]),
        gateways=frozenset() if incident.node_id is None else frozenset({incident.node_id}),
    )


def is_blind(snapshot: SiteSnapshot, incident: Incident) -> bool:
    """Whether nobody reports who could see the end of an incident: it stays."""
    if incident.node_id is not None:
        probing = {path.node_id for path in snapshot.observations.paths if incident.node_id in path.probes}
        return bool(probing) and not (probing | {incident.node_id}) & snapshot.fresh_nodes
    return not snapshot.fresh_nodes


def _finding(
    snapshot: SiteSnapshot, fault: Fault, subject: str, rule: tuple[str, float], present: Present
) -> Finding:
    """`rule`: its advice and its `after_s`."""
    advice, after_s = rule
    wait = max(after_s, PARTIAL_AFTER_S) if fault.node_id and fault.fabric_id else after_s
    incident = present.get(fingerprint(fault))
    return Finding(
        fingerprint=fingerprint(fault),
        subject=fault.subject,
        title=f"{subject}: {impact_text(snapshot, fault)}",
        detail=f"{detail_text(snapshot, fault)}{advice}",
        since=fault.since,
        node_id=fault.node_id,
        link_id=fault.link_id,
        path_ids=(*fault.dead_paths, *fault.rerouted_paths),
        value=float(len(fault.dead_paths) + len(fault.rerouted_paths)),
        count=count_until(wait, snapshot.now - fault.since, incident) if wait else None,
        fault=fault,
        evidence=fault.evidence,
    )


def impact_text(snapshot: SiteSnapshot, fault: Fault) -> str:
    """`7 paths rerouted to atmgw, 3 dead`."""
    known = {path.id: path for path in snapshot.paths}
    rerouted, dead = len(fault.rerouted_paths), len(fault.dead_paths)
    parts = []
    if rerouted:
        onto = listing(sorted({known[path].active_text for path in fault.rerouted_paths if path in known}))
        parts.append(f"{count(rerouted, 'path')} rerouted to {onto}")
    if dead:
        parts.append(f"{dead} dead" if parts else f"{count(dead, 'path')} dead")
    if not parts and fault.standby_paths:
        parts.append(f"{count(len(fault.standby_paths), 'path')} without this standby")
    return ", ".join(parts) or "no path affected"


def detail_text(snapshot: SiteSnapshot, fault: Fault) -> str:
    """Which nodes and policies lost what; each sentence ends with a space."""
    known = {path.id: path for path in snapshot.paths}
    dead = [known[path] for path in fault.dead_paths if path in known]
    others = [known[path] for path in fault.rerouted_paths if path in known]
    text = ""
    if dead:
        text += f"No working path: {_nodes(snapshot, dead)} ({_policies(snapshot, dead)}). "
    if others:
        text += f"On a fallback: {_nodes(snapshot, others)} ({_policies(snapshot, others)}). "
    if fault.standby_paths:
        text += f"{count(len(fault.standby_paths), 'path')} cannot fail over to {fault.subject}. "
    return text


def _nodes(snapshot: SiteSnapshot, paths: Iterable[PathState]) -> str:
    return listing(sorted({snapshot.topology.nodes[path.node_id].name for path in paths}))


def _policies(snapshot: SiteSnapshot, paths: Iterable[PathState]) -> str:
    return listing(sorted({snapshot.policies[path.policy_id].name for path in paths}))


def path_or_port_changed(facts: Facts) -> bool:
    """Whether a batch may show or end a fault of a gateway."""
    return bool(facts.ports) or facts.has_changed_paths


def fault_of(snapshot: SiteSnapshot, kind: FaultKind, ident: int) -> Fault | None:
    """The fault of this kind of one node or link."""
    return next(
        (
            fault
            for fault in snapshot.faults
            if fault.kind == kind
            and ident == (fault.link_id if kind == FaultKind.LINK_DOWN else fault.node_id)
        ),
        None,
    )
