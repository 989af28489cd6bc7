"""Throughput of n windows that share one FIFO (closed queueing network).

Mean value analysis (Reiser and Lavenberg, J. ACM 27(2), 1980): one queue that serves a window in `window /
capacity`, and a delay without queue for the rest of the idle round trip. The model shows how far the sum of
window-limited streams bends before it reaches the medium's capacity.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count, islice


def closed_rate(streams: int, window: float, rtt: float, capacity: float) -> float:
    """Bit/s of `streams` windows (bytes) over an idle round trip (seconds) and a medium (bit/s).

    Raises ValueError if an argument is not above zero.
    """
    if min(streams, window, rtt, capacity) <= 0:
        raise ValueError("streams, window, round trip and capacity must be above zero")
    return next(islice(_closed(window, rtt, capacity), streams - 1, None))


def streams_for(share: float, window: float, rtt: float, capacity: float) -> int:
    """Minimum number of windows that carry `share` (below 1) of the medium, including queueing."""
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

    Mathis, Semke, Mahdavi and Ott, CCR 27(3), 1997, equation 3; C is sqrt(3/2) if each segment is
    acknowledged and loss is periodic. Raises ValueError if the loss is not within 0..1 or the round trip is
    not above zero.
    """
    if not 0 < loss <= 1 or rtt <= 0:
        raise ValueError("the loss must be within 0..1 and the round trip above zero")
    return 8 * mss * constant / (rtt * math.sqrt(loss))
