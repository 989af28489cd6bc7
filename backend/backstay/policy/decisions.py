"""What the checkers on nodes decide: kept with its evidence, and told as an event.

A decision says why a path moved; the move itself and its outage are the path observer's to tell (`switches`).
"""

from __future__ import annotations

from collections.abc import Sequence

from backstay.core.formatting import count, milliseconds
from backstay.inventory.models import Site
from backstay.policy.models import Decision, Path
from backstay.telemetry import events
from backstay.telemetry.events import Occurrence
from backstay.telemetry.facts import DecisionSeen

_STARTED = "start"
"""Why a checker that has just started says something: nothing was decided."""
_SEVERITY = {
    **dict.fromkeys(("failed", "carrier", "refused", "tried"), "warning"),
    "no_gateway": "critical",
}
_TEXTS = {
    "failed": "{from} is dead for its checker, {to} leads",
    "carrier": "the port towards {from} lost carrier, {to} leads",
    "recovered": "back from {from} to {to}",
    "moved": "moved from {from} to {to} on purpose",
    "move_over": "the move is over, back from {from} to {to}",
    "no_gateway": "no gateway is known to work, {from} is kept",
    "tried": "a trial: {from} led, {to} leads",
    "refused": "the checker cannot do its work",
}


def record_all(site: Site, seen: Sequence[DecisionSeen]) -> bool:
    """Keep and tell decisions; whether there was any. Of a policy or node that is gone, none is kept."""
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
        evidence=seen.evidence,
        took_ms=seen.took_ms,
        held_back=min(seen.held_back, 2**31 - 1),
    )


def _occurrence(path: Path, seen: DecisionSeen) -> Occurrence:
    return Occurrence(
        "path.decision",
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
        },
    )


def describe_decision(seen: DecisionSeen) -> str:
    """`grf1 is dead for its checker, atmgw leads: 3 of 3 probes lost in 150 ms; in force after 2 ms`."""
    names = {"from": seen.from_gateway or "no gateway", "to": seen.to_gateway or "no gateway"}
    text = f"{_TEXTS.get(seen.reason, seen.reason).format(**names)}: {seen.evidence}"
    if seen.from_gateway != seen.to_gateway:
        text += f"; in force after {milliseconds(seen.took_ms)}"
    if seen.held_back:
        text += f"; {count(seen.held_back, 'switch', 'switches')} held back before"
    return text
