"""Drills: planned, in progress, or kept as evidence."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from backstay.api.drills.schemas import DrillNodeOut, DrillOut
from backstay.api.http.urls import drill_url
from backstay.core.formatting import duration, listing, part_of
from backstay.core.model.state import seconds
from backstay.rollout.drills.drill_events import outcome, worst_outage_ms
from backstay.rollout.drills.services import IN_PROGRESS

if TYPE_CHECKING:
    from backstay.rollout.models import Drill, Move


def drill_out(drill: Drill, now: datetime, *, may_cancel: bool) -> DrillOut:
    """One drill; policy, site, author, and moves with their paths' nodes are loaded."""
    members = sorted(drill.moves.all(), key=lambda move: move.path.node.name)
    open_still = drill.state == "scheduled" or (drill.state in IN_PROGRESS and not drill.cancelled_by)
    return DrillOut.model_validate(
        {
            "id": drill.pk,
            "name": f"#{drill.pk}",
            "site": drill.policy.site.name,
            "policy": drill.policy.name,
            "policy_id": drill.policy_id,
            "gateway": drill.gateway,
            "nodes": drill.nodes,
            "state": drill.state,
            "state_text": _text(drill, members, now),
            "since": drill.since,
            "age_s": seconds(now, drill.since) or 0.0,
            "author": drill.author.get_username() if drill.author else "",
            "cancelled_by": drill.cancelled_by,
            "may_cancel": may_cancel and open_still,
            "reason": drill.reason,
            "at": drill.at,
            "seconds": drill.seconds,
            "every_days": drill.every_days,
            "refused_because": drill.refused_because,
            "members": [_member(move) for move in members],
            "worst_outage_ms": worst_outage_ms(members),
            "fallback_bps": drill.fallback_bps,
            "fallback_utilisation": drill.fallback_utilisation,
            "url": drill_url(drill.pk),
        }
    )


def _text(drill: Drill, members: list[Move], now: datetime) -> str:
    moved = [move for move in members if move.state == "moved"]
    if drill.state == "scheduled":
        return f"starts in {duration(max((drill.at - now).total_seconds(), 0.0))}"
    if drill.state == "refused":
        return f"refused: {listing(drill.refused_because, 2)}"
    if drill.state == "running":
        return f"{part_of(len(moved), len(members), 'node')} moved"
    if drill.state == "returning":
        back = sum(move.state == "returned" for move in members)
        return f"{part_of(back, len(members), 'node')} back"
    if drill.state == "cancelled" and not members:
        return f"cancelled by {drill.cancelled_by}"
    return outcome(drill, members)


def _member(move: Move) -> DrillNodeOut:
    return DrillNodeOut.model_validate(
        {
            "node": move.path.node.name,
            "node_id": move.path.node_id,
            "path_id": move.path_id,
            "gateway": move.gateway,
            "moved_at": move.moved_at,
            "state": move.state,
            "detail": move.detail,
            "outage_out_ms": move.outage_out_ms,
            "outage_back_ms": move.outage_back_ms,
            "rtt_ms": None if move.rtt_us is None else round(move.rtt_us / 1000, 3),
        }
    )
