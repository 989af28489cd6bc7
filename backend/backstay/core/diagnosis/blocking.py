"""How much busy HIPPI destinations cost: from a gateway's counters to shares of time and a blocking factor.

A HIPPI connection is made for each packet, and a destination serves one at a time. What waits for it is what
the CASA testbed called blocking; its blocking factor BF is the mean time for which a competing connection
keeps a port busy. A packet that finds its destination taken waits for that long, so the mean wait of a
gateway's packets shows BF from below: packets that did not wait count in it too.
"""

from __future__ import annotations

from dataclasses import dataclass

CASA_TICK_S = 20e-6
"""Of the hold time in the CASA testbed's gateways; the MIB itself names no unit."""


@dataclass(frozen=True, slots=True)
class GatewayGrowth:
    """What a HIPPI-SONET gateway's counters grew by in the same while of `seconds`."""

    seconds: float
    clock: float
    """Ticks of its own clock."""
    src_busy: float
    """Of these, ticks in which packets from afar waited."""
    delivered: float
    given_up: float


def waiting_share(grown: GatewayGrowth) -> float | None:
    """0..1 of the time in which something waited; None while its clock stands still."""
    return min(grown.src_busy / grown.clock, 1.0) if grown.clock > 0 else None


def blocking_factor_s(grown: GatewayGrowth) -> float | None:
    """Mean wait of a packet that was delivered or given up, seconds; None when there was none."""
    share, packets = waiting_share(grown), grown.delivered + grown.given_up
    return None if share is None or packets <= 0 else share * grown.seconds / packets


def hold_time(ticks: float | None) -> str:
    """h in words."""
    if ticks is None:
        return "not told"
    if ticks == 0:
        return "for ever"
    return f"{ticks:.0f} ticks, {ticks * CASA_TICK_S * 1000:g} ms at 20 µs a tick"
