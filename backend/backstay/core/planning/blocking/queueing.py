"""Unlimited hold time: a queue with deterministic arrivals and exponential blocking (D/M/1, D/M/1/K).

Chinoy and Fall (CASA), section 5: packets arrive at a constant rate, and each waits for one blocking time,
exponential with mean BF. Transmission takes no time in the model (64 KB take 0.64 ms at 800 Mb/s). The load
rho is rate x BF; from 1 on the queue grows until the buffer is full. Times are in seconds, rates per second.
"""

from __future__ import annotations

import math

import numpy as np

BURST_BYTES = 1024
"""A full HIPPI burst: 256 words of 32 bits (HIPPI-FP)."""
_BISECTIONS = 200
_NEGLIGIBLE = 32.0
"""exp(-32) = 1e-14 is below the rounding of a probability near 1."""
_EXACT = 400
"""Buffers up to so many packets are computed term by term; larger ones from the two lengths below."""
_SHORT, _LONG = 200, 400


def load(rate_pps: float, blocking_s: float) -> float:
    """Utilisation rho of the destination as the packets see it; unstable from 1 on."""
    return rate_pps * blocking_s


def decay(rho: float) -> float:
    """ln(sigma) of D/M/1, where sigma solves sigma = exp(-(1 - sigma) / rho) and is not 1.

    Below 0 for rho < 1, above 0 for rho > 1; 0 at rho = 1, where 1 is a double root. ValueError unless rho >
    0.
    """
    if not rho > 0:
        raise ValueError(f"the load must be above 0, not {rho}")
    if rho == 1:
        return 0.0
    peak = math.log(rho)  # rho u + 1 - exp(u) has its maximum here, between the roots 0 and u.
    low, high = (-1 / rho, peak) if rho < 1 else (peak, 2 * peak + 1)
    while rho > 1 and rho * high - math.expm1(high) > 0:
        high *= 2
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        is_above_root = (rho * middle - math.expm1(middle) > 0) == (rho < 1)
        low, high = (low, middle) if is_above_root else (middle, high)
    return (low + high) / 2


def mean_wait(rate_pps: float, blocking_s: float) -> float | None:
    """Mean delay of a packet by blocking and queueing, s: BF / (1 - sigma); None: unstable.

    An unlimited buffer. Source: D/M/1, checked against the figures of CASA section 7.1.
    """
    rho = load(rate_pps, blocking_s)
    if blocking_s <= 0:
        return 0.0
    if rho <= 0:
        return blocking_s
    return None if rho >= 1 else blocking_s / -math.expm1(decay(rho))


def buffer_packets(buffer_bytes: int, packet_bytes: int, *, whole_bursts: bool) -> int:
    """Packets that a burst buffer holds; 0: not even one.

    `whole_bursts`: a packet occupies whole bursts of 1 KiB. The paper does not state which is the case.
    """
    size = math.ceil(packet_bytes / BURST_BYTES) * BURST_BYTES if whole_bursts else packet_bytes
    return buffer_bytes // size


def time_to_fill(rate_pps: float, blocking_s: float, packets: int) -> float | None:
    """Mean seconds until an empty buffer of so many packets is full; None: the queue is stable."""
    if load(rate_pps, blocking_s) <= 1:
        return None
    return packets / (rate_pps - 1 / blocking_s)


def loss(rate_pps: float, blocking_s: float, packets: int) -> float:
    """Share of the packets lost, 0..1, if the buffer holds `packets` including the one that waits (D/M/1/K).

    Far above saturation it is 1 - 1 / rho. With HIPPI's flow control these packets are not lost in the
    gateway but at a source that cannot be slowed down, such as ping (CASA section 7.1). ValueError for no
    packet.
    """
    if packets < 1:
        raise ValueError("the buffer holds no packet")
    rho = load(rate_pps, blocking_s)
    if rho <= 0:
        return 0.0
    slope = decay(rho)
    if packets * slope < -_NEGLIGIBLE:
        return 0.0
    if packets * slope > _NEGLIGIBLE:
        return 1 - 1 / rho
    return 1 / _weight(rho, slope, packets)


def _weight(rho: float, slope: float, packets: int) -> float:
    """Sum of the state probabilities at arrivals, relative to that of a full buffer.

    Beyond some tens of packets it is a + b sigma^-K to rounding: the other roots of the queue have died out.
    """
    if packets <= _EXACT:
        return float(np.sum(_relative(rho, packets)))
    sums = np.cumsum(_relative(rho, _LONG))
    step = (sums[_LONG] - sums[_SHORT]) / (_growth(slope, _LONG) - _growth(slope, _SHORT))
    return float(sums[_LONG] + step * (_growth(slope, packets) - _growth(slope, _LONG)))


def _growth(slope: float, packets: int) -> float:
    """(sigma^-K - 1) / (sigma^-1 - 1), which is K for sigma = 1."""
    return float(packets) if abs(slope) < 1e-9 else math.expm1(-packets * slope) / math.expm1(-slope)


def _relative(rho: float, packets: int) -> np.ndarray:
    """Probability that an arrival finds K, K - 1 ... 0 packets, relative to K: the embedded Markov chain.

    Between two arrivals a Poisson number of packets with mean 1 / rho leaves.
    """
    departures = np.exp(
        [-1 / rho - count * math.log(rho) - math.lgamma(count + 1) for count in range(packets + 1)]
    )
    found = np.empty(packets + 1)
    found[0] = 1.0
    for index in range(packets):
        # An arrival at a full buffer is lost: it leaves the state of the arrival before it.
        later = float(np.dot(departures[1 : index + 1], found[index:0:-1]))
        found[index + 1] = (found[index] - later - departures[index] * found[0]) / departures[0]
    return found
