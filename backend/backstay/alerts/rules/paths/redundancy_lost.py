"""Paths that work but have no standby left: the next failure interrupts them. One finding per policy.

Paths whose standby is dead for a reason of their own nodes have an incident of the rule `standby_dead`
already.
"""

from __future__ import annotations

from backstay.alerts.models import Incident
from backstay.alerts.rule import (
    Finding,
    Parameters,
    Present,
    Rule,
    RuleResult,
    held_for,
    is_shown,
)
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank, Scope
from backstay.core.alerting.rule_parameters import opens_after
from backstay.core.diagnosis.faults.fault import FaultEvidence, FaultKind
from backstay.core.formatting import listing, part_of
from backstay.policy.selectors import PathState, Policy

MAX_EVIDENCE = 8


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Policies with working paths whose other gateways are all dead; stale paths are undecided."""
    alone: dict[int, list[PathState]] = {}
    for path in snapshot.unhealthy_paths:
        policy = snapshot.policies[path.policy_id]
        if path.best_standby(policy) == "dead" and snapshot.end_to_end(path) == "working":
            alone.setdefault(policy.id, []).append(path)
    explained = _of_standbys(snapshot) if alone else frozenset()
    findings = []
    for ident, paths in alone.items():
        left = [path for path in paths if path.id not in explained]
        if left:
            findings.append(
                _finding(snapshot, snapshot.policies[ident], left, parameters["after_s"], present)
            )
    return RuleResult(tuple(findings), frozenset(_undecided(snapshot, present)))


def _of_standbys(snapshot: SiteSnapshot) -> frozenset[int]:
    found = (fault.standby_paths for fault in snapshot.faults if fault.kind == FaultKind.STANDBY_DEAD)
    return frozenset(path for paths in found for path in paths)


def _undecided(snapshot: SiteSnapshot, present: Present) -> set[str]:
    """Shown incidents of policies of which no node reports."""
    if not present:
        return set()
    reporting = {path.policy_id for path in snapshot.deployed_paths if snapshot.is_fresh(path.node_id)}
    return {
        name for name, item in present.items() if is_shown(item) and int(name.split(":")[1]) not in reporting
    } & {f"redundancy_lost:{policy}" for policy in snapshot.policies}


def _finding(
    snapshot: SiteSnapshot, policy: Policy, paths: list[PathState], after_s: float, present: Present
) -> Finding:
    fingerprint = f"redundancy_lost:{policy.id}"
    dead = sorted({name for path in paths for name in path.dead_standbys(policy)})
    active = listing(sorted({path.active_text for path in paths}))
    total = snapshot.path_counts[policy.id]
    incident = present.get(fingerprint)
    who = f"{part_of(len(paths), total, 'node')}"
    return Finding(
        fingerprint=fingerprint,
        subject=policy.name,
        title=f"{policy.name}: {who} {'has' if len(paths) == 1 else 'have'} no working standby",
        detail=f"They work through {active}; {listing(dead)} cannot take over. If {active} fails,"
        f" {policy.prefix} is unreachable.",
        since=snapshot.now if incident is None else incident.opened_at,
        path_ids=tuple(path.id for path in paths),
        value=float(len(paths)),
        count=held_for(after_s, snapshot.now, incident),
        evidence=tuple(_evidence(snapshot, policy, path) for path in paths[:MAX_EVIDENCE]),
    )


def _evidence(snapshot: SiteSnapshot, policy: Policy, path: PathState) -> FaultEvidence:
    node = snapshot.topology.nodes[path.node_id].name
    text = f"{node} uses {path.active_text}; dead for it: {listing(path.dead_standbys(policy))}"
    return FaultEvidence("probe", text, path.at, node)


def _scope(snapshot: SiteSnapshot, incident: Incident) -> Scope:
    """The gateways that cannot take over."""
    policy = snapshot.policies.get(int(incident.fingerprint.split(":")[1]))
    if policy is None:
        return Scope()
    numbers = {name: ident for ident, name in policy.gateways.items()}
    paths = [path for path in snapshot.unhealthy_paths if path.policy_id == policy.id]
    dead = {name for path in paths for name in path.dead_standbys(policy)}
    return Scope(gateways=frozenset(numbers[name] for name in dead if name in numbers))


RULE = Rule(
    kind="redundancy_lost",
    title="Redundancy lost",
    severity="warning",
    evaluate=evaluate,
    group="paths",
    about="site",
    summary="Paths of a policy work, but none of their other gateways could take over.",
    parameters=(opens_after(30.0),),
    cause_rank=CauseRank.EFFECT,
    scope=_scope,
    source="probe",
    reads_faults=True,
    runbook="redundancy-lost",
)
