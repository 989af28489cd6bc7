"""A policy's nodes without a working path: no route, or a route whose target is unreachable."""

from __future__ import annotations

from datetime import datetime

from backstay.alerts.models import Incident
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import NOTHING, CauseRank, Scope
from backstay.core.alerting.rule_parameters import opens_after
from backstay.core.diagnosis.faults.fault import FaultEvidence
from backstay.core.formatting import listing, part_of
from backstay.policy.selectors import PathState, Policy

MAX_EVIDENCE = 8


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Policies with dead paths, one finding each; an outage shorter than `after_s` is a failover at work."""
    after_s = float(parameters["after_s"])
    dead: dict[int, list[PathState]] = {}
    for path in snapshot.unhealthy_paths:
        if _is_dead(path, snapshot.now, after_s):
            dead.setdefault(path.policy_id, []).append(path)
    findings = [
        _finding(snapshot, policy, dead[policy.id], snapshot.path_counts[policy.id])
        for policy in snapshot.policies.values()
        if policy.id in dead
    ]
    return RuleResult(tuple(findings))


def dead_since(path: PathState) -> datetime | None:
    """Since when a path carries no traffic; None while it does, or if it was never observed."""
    if path.at is None:
        return None
    if not path.active_text:
        return path.since or path.at
    return path.target_since or path.at if path.target_alive is False else None


def _is_dead(path: PathState, now: datetime, after_s: float) -> bool:
    since = dead_since(path)
    return since is not None and (now - since).total_seconds() >= after_s


def _finding(snapshot: SiteSnapshot, policy: Policy, dead: list[PathState], total: int) -> Finding:
    names = [snapshot.topology.nodes[path.node_id].name for path in dead]
    goal = policy.target or policy.prefix
    routeless = sum(not path.active_text for path in dead)
    who = names[0] if total == 1 else f"{part_of(len(dead), total, 'node')}"
    return Finding(
        fingerprint=f"path_dead:{policy.id}",
        subject=policy.name,
        title=f"{policy.name}: {who} cannot reach {goal}",
        detail=f"{listing(names)}: {_why(policy, routeless, len(dead))}.",
        since=min(since for path in dead if (since := dead_since(path)) is not None),
        node_id=dead[0].node_id if len(dead) == 1 else None,
        path_ids=tuple(path.id for path in dead),
        value=len(dead),
        evidence=tuple(_evidence(snapshot, policy, path) for path in dead[:MAX_EVIDENCE]),
    )


def _evidence(snapshot: SiteSnapshot, policy: Policy, path: PathState) -> FaultEvidence:
    node = snapshot.topology.nodes[path.node_id].name
    if not path.active_text:
        return FaultEvidence("report", f"{node} has no route to {policy.prefix}", path.since, node)
    text = f"{policy.target} does not answer {node} through {path.active_text}"
    return FaultEvidence("probe", text, path.target_since, node)


def _why(policy: Policy, routeless: int, dead: int) -> str:
    unreachable = f"{policy.target} is unreachable (route still installed)"
    if not routeless:
        return unreachable
    return f"no route to {policy.prefix}" + (f", or {unreachable}" if routeless < dead else "")


def _scope(snapshot: SiteSnapshot, incident: Incident) -> Scope:
    """The gateways that its dead paths use or prefer."""
    policy = snapshot.policies.get(int(incident.fingerprint.split(":")[1]))
    if policy is None:
        return NOTHING
    dead = [path for path in snapshot.paths if path.policy_id == policy.id and dead_since(path)]
    gateways = {gateway for path in dead for gateway in (path.active_id, path.preferred(policy))}
    return Scope(gateways=frozenset(gateway for gateway in gateways if gateway is not None))


RULE = Rule(
    kind="path_dead",
    title="Path dead",
    severity="critical",
    evaluate=evaluate,
    cause_rank=CauseRank.EFFECT,
    scope=_scope,
    source="probe",
    reads_faults=True,
    is_steady=True,
    waits_unseen=True,
    group="paths",
    about="site",
    summary="Nodes of a policy have no route, or their target does not answer.",
    parameters=(opens_after(3.0),),
    runbook="path-dead",
)
