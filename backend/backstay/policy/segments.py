"""A path's past as a line of segments: by which gateway, from when to when, cut for how long before. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class SwitchRecord:
    """One move of a path, as it was recorded."""

    at: datetime
    from_gateway: str
    to_gateway: str
    outage_ms: float | None


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch through one gateway; an empty one: no route."""

    gateway: str
    start: datetime
    end: datetime
    outage_ms: float | None
    """Of the move that began it; None: not measured, or it began before what was asked for."""


def segments(
    switches: Sequence[SwitchRecord],
    active: str,
    known_since: datetime | None,
    start: datetime,
    now: datetime,
) -> list[Segment]:
    """From `start` to `now`, seamless. `turns` are those since `start`, the oldest first.

    `active` is the gateway now, and `known_since` when the path was first heard of or last found elsewhere:
    before that, and before the first turn, nothing is claimed that no turn bears out.
    """
    if not switches:
        begin = start if known_since is None else max(start, known_since)
        return [] if known_since is None or begin >= now else [Segment(active, begin, now, None)]
    found = []
    if switches[0].at > start:
        found.append(Segment(switches[0].from_gateway, start, switches[0].at, None))
    for place, switch in enumerate(switches):
        end = switches[place + 1].at if place + 1 < len(switches) else now
        if end > switch.at:
            found.append(Segment(switch.to_gateway, switch.at, end, switch.outage_ms))
    return found
