"""Cost of busy HIPPI destinations: shares of time and a blocking factor from a gateway's counters.

HIPPI sets up a connection for each packet, and a destination serves one connection at a time. The CASA
testbed calls the wait blocking; its blocking factor BF is the mean time for which a competing connection
keeps a port busy. A packet that finds its destination busy waits for that time. The mean wait of a gateway's
packets is therefore a lower bound of BF: packets that did not wait count too.
"""

from __future__ import annotations

from dataclasses import dataclass

CASA_TICK_S = 20e-6
"""Tick of the hold time in the CASA testbed's gateways; the MIB defines no unit."""

LEAST_GIVEN_UP = 3
"""Fewer packets given up are no pattern."""


@dataclass(frozen=True, slots=True)
class GatewayGrowth:
    """Growth of a HIPPI-SONET gateway's counters within `seconds`."""

    seconds: float
    clock: float
    """Ticks of the gateway's clock."""
    src_busy: float
    """Ticks in which packets from the SONET side waited."""
    delivered: float
    given_up: float


def waiting_share(grown: GatewayGrowth) -> float | None:
    """Share of the time, 0..1, in which a packet waited; None if the gateway's clock did not advance."""
    return min(grown.src_busy / grown.clock, 1.0) if grown.clock > 0 else None


def blocking_factor_s(grown: GatewayGrowth) -> float | None:
    """Mean wait of a packet that was delivered or given up, in seconds; None if there was none."""
    share, packets = waiting_share(grown), grown.delivered + grown.given_up
    return None if share is None or packets <= 0 else share * grown.seconds / packets


def is_blocked(grown: GatewayGrowth, limit: float) -> bool:
    """Whether at least this share of the time, or of the packets, is lost to a busy destination.

    Little traffic waits for a small share of the time only; then the packets given up show the blocking.
    """
    packets = grown.delivered + grown.given_up
    given_up = grown.given_up / packets if packets and grown.given_up >= LEAST_GIVEN_UP else 0.0
    return max(waiting_share(grown) or 0.0, given_up) >= limit


def hold_time(ticks: float | None) -> str:
    """The hold time h as text."""
    if ticks is None:
        return "not reported"
    if ticks == 0:
        return "unlimited"
    return f"{ticks:.0f} ticks, {ticks * CASA_TICK_S * 1000:g} ms at 20 µs per tick"
