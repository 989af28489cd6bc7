"""n windows that share one FIFO: what a closed network of queues carries.

Mean value analysis (Reiser and Lavenberg, J. ACM 27(2), 1980): one queue that serves a window in
`window / capacity` and a delay without queue for the rest of the idle round trip. It tells how far a sum of
window-limited streams bends before it meets the medium.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count, islice


def closed_rate(streams: int, window: float, rtt: float, capacity: float) -> float:
    """Bit/s of `streams` windows (bytes) over an idle round trip (seconds) and a medium (bit/s).

    Raises ValueError when an argument is not above zero.
    """
    if min(streams, window, rtt, capacity) <= 0:
        raise ValueError("streams, window, round trip and capacity are above zero")
    return next(islice(_closed(window, rtt, capacity), streams - 1, None))


def streams_for(share: float, window: float, rtt: float, capacity: float) -> int:
    """The fewest windows that carry a share (below 1) of the medium together, queueing counted."""
    most = math.ceil(2 * capacity * rtt / (8 * window * (1 - share))) + 1
    rates = enumerate(islice(_closed(window, rtt, capacity), most), 1)
    return next((number for number, rate in rates if rate >= share * capacity), most)


def _closed(window: float, rtt: float, capacity: float) -> Iterator[float]:
    """Bit/s of one window, of two, and so on."""
    service = 8 * window / capacity
    delay = max(rtt - service, 0.0)
    queued = 0.0
    for number in count(1):
        response = service * (1 + queued)
        rate = number / (delay + response)
        queued = rate * response
        yield rate * 8 * window


def mathis_rate(mss: float, rtt: float, loss: float, constant: float = math.sqrt(1.5)) -> float:
    """Bit/s of one stream at a loss share: MSS C / (RTT sqrt p).

    Mathis, Semke, Mahdavi and Ott, CCR 27(3), 1997, equation 3; C is sqrt(3/2) when each segment is
    acknowledged and loss is periodic. Raises ValueError when the loss is not within 0..1 or
    the round trip not above zero.
    """
    if not 0 < loss <= 1 or rtt <= 0:
        raise ValueError("the loss lies within 0..1 and the round trip above zero")
    return 8 * mss * constant / (rtt * math.sqrt(loss))
