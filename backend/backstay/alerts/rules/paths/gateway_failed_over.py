"""A policy's traffic has left its preferred gateway: one finding per gateway, however many nodes moved."""

from __future__ import annotations

from backstay.alerts.models import Incident
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import NOTHING, CauseRank, Scope
from backstay.core.diagnosis.faults.fault import FaultEvidence
from backstay.core.formatting import count, listing, part_of
from backstay.policy.selectors import PathState, Policy
from backstay.telemetry.facts import Facts

MAX_EVIDENCE = 8


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Policies with paths on a fallback; an unreachable node's path counts as last known."""
    moved: dict[tuple[int, int], list[PathState]] = {}
    for path in snapshot.unhealthy_paths:
        policy = snapshot.policies[path.policy_id]
        preferred = path.preferred(policy)
        if preferred is not None and path.on_fallback(policy):
            moved.setdefault((policy.id, preferred), []).append(path)
    if not moved:
        return RuleResult()
    order = {policy: place for place, policy in enumerate(snapshot.policies)}
    homes = sorted(snapshot.path_homes.items(), key=lambda item: order[item[0][0]])
    return RuleResult(
        tuple(
            _finding(snapshot, snapshot.policies[policy], gateway, (moved[policy, gateway], total))
            for (policy, gateway), total in homes
            if (policy, gateway) in moved
        )
    )


def _finding(
    snapshot: SiteSnapshot,
    policy: Policy,
    gateway: int,
    moved_of: tuple[list[PathState], int],
) -> Finding:
    moved, total = moved_of
    name = policy.gateways[gateway]
    onto = listing(sorted({path.active_text for path in moved}))
    spare = _spare(policy, moved)
    return Finding(
        fingerprint=f"gateway_failed_over:{policy.id}:{gateway}",
        severity="warning" if spare else "critical",
        subject=name,
        title=f"{name}: {part_of(len(moved), total, 'node')} of {policy.name} {_are(moved)} on {onto}",
        detail=f"{_reachability(name, moved, policy.target)} {_remaining_gateways(policy, onto, spare)}",
        since=min((path.since for path in moved if path.since is not None), default=snapshot.now),
        node_id=gateway,
        path_ids=tuple(path.id for path in moved),
        value=len(moved),
        evidence=tuple(_evidence(snapshot, name, path) for path in moved[:MAX_EVIDENCE]),
    )


def _evidence(snapshot: SiteSnapshot, gateway: str, path: PathState) -> FaultEvidence:
    """Whether the gateway that the path left answers the node."""
    node, alive = snapshot.topology.nodes[path.node_id].name, path.alive(gateway)
    if alive is None:
        return FaultEvidence("report", f"{node} uses {path.active_text}", path.since, node)
    answer = "answers" if alive else "does not answer"
    at = path.answers_since(gateway)
    return FaultEvidence("probe", f"{gateway} {answer} {node}", at, node, supports=not alive)


def _scope(_: SiteSnapshot, incident: Incident) -> Scope:
    return NOTHING if incident.node_id is None else Scope(gateways=frozenset({incident.node_id}))


def _covers(_: SiteSnapshot, incident: Incident) -> Scope:
    """What happens at the gateway that the paths left."""
    gateway = frozenset() if incident.node_id is None else frozenset({incident.node_id})
    return Scope(nodes=gateway, gateways=gateway)


def _are(moved: list[PathState]) -> str:
    return "is" if len(moved) == 1 else "are"


def _spare(policy: Policy, moved: list[PathState]) -> list[str]:
    """Gateways that are not in use and reachable from every node that moved."""
    used = {path.active_text for path in moved}
    orders = [list(path.gateways(policy).values()) for path in moved]
    others = dict.fromkeys(name for order in orders for name in order if name not in used)
    return [
        name
        for name in others
        if all(path.alive(name) for path, order in zip(moved, orders, strict=True) if name in order)
    ]


def _reachability(gateway: str, moved: list[PathState], target: str | None) -> str:
    """What the gateway does for the nodes that left it: its own answer alone proves no working path."""
    of = count(len(moved), "node")
    unreachable = sum(path.alive(gateway) is False for path in moved)
    if unreachable:
        return f"{gateway} is unreachable from {unreachable} of {of}."
    blocked = sum(path.forwards(gateway) is False for path in moved)
    if blocked:
        return f"{gateway} is reachable but not forwarding for {blocked} of {of}."
    if not all(path.alive(gateway) for path in moved):
        return f"The state of {gateway} is unknown."
    if target is None:
        return f"{gateway} is reachable again; failback is pending."
    if all(path.forwards(gateway) for path in moved):
        return f"{target} is reachable through {gateway} again; failback is pending."
    return f"{gateway} is reachable again; whether {target} is reachable through it is not verified yet."


def _remaining_gateways(policy: Policy, onto: str, spare: list[str]) -> str:
    if spare:
        return f"{listing(spare)} can still take over."
    return f"No other gateway remains: if {onto} fails too, {policy.prefix} is unreachable."


def _has_switched(facts: Facts) -> bool:
    return any(path.switch is not None for path in facts.paths)


RULE = Rule(
    kind="gateway_failed_over",
    title="Gateway failed over",
    severity="warning",
    evaluate=evaluate,
    triggers=_has_switched,
    cause_rank=CauseRank.FAILED_OVER,
    scope=_scope,
    covers=_covers,
    source="probe",
    reads_faults=True,
    is_steady=True,
    group="paths",
    about="node",
    summary="Paths of a policy do not use their preferred gateway.",
    runbook="gateway-failed-over",
)
