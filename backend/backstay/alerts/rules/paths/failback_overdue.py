"""Paths that still use a fallback although their preferred gateway has worked again for long.

With failback `now` or `after`, the node should have gone back by itself. With `manual`, somebody should
have done it by now. Held nodes are left out: an operator has their routes. One finding per policy and
gateway.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from backstay.alerts.models import Incident
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult, count_until
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import NOTHING, CauseRank, Scope
from backstay.core.alerting.rule_parameters import RuleParameter, opens_after
from backstay.core.diagnosis.faults.fault import FaultEvidence
from backstay.core.formatting import count, duration, listing
from backstay.policy.selectors import PathState, Policy

MAX_EVIDENCE = 8
MANUAL = RuleParameter(
    "manual_s", "Manual failback after", "s", 86_400, 0, 31_536_000, "For policies whose failback is manual."
)


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Paths on a fallback whose preferred gateway responds, and forwards as far as that is probed."""
    waiting: dict[tuple[int, int], list[tuple[PathState, datetime]]] = {}
    for path in snapshot.unhealthy_paths:
        policy = snapshot.policies[path.policy_id]
        since = _ready_since(snapshot, policy, path)
        preferred = path.preferred(policy)
        if since is not None and preferred is not None:
            waiting.setdefault((policy.id, preferred), []).append((path, since))
    findings = [
        _finding(
            snapshot,
            (snapshot.policies[policy], gateway),
            paths,
            _allowed(snapshot.policies[policy], parameters),
            present.get(_fingerprint(policy, gateway)),
        )
        for (policy, gateway), paths in waiting.items()
    ]
    return RuleResult(tuple(findings))


def _ready_since(snapshot: SiteSnapshot, policy: Policy, path: PathState) -> datetime | None:
    """Since when the path could have gone back; None: it uses its preferred gateway, or cannot go back."""
    preferred = path.preferred(policy)
    if preferred is None or not path.on_fallback(policy) or path.node_id in snapshot.holds:
        return None
    name = policy.gateways[preferred]
    if not snapshot.is_fresh(path.node_id) or not path.alive(name) or path.forwards(name) is False:
        return None
    known = [moment for moment in (path.answers_since(name), path.since) if moment is not None]
    return max(known, default=None)


def _allowed(policy: Policy, parameters: Parameters) -> timedelta:
    """How long a path may stay on its fallback after that."""
    timers = policy.timers
    if timers.revert == "manual":
        return timedelta(seconds=parameters["manual_s"])
    own = timers.revert_after_s if timers.revert == "after" else 0.0
    return timedelta(seconds=own + parameters["after_s"])


def _fingerprint(policy: int, gateway: int) -> str:
    return f"failback_overdue:{policy}:{gateway}"


def _finding(
    snapshot: SiteSnapshot,
    of: tuple[Policy, int],
    paths: list[tuple[PathState, datetime]],
    allowed: timedelta,
    incident: Incident | None,
) -> Finding:
    policy, gateway = of
    name, since = policy.gateways[gateway], min(moment for _, moment in paths)
    onto = listing(sorted({path.active_text for path, _ in paths}))
    is_manual = policy.timers.revert == "manual"
    act = (
        "Move them back" if is_manual else "Check the agent and the routes of these nodes, or move them back"
    )
    return Finding(
        fingerprint=_fingerprint(policy.id, gateway),
        subject=policy.name,
        title=f"{policy.name}: {count(len(paths), 'node')} still on {onto}, although {name} works",
        detail=f"{name} has worked for {duration((snapshot.now - since).total_seconds())}; the policy's"
        f" failback is {policy.timers.revert}. {act} (`backstay move`).",
        since=since,
        node_id=gateway,
        path_ids=tuple(path.id for path, _ in paths),
        value=float(len(paths)),
        count=count_until(allowed.total_seconds(), snapshot.now - since, incident),
        evidence=tuple(_evidence(snapshot, name, path, since) for path, since in paths[:MAX_EVIDENCE]),
    )


def _evidence(snapshot: SiteSnapshot, gateway: str, path: PathState, since: datetime) -> FaultEvidence:
    node = snapshot.topology.nodes[path.node_id].name
    return FaultEvidence("probe", f"{gateway} answers {node}, which uses {path.active_text}", since, node)


def _scope(_: SiteSnapshot, incident: Incident) -> Scope:
    return NOTHING if incident.node_id is None else Scope(gateways=frozenset({incident.node_id}))


RULE = Rule(
    kind="failback_overdue",
    title="Failback overdue",
    severity="warning",
    evaluate=evaluate,
    group="paths",
    about="node",
    summary="Paths stay on a fallback although their preferred gateway works again.",
    parameters=(opens_after(300.0, "After the policy's own failback time."), MANUAL),
    cause_rank=CauseRank.EFFECT,
    scope=_scope,
    source="probe",
    reads_faults=True,
    runbook="failback-overdue",
)
