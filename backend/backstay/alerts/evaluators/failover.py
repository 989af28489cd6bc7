"""A policy's traffic has left its preferred gateway: one finding a gateway, however many nodes moved."""

from __future__ import annotations

from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Rule
from backstay.alerts.selectors.situation import Situation
from backstay.core.formatting import count, listing
from backstay.policy.selectors import PathNow, Policy
from backstay.rollout import selectors


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """Policies with paths on a fallback; a silent node's path counts as it was last known."""
    findings = []
    for policy in situation.policies.values():
        paths = [path for path in _in_force(situation, policy) if path.policy_id == policy.id]
        homes: dict[int, list[PathNow]] = {}
        for path in paths:
            preferred = path.preferred(policy)
            if preferred is not None:
                homes.setdefault(preferred, []).append(path)
        for gateway, theirs in homes.items():
            moved = [path for path in theirs if path.on_fallback(policy)]
            if moved:
                findings.append(_finding(situation, policy, gateway, (moved, len(theirs)), present))
    return Verdict(tuple(findings))


def _in_force(situation: Situation, policy: Policy) -> list[PathNow]:
    """The paths that can have left home: an operator's policy is a wish until a change brought it about.

    The site file's policies describe what is configured by hand, and hold from the start.
    """
    if policy.origin == "file":
        return situation.paths
    known = selectors.confirmed(situation.site)
    return [path for path in situation.paths if (path.node_id, policy.name, policy.prefix) in known]


def _finding(
    situation: Situation,
    policy: Policy,
    gateway: int,
    moved_of: tuple[list[PathNow], int],
    present: dict[str, Incident],
) -> Finding:
    moved, total = moved_of
    fingerprint = f"gateway_failed_over:{policy.id}:{gateway}"
    name = policy.gateways[gateway]
    onto = listing(sorted({path.active_text for path in moved}))
    spare = _spare(policy, moved)
    return Finding(
        fingerprint=fingerprint,
        severity="warning" if spare else "critical",
        subject=name,
        title=f"{name}: {len(moved)} of {count(total, 'node')} of {policy.name} {_are(moved)} on {onto}",
        detail=f"{still(present.get(fingerprint), len(moved))}{_answers(name, moved)}"
        f" {_left(policy, onto, spare)}",
        since=min((path.since for path in moved if path.since is not None), default=situation.now),
        node_id=gateway,
        path_ids=tuple(path.id for path in moved),
        value=len(moved),
    )


def still(incident: Incident | None, number: int) -> str:
    """`3 are left. ` once it is not as bad any more as the incident's title says."""
    if incident is None or incident.value is None or incident.value <= number:
        return ""
    return f"{number} {'is' if number == 1 else 'are'} left. "


def _are(moved: list[PathNow]) -> str:
    return "is" if len(moved) == 1 else "are"


def _spare(policy: Policy, moved: list[PathNow]) -> list[str]:
    """Gateways that are not in use and answer every node that moved."""
    used = {path.active_text for path in moved}
    orders = [list(path.gateways(policy).values()) for path in moved]
    others = dict.fromkeys(name for order in orders for name in order if name not in used)
    return [
        name
        for name in others
        if all(path.alive(name) for path, order in zip(moved, orders, strict=True) if name in order)
    ]


def _answers(gateway: str, moved: list[PathNow]) -> str:
    silent = sum(path.alive(gateway) is False for path in moved)
    if silent:
        return f"{gateway} does not answer {silent} of {count(len(moved), 'node')}."
    if all(path.alive(gateway) for path in moved):
        return f"{gateway} answers again; the way back is pending."
    return f"Whether {gateway} answers is not known."


def _left(policy: Policy, onto: str, spare: list[str]) -> str:
    if spare:
        return f"{listing(spare)} could still take over."
    return f"No other gateway is left: if {onto} fails too, {policy.prefix} is lost."
