"""Throughput of one bulk TCP connection whose segments or acknowledgements a busy HIPPI destination blocks.

Chinoy and Fall (CASA), sections 5 and 7.3. Assumptions: `duty` is the probability that a connection is tried
while the destination is busy; it then waits for the rest of an exponential blocking time with mean BF.
Blocked packets pass one per blocking time. With a finite hold time the sender is one with slow start, a
window of whole segments, coarse timers (500 ms ticks, at least two) that double up to 64 s, and no fast
retransmit; an acknowledgement covers all before it, so that only the loss of all acknowledgements of a window
stops it: those that arrive while the timer of the first runs are discarded with it.
Rates are bit/s, times seconds, sizes bytes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from backstay.core.planning.blocking.hold import delivered_wait, expiry_share

Blocked = Literal["segments", "acks"]
MSS = 65_240
"""Largest segment at HIPPI's MTU of 65280: without 40 bytes of headers."""
FIRST_TIMEOUT_S, LAST_TIMEOUT_S = 0.75, 64.0
"""Two ticks of a 500 ms timer with a random phase: 0.5 to 1 s; the limit of the doubling."""
DELAYED_ACK_S = 0.1
"""Mean delay of an acknowledgement that waits for more segments: ticks of 200 ms."""
UNLIMITED_NOTE = (
    "Close to the paper for BF = 20 ms and three segments per acknowledgement: 78.3 Mb/s instead of 76.8"
    " Mb/s."
    " The lab's event simulation reaches 67 Mb/s."
)
FINITE_NOTE = (
    "Known not to reproduce the paper: at BF = 20 ms and h = 10 ms it published 10.4 Mb/s. A destination"
    " that is"
    " always busy loses so many acknowledgements that the timers double without end (0.1 Mb/s); 10.4 Mb/s"
    " needs a"
    " duty of about 0.25, with which the unlimited hold time does not match. The paper does not state how"
    " long its"
    " blocking source pauses. Use the direction, not the value."
)
SEGMENTS_NOTE = "Not measured in the paper, which describes segment blocking in words only (section 5)."


@dataclass(frozen=True, slots=True)
class Connection:
    """One bulk transfer."""

    unblocked_bps: float
    """Rate of the hosts without blocking; in the paper 314.4 Mb/s."""
    window_bytes: int
    segments_per_ack: int
    """2 in most systems; 4.3BSD acknowledges about 3 segments of 64 KB at 400 kB of buffer."""
    rtt_s: float
    duty: float = 1.0

    @property
    def window(self) -> int:
        """Segments in flight at most."""
        return max(1, self.window_bytes // MSS)


@dataclass(frozen=True, slots=True)
class Throughput:
    """Result of the model; `reproduces_paper` None: the paper has no value to compare with."""

    bps: float
    reproduces_paper: bool | None
    note: str


def throughput(
    connection: Connection, blocked: Blocked, blocking_s: float, hold_s: float | None
) -> Throughput:
    """Long-term rate of the transfer; `hold_s` None: unlimited."""
    if hold_s is None:
        note = SEGMENTS_NOTE if blocked == "segments" else UNLIMITED_NOTE
        bps = _unlimited(connection, blocked, blocking_s)
        return Throughput(bps, None if blocked == "segments" else True, note)
    bps = _finite(connection, blocked, blocking_s, hold_s)
    return Throughput(bps, reproduces_paper=False, note=FINITE_NOTE)


def _unlimited(connection: Connection, blocked: Blocked, blocking_s: float) -> float:
    """One acknowledgement, or one segment, per blocking time; nothing is lost.

    The share of tries that find the destination free runs at the unblocked rate.
    """
    ceiling = _ceiling(connection)
    per_pass = connection.segments_per_ack if blocked == "acks" else 1
    bits = min(per_pass, connection.window) * MSS * 8
    return min(ceiling, 1 / (connection.duty * blocking_s / bits + (1 - connection.duty) / ceiling + 1e-18))


def _ceiling(connection: Connection) -> float:
    """Without blocking: the hosts, or a window per round trip."""
    windowed = math.inf if connection.rtt_s <= 0 else connection.window * MSS * 8 / connection.rtt_s
    return min(connection.unblocked_bps, windowed)


def _finite(connection: Connection, blocked: Blocked, blocking_s: float, hold_s: float) -> float:
    """Mean segments by mean time, from one timeout to the next."""
    lost = connection.duty * expiry_share(blocking_s, hold_s)
    wait = connection.duty * delivered_wait(blocking_s, hold_s)
    if lost <= 0:
        return _unlimited(connection, blocked, blocking_s)
    segments, seconds = _between_timeouts(connection, blocked, (lost, wait, hold_s))
    return min(segments * MSS * 8 / (seconds + _recovery(lost)), _unlimited(connection, blocked, blocking_s))


def _recovery(lost: float) -> float:
    """Mean time from a stop until a retransmission is acknowledged: each try fails with this probability."""
    total, chance, timeout = 0.0, 1.0, FIRST_TIMEOUT_S
    while timeout < LAST_TIMEOUT_S:
        total += chance * timeout
        chance, timeout = chance * lost, timeout * 2
    return total + chance * LAST_TIMEOUT_S / max(1 - lost, 1e-12)


def _between_timeouts(
    connection: Connection, blocked: Blocked, of: tuple[float, float, float]
) -> tuple[float, float]:
    """Mean segments and time from the end of a recovery, with a window of two, until the next stop.

    Window by window. A blocked segment that is lost stops the sender. Of acknowledgements, all of a window
    must be lost; so many hold times in a row must expire as the window lasts. The window grows by one per
    acknowledgement (slow start) to its limit. `of`: chance of an expiry, mean wait (s), hold time (s).
    """
    lost, wait, hold_s = of
    segments, seconds, alive, size = 1.0, 0.0, 1.0, min(2, connection.window)
    while True:
        acks = math.ceil(size / connection.segments_per_ack)
        lasts = size * MSS * 8 / connection.unblocked_bps
        expiries = max(1, math.ceil(lasts / hold_s - 0.5))
        passes = (1 - lost) ** size if blocked == "segments" else 1 - lost**expiries
        waits = wait * (size if blocked == "segments" else acks)
        delayed = DELAYED_ACK_S if size < connection.segments_per_ack else 0.0
        spent = max(connection.rtt_s + waits, lasts) + delayed
        if size >= connection.window:  # It stays there: a geometric number of windows.
            windows = alive / max(1 - passes, 1e-12)
            return segments + windows * passes * size, seconds + windows * spent
        segments += alive * passes * size
        seconds += alive * spent
        alive *= passes
        size = min(size + acks, connection.window)
