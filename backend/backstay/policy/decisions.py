"""Decisions of the checkers on nodes: stored with their evidence and recorded as events.

A decision explains why a path switched; `switches` records the switch itself and its outage.
"""

from __future__ import annotations

from collections.abc import Sequence

from backstay.core.formatting import count, milliseconds
from backstay.core.model.event_kinds import EventKind
from backstay.inventory.models import Site
from backstay.policy.models import Decision, Path
from backstay.telemetry import events
from backstay.telemetry.events import Occurrence
from backstay.telemetry.facts import DecisionSeen

_STARTED = "start"
"""Reason in the report of a started checker: not a decision."""
_SEVERITY = {
    **dict.fromkeys(("failed", "carrier", "refused", "tried", "restored"), "warning"),
    "not_restored": "critical",
    "no_gateway": "critical",
}
_TEXTS = {
    "failed": "checker: {from} is down, {to} is active",
    "carrier": "the port towards {from} lost carrier, {to} is active",
    "recovered": "failback from {from} to {to}",
    "moved": "manual move from {from} to {to}",
    "move_over": "the manual move ended, back from {from} to {to}",
    "no_gateway": "no working gateway, {from} stays active",
    "tried": "trial: switched from {from} to {to}",
    "refused": "the checker cannot run",
    "restored": "the checker restored the managed route after a manual change",
    "not_restored": "the checker could not restore the managed route after a manual change",
}
_OVERRIDDEN = frozenset({"restored", "not_restored"})


def record_all(site: Site, seen: Sequence[DecisionSeen]) -> bool:
    """Store decisions and record events; whether there were any. Skips removed policies and nodes."""
    wanted = [item for item in seen if item.reason != _STARTED]
    if not wanted:
        return False
    rows = Path.objects.select_related("policy", "node").filter(
        policy__site=site,
        policy__name__in={item.policy for item in wanted},
        node_id__in={item.node_id for item in wanted},
    )
    paths = {(path.policy.name, path.node_id): path for path in rows}
    known = [
        (paths[item.policy, item.node_id], item) for item in wanted if (item.policy, item.node_id) in paths
    ]
    Decision.objects.bulk_create(_row(path, item) for path, item in known)
    events.record_all(site, [_occurrence(path, item) for path, item in known])
    return bool(known)


def _row(path: Path, seen: DecisionSeen) -> Decision:
    return Decision(
        path=path,
        at=seen.at,
        reason=seen.reason,
        from_gateway=seen.from_gateway,
        to_gateway=seen.to_gateway,
        evidence=seen.evidence + _often(seen),
        took_ms=seen.took_ms,
        held_back=min(seen.held_back, 2**31 - 1),
    )


def _occurrence(path: Path, seen: DecisionSeen) -> Occurrence:
    return Occurrence(
        EventKind.PATH_OVERRIDDEN if seen.reason in _OVERRIDDEN else EventKind.PATH_DECISION,
        f"{path.node.name}: {path.policy.prefix}: {describe_decision(seen)}",
        at=seen.at,
        subject=path.node.name,
        severity=_SEVERITY.get(seen.reason, "ok"),
        node_id=path.node_id,
        data={
            "policy": path.policy.name,
            "prefix": path.policy.prefix,
            "path_id": path.pk,
            "reason": seen.reason,
            "from": seen.from_gateway,
            "to": seen.to_gateway,
            "evidence": seen.evidence,
            "took_ms": seen.took_ms,
            "held_back": seen.held_back,
            "times": seen.times,
        },
    )


def describe_decision(seen: DecisionSeen) -> str:
    """`checker: grf1 is down, atmgw is active: 3 of 3 probes lost in 150 ms; effective after 2.1 ms`."""
    names = {"from": seen.from_gateway or "no gateway", "to": seen.to_gateway or "no gateway"}
    text = f"{_TEXTS.get(seen.reason, seen.reason).format(**names)}: {seen.evidence}{_often(seen)}"
    if seen.reason not in _OVERRIDDEN and seen.from_gateway != seen.to_gateway:
        text += f"; effective after {milliseconds(seen.took_ms)}"
    if seen.held_back:
        text += f"; {count(seen.held_back, 'switch', 'switches')} suppressed before"
    return text


def _often(seen: DecisionSeen) -> str:
    """The agent reports the first of several at once, the others once a minute with their number."""
    return f"; {seen.times} times since the last report" if seen.times > 1 else ""
