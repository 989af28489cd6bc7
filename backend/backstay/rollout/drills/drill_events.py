"""Events and outcomes of drills, and the next drill of a series."""

from __future__ import annotations

from datetime import datetime, timedelta

from backstay.core.formatting import count, listing, milliseconds, rate
from backstay.core.model.event_kinds import EventKind
from backstay.live import publish
from backstay.rollout import moves
from backstay.rollout.models import Drill, Move
from backstay.telemetry import events


def outcome(drill: Drill, members: list[Move]) -> str:
    """`8 nodes moved and returned, max outage 142 ms; fallback peak 96.2 Mb/s`."""
    bad = [
        f"{move.path.node.name} ({move.detail or move.state})" for move in members if move.state != "returned"
    ]
    text = f"{count(len(members) - len(bad), 'node')} moved and returned"
    worst = worst_outage_ms(members)
    text += "" if worst is None else f", max outage {milliseconds(worst)}"
    if drill.fallback_bps is not None:
        text += f"; fallback peak {rate(drill.fallback_bps)}"
    return text + (f"; failed: {listing(bad)}" if bad else "")


def worst_outage_ms(members: list[Move]) -> float | None:
    """Over all measured moves, out and back."""
    measured = [item for move in members for item in (move.outage_out_ms, move.outage_back_ms)]
    return max((item for item in measured if item is not None), default=None)


def repeat(drill: Drill, now: datetime) -> None:
    """Schedule the next drill of a series."""
    if drill.every_days is None or drill.cancelled_by:
        return
    step = timedelta(days=drill.every_days)
    following = drill.at + step
    while following <= now:
        following += step
    Drill.objects.create(
        policy=drill.policy,
        author=drill.author,
        reason=drill.reason,
        nodes=drill.nodes,
        gateway=drill.gateway,
        seconds=drill.seconds,
        at=following,
        every_days=drill.every_days,
        since=now,
    )


def record_event(drill: Drill, now: datetime, text: str) -> None:
    """Record `drill.<state>`."""
    site, state = drill.policy.site, drill.state
    data = {"drill_id": drill.pk, "policy": drill.policy.name, "state": state}
    message = f"Drill #{drill.pk} of {drill.policy.name} {text}"
    kind = EventKind(f"drill.{state}")
    events.record(site, kind, message, at=now, subject=f"drill #{drill.pk}", data=data)
    publish.changed(site.name, moves.NOUNS)
