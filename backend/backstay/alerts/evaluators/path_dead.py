"""A policy's nodes that reach nothing: no route at all, or a route whose far end is silent."""

from __future__ import annotations

from datetime import datetime

from backstay.alerts.evaluators.failover import still
from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Rule
from backstay.alerts.selectors.situation import Situation
from backstay.core.formatting import count, listing
from backstay.policy.selectors import PathNow, Policy


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """Policies with dead paths, one finding each; a cut shorter than `after_s` is a switch at work."""
    after_s = float(rule.parameters.get("after_s", 3.0))
    findings = []
    for policy in situation.policies.values():
        paths = [path for path in situation.paths if path.policy_id == policy.id]
        dead = [path for path in paths if _is_dead(path, situation.now, after_s)]
        if dead:
            incident = present.get(f"path_dead:{policy.id}")
            findings.append(_finding(situation, policy, dead, len(paths), incident))
    return Verdict(tuple(findings))


def dead_since(path: PathNow) -> datetime | None:
    """Since when a path carries nothing; None while it does, or when it was never observed."""
    if path.at is None:
        return None
    if not path.active_text:
        return path.since or path.at
    return path.target_since or path.at if path.target_alive is False else None


def _is_dead(path: PathNow, now: datetime, after_s: float) -> bool:
    since = dead_since(path)
    return since is not None and (now - since).total_seconds() >= after_s


def _finding(
    situation: Situation, policy: Policy, dead: list[PathNow], total: int, incident: Incident | None
) -> Finding:
    names = [situation.topology.nodes[path.node_id].name for path in dead]
    goal = policy.target or policy.prefix
    routeless = sum(not path.active_text for path in dead)
    who = names[0] if total == 1 else f"{len(dead)} of {count(total, 'node')}"
    return Finding(
        fingerprint=f"path_dead:{policy.id}",
        severity="critical",
        subject=policy.name,
        title=f"{policy.name}: {who} cannot reach {goal}",
        detail=f"{still(incident, len(dead))}{listing(names)}: {_why(policy, routeless, len(dead))}.",
        since=min(since for path in dead if (since := dead_since(path)) is not None),
        node_id=dead[0].node_id if len(dead) == 1 else None,
        path_ids=tuple(path.id for path in dead),
        value=len(dead),
    )


def _why(policy: Policy, routeless: int, dead: int) -> str:
    silent = f"the route stands and {policy.target} does not answer"
    if not routeless:
        return silent
    return f"no route to {policy.prefix}" + (f", or {silent}" if routeless < dead else "")
