"""A path's past as a line of segments: by which gateway, from when to when, cut for how long before. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Turn:
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
    turns: Sequence[Turn], active: str, known_since: datetime | None, start: datetime, now: datetime
) -> list[Segment]:
    """From `start` to `now`, seamless. `turns` are those since `start`, the oldest first.

    `active` is the gateway now, and `known_since` when the path was first heard of or last found elsewhere:
    before that, and before the first turn, nothing is claimed that no turn bears out.
    """
    if not turns:
        begin = start if known_since is None else max(start, known_since)
        return [] if known_since is None or begin >= now else [Segment(active, begin, now, None)]
    found = []
    if turns[0].at > start:
        found.append(Segment(turns[0].from_gateway, start, turns[0].at, None))
    for place, turn in enumerate(turns):
        end = turns[place + 1].at if place + 1 < len(turns) else now
        if end > turn.at:
            found.append(Segment(turn.to_gateway, turn.at, end, turn.outage_ms))
    return found
