"""Finite hold time: loss and delay of packets whose gateway gives up a busy destination after h.

Chinoy and Fall (CASA), sections 4.1, 5 and 7.2: when the hold timer of the packet at the head expires, that
packet and all that queue behind it are discarded. The destination is always busy when a connection is tried,
and the rest of a blocking time is exponential with mean BF (it has no memory). Times are in seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
TICK_S = 20e-6
"""Unit of h in CASA's gateways (section 5, footnote 4)."""
MAX_TICKS = 0x7FFF
"""Largest finite h that the lab's gateway takes, 655 ms."""
_PACKETS, _LANES = 2400, 512
_LEAST_RUNS = 16
_SETTLING = 400
"""First packets of each simulated run, which are not counted."""
_LEAST_EXPIRIES = 10.0
"""Fewer in a run: it does not show the mean."""
_SEED = 1994
_NEVER = 500.0
"""Blocking times in h: exp of it is beyond counting, and of more beyond floating point."""


@dataclass(frozen=True, slots=True)
class HoldResults:
    """Results by blocking factor: parallel arrays."""

    loss: Floats
    """Share of packets lost, 0..1."""
    wait_s: Floats
    """Mean delay of the delivered packets by blocking."""
    grows: Flags
    """The queue grows until the buffer is full, as with an unlimited hold time: the values do not count."""
    is_simulated: bool
    """Not from the closed form: within about 1 % of the packets and, near overload, 10 % of the delay."""


def expiry_share(blocking_s: float, hold_s: float) -> float:
    """Probability, 0..1, that a blocking time exceeds h: exp(-h / BF)."""
    return math.exp(-hold_s / blocking_s) if blocking_s > 0 else 0.0


def delivered_wait(blocking_s: float, hold_s: float) -> float:
    """Mean blocking time among those up to h, s: BF - h q / (1 - q), q = exp(-h / BF).

    It tends to h / 2, while the paper's bound is h (section 7.2).
    """
    if blocking_s <= 0:
        return 0.0
    ratio = hold_s / blocking_s
    if ratio < 1e-4:  # The difference of two nearly equal numbers; the next term of the series is 1e-9 h.
        return hold_s / 2 * (1 - ratio / 6)
    if ratio > _NEVER:
        return blocking_s
    return blocking_s - hold_s / math.expm1(ratio)


def hold_for_loss(blocking_s: float, loss: float) -> float:
    """The h, s, at which this share of the packets is lost: BF ln(1 / loss), 0 < loss <= 1."""
    return blocking_s * math.log(1 / loss)


def evaluate(rate_pps: float, blocking_s: Floats, hold_s: float, buffer: int) -> HoldResults:
    """Loss and delay at this packet rate for several blocking factors; `buffer` in packets.

    Up to one packet per h no packet queues behind another, and the closed form is exact at every rate, as the
    paper observes (section 7.2). At higher rates packets are discarded with the one before them: simulated.
    """
    if rate_pps * hold_s > 1:
        return _simulate(rate_pps, blocking_s, hold_s, buffer)
    lost = [expiry_share(mean, hold_s) for mean in blocking_s]
    waits = [delivered_wait(mean, hold_s) for mean in blocking_s]
    return HoldResults(np.array(lost), np.array(waits), np.zeros(len(lost), np.bool_), is_simulated=False)


def _simulate(rate_pps: float, blocking_s: Floats, hold_s: float, buffer: int) -> HoldResults:
    """Parallel runs of the queue, packet by packet; the same random numbers at each call."""
    runs = max(_LEAST_RUNS, _LANES // max(len(blocking_s), 1))
    means = np.repeat(blocking_s, runs)
    lanes, rows = np.arange(len(means)), min(buffer, _PACKETS)
    random = np.random.default_rng(_SEED)
    leaves = np.full((rows, len(means)), -1.0)  # When each of the newest accepted packets leaves the buffer.
    accepted = np.zeros(len(means), np.int64)
    expired = np.full(len(means), -1.0)  # The newest expiry of the hold timer.
    passed, waited = np.zeros(len(means)), np.zeros(len(means))
    for number in range(_PACKETS):
        at = number / rate_pps
        slot = accepted % rows
        fits = leaves[slot, lanes] <= at
        begins = np.maximum(at, leaves[slot - 1, lanes])
        drawn = random.exponential(1.0, len(means)) * means
        is_discarded = at < expired  # It waits in the queue when the timer expires.
        tried = fits & ~is_discarded
        expires, passes = tried & (drawn > hold_s), tried & (drawn <= hold_s)
        ends = np.where(is_discarded, expired, begins + np.minimum(drawn, hold_s))
        expired = np.where(expires, ends, expired)
        leaves[slot[fits], lanes[fits]] = ends[fits]
        accepted += fits
        if number >= _SETTLING:
            passed += passes
            waited += np.where(passes, ends - at, 0.0)
    delivered = passed.reshape(-1, runs).sum(axis=1)
    waits = waited.reshape(-1, runs).sum(axis=1) / np.maximum(delivered, 1)
    lost = 1 - delivered / (runs * (_PACKETS - _SETTLING))
    return HoldResults(lost, waits, _grows(rate_pps, blocking_s, hold_s, buffer), is_simulated=True)


def _grows(rate_pps: float, blocking_s: Floats, hold_s: float, buffer: int) -> Flags:
    """Where the queue grows nearly as without a hold time: the timer hardly ever expires.

    A run then shows neither the mean queue nor, unless it is filled by then, what a full buffer loses.
    """
    rho = np.maximum(rate_pps * blocking_s, 1e-12)
    tries = (_PACKETS - _SETTLING) / np.maximum(rho, 1)
    expiries = tries * np.exp(-hold_s / np.maximum(blocking_s, 1e-12))
    fills = _SETTLING * (1 - 1 / rho) < buffer
    return np.asarray((rho >= 1) & (expiries < _LEAST_EXPIRIES) & fills, np.bool_)
