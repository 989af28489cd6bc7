"""Desired state of one node in wire format: confirmed state, changes in progress, moves, hold."""

from __future__ import annotations

from typing import Any

from backstay.core.model.change import ChangeExecution, ask_interval, next_step
from backstay.inventory.models import Node
from backstay.policy.models import Hold
from backstay.rollout.changes import execution
from backstay.rollout.models import OPEN, Application, Intended, Move
from backstay.rollout.wire_codec import wire_arp


def routing(node: Node) -> dict[str, Any] | None:
    """Last confirmed `NodeRouting`; None: none."""
    found = Intended.objects.filter(node=node).values_list("routing", flat=True).first()
    return None if found is None else dict(found)


def arp(node: Node) -> dict[str, Any] | None:
    """Last confirmed `NodeArp`; None: none."""
    found = Intended.objects.filter(node=node).values_list("arp", flat=True).first()
    return None if found is None else wire_arp(found, found["revision"])


def assignments(node: Node) -> list[dict[str, Any]]:
    """`ChangeAssignment` of every change in progress that involves this node, oldest first."""
    mine = (
        Application.objects.select_related("change")
        .filter(node=node, change__state__in=["rolling", "confirming"])
        .order_by("change__revision")
    )
    found = []
    for row in mine:
        change = row.change
        now = execution.read(change, [row])
        phase = next_step(now, now.members[0])
        if phase is not None:
            assignment = row.assignment
            found.append(
                {
                    "change": change.pk,
                    "revision": change.revision,
                    "phase": phase,
                    **_parts(assignment, change.revision or 0),
                    "probes": assignment["probes"],
                    "timeout_s": change.timeout_s,
                    "ask_every_s": _ask_interval(row, now),
                }
            )
    return found


def _ask_interval(row: Application, execution: ChangeExecution) -> float | None:
    """See `ask_interval`; the execution knows this row only."""
    size = Application.objects.filter(change_id=row.change_id, wave=row.wave).count()
    return ask_interval(execution, row.wave, size)


def _parts(assignment: dict[str, Any], revision: int) -> dict[str, Any]:
    """The parts of the change: routing, ARP or both."""
    found: dict[str, Any] = {}
    if assignment["routing"] is not None:
        found |= {"base": assignment["base"], "routing": {**assignment["routing"], "revision": revision}}
    if assignment.get("handed_back"):
        found["hand_back"] = assignment["handed_back"]
    if assignment.get("arp") is not None:
        found |= {"arp_base": assignment["arp_base"], "arp": wire_arp(assignment["arp"], revision)}
    return found


def moves(node: Node) -> list[dict[str, Any]]:
    """`PathMove` of every active move, oldest first; the node runs the timer."""
    mine = Move.objects.filter(path__node=node, state__in=OPEN, returning_at=None).order_by("pk")
    return [
        {
            "id": str(move.pk),
            "policy": move.path.policy.name,
            "prefix": move.path.policy.prefix,
            "gateway": move.gateway,
            "seconds": move.seconds,
        }
        for move in mine.select_related("path__policy")
    ]


def hold(node: Node) -> dict[str, Any] | None:
    """`NodeHold` that an operator requested; None: none. The node runs the timer."""
    rows = Hold.objects.filter(node=node, origin="backend", state__in=["waiting", "held"])
    found = rows.order_by("-until").first()
    if found is None:
        return None
    return {
        "id": found.uid,
        "by": found.person or "unknown",
        "reason": found.reason[:1024],
        "seconds": found.seconds,
    }
