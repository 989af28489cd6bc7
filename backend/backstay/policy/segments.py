"""A path's history as contiguous segments: gateway, start, end and preceding outage. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class SwitchRecord:
    """One recorded switch of a path."""

    at: datetime
    from_gateway: str
    to_gateway: str
    outage_ms: float | None


@dataclass(frozen=True, slots=True)
class Segment:
    """A period on one gateway; empty: no route."""

    gateway: str
    start: datetime
    end: datetime
    outage_ms: float | None
    """Of the switch at its start; None: not measured, or before the requested range."""


def segments(
    switches: Sequence[SwitchRecord],
    active: str,
    known_since: datetime | None,
    start: datetime,
    now: datetime,
) -> list[Segment]:
    """Contiguous segments from `start` to `now`. `switches`: since `start`, oldest first.

    `active`: the current gateway; `known_since`: its first report. Earlier times without a recorded switch
    are left out.
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
