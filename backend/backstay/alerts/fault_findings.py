"""From faults to findings: what the rules about root causes share.

Titles and details state the current facts; every evaluation renders them again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from backstay.alerts.models import Incident
from backstay.alerts.rule import (
    Finding,
    Parameters,
    Present,
    Rule,
    RuleGroup,
    RuleResult,
    Severity,
    count_until,
    held_for,
    no_objects,
)
from backstay.alerts.selectors.incidents import with_fingerprints
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.overrides import RuleObject
from backstay.core.alerting.root_causes import CauseRank, Scope
from backstay.core.alerting.rule_parameters import opens_after
from backstay.core.alerting.saturation import Count
from backstay.core.diagnosis.faults.bfd import BfdPeer, bfd_evidence
from backstay.core.diagnosis.faults.fault import GATEWAY_KINDS, Fault, FaultKind
from backstay.core.formatting import count, listing
from backstay.policy.selectors import PathState
from backstay.telemetry.facts import Facts

HELD_S = 6.0
"""Time for which a fault is found before its incident opens, if it may be what is left of a wider one: a part
of a gateway, a standby, or probes that failed more than `REMAINS_S` before."""
REMAINS_S = 15.0
FaultKey = tuple[str, int, int]
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
    summary: str,
    group: RuleGroup = "reachability",
    about: RuleObject = "node",
    after_s: float = 0.0,
    triggers: Callable[[Facts], object] | None = None,
) -> Rule:
    """The rule of one kind of fault; `advice`: what to do, the last sentence of the detail."""

    def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
        after_s = float(parameters["after_s"])
        faults = [fault for fault in snapshot.faults if fault.kind == kind]
        renamed = _shown_otherwise(snapshot, faults) if after_s else frozenset()
        findings = tuple(
            _finding(
                snapshot,
                fault,
                describe(snapshot, fault),
                (advice, 0.0 if fault.key in renamed else after_s),
                present,
            )
            for fault in faults
        )
        blind = (name for name, incident in present.items() if is_blind(snapshot, incident))
        return RuleResult(findings, frozenset(blind))

    return Rule(
        kind=kind.value,
        title=title,
        severity=severity,
        evaluate=evaluate,
        parameters=(opens_after(after_s),),
        group=group,
        about=about,
        summary=summary,
        triggers=triggers,
        cause_rank=rank,
        scope=no_objects,
        covers=covers,
        reads_faults=True,
        runbook=kind.value.replace("_", "-"),
    )


def fingerprint(fault: Fault) -> str:
    """`gateway_isolated:12`; a partial fault also has its fabric, `gateway_unreachable:12:3`."""
    return _fingerprint(fault.key)


def _fingerprint(key: FaultKey) -> str:
    kind, subject, part = key
    return f"{kind}:{subject}" + (f":{part}" if part else "")


def _shown_otherwise(snapshot: SiteSnapshot, faults: Iterable[Fault]) -> frozenset[FaultKey]:
    """Keys of faults of gateways that are shown as another kind; one query.

    Such an incident ends in the evaluation that finds the new kind. The new one must open in the same, or the
    effects would stand alone meanwhile.
    """
    others = {
        _fingerprint((kind.value, *fault.key[1:])): fault.key
        for fault in faults
        if fault.kind in GATEWAY_KINDS
        for kind in GATEWAY_KINDS - {fault.kind}
    }
    if not others:
        return frozenset()
    return frozenset(others[name] for name in with_fingerprints(snapshot.site, others))


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
    """Whether no reporting node could observe the end of an incident, so that it stays open."""
    if incident.node_id is not None:
        probing = {path.node_id for path in snapshot.observations.paths if incident.node_id in path.probes}
        return bool(probing) and not (probing | {incident.node_id}) & snapshot.fresh_nodes
    return not snapshot.fresh_nodes


def _finding(
    snapshot: SiteSnapshot, fault: Fault, subject: str, rule: tuple[str, float], present: Present
) -> Finding:
    """`rule`: its advice and its `after_s`."""
    advice, after_s = rule
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
        value=_extent(fault),
        count=count_of(fault, after_s, snapshot.now, incident),
        fault=fault,
        evidence=(*fault.evidence, *bfd_evidence(snapshot.observations, fault, _sessions(snapshot, fault))),
    )


def _extent(fault: Fault) -> float:
    """What decides which title an incident keeps: broken paths, or the nodes that do not report."""
    if fault.kind == FaultKind.REPORTING_LOST:
        return float(len(fault.nodes))
    return float(len(fault.dead_paths) + len(fault.rerouted_paths))


def _sessions(snapshot: SiteSnapshot, fault: Fault) -> tuple[BfdPeer, ...]:
    return snapshot.bfd_peers if fault.kind in GATEWAY_KINDS else ()


def count_of(fault: Fault, after_s: float, now: datetime, incident: Incident | None) -> Count | None:
    """While a fault is repaired, carriers, probes and paths return one after the other: what is left for a
    moment is no fault of its own."""
    age = now - fault.since
    is_partial = bool(fault.node_id and fault.fabric_id) or fault.kind == FaultKind.STANDBY_DEAD
    is_rest = age.total_seconds() > REMAINS_S and fault.kind != FaultKind.GATEWAY_ISOLATED
    if is_partial or is_rest:
        return held_for(max(after_s, HELD_S), now, incident)
    return count_until(after_s, age, incident) if after_s else None


def impact_text(snapshot: SiteSnapshot, fault: Fault) -> str:
    """`3 paths dead, 7 rerouted to atmgw`, as in the headline of the overview."""
    known = snapshot.paths_by_id
    rerouted, dead = len(fault.rerouted_paths), len(fault.dead_paths)
    parts = []
    if dead:
        parts.append(f"{count(dead, 'path')} dead")
    if rerouted:
        onto = listing(sorted({known[path].active_text for path in fault.rerouted_paths if path in known}))
        parts.append(f"{rerouted if parts else count(rerouted, 'path')} rerouted to {onto}")
    if not parts and fault.standby_paths:
        parts.append(f"{count(len(fault.standby_paths), 'path')} without this standby")
    nothing = "their paths are unknown" if fault.kind == FaultKind.REPORTING_LOST else "no path affected"
    return ", ".join(parts) or nothing


def detail_text(snapshot: SiteSnapshot, fault: Fault) -> str:
    """Which nodes and policies lost what; each sentence ends with a space."""
    known = snapshot.paths_by_id
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
