"""Parameters that several kinds of throughput test share; each kind adapts them with `replace`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backstay.core.model.throughput_kinds.spec import DIRECTIONS, Parameter

MAX_BYTES = 2**62 - 1

STREAMS = Parameter(
    "streams",
    "Streams",
    minimum=1,
    maximum=128,
    default=1,
    example="1-10, or 1, 2, 4, 8",
    initial="1",
    help="parallel streams",
    empty="1",
)
SIZE = Parameter("size", "Sizes", unit="bytes", example="64, 1500, 64K")
WINDOW = Parameter(
    "window",
    "Windows",
    unit="bytes",
    minimum=1024,
    maximum=512 * 1024 * 1024,
    example="64K, 1M",
    help="socket buffers in bytes",
    empty="system default",
)
DIRECTION = Parameter(
    "direction",
    "Directions",
    "choice",
    choices=tuple(DIRECTIONS),
    choice_labels=tuple(DIRECTIONS.values()),
    default="forward",
    help="from sender to receiver, back, or both at the same time",
)
NO_DELAY = Parameter(
    "nodelay",
    "Nagle's algorithm",
    "boolean",
    default=False,
    choice_labels=("on", "off (TCP_NODELAY)"),
    help="TCP_NODELAY, which turns off Nagle's algorithm (RFC 896)",
    term="Nagle's algorithm",
    measures="no_delay",
)
DURATION = Parameter(
    "duration_s",
    "Seconds per cell",
    unit="s",
    minimum=1,
    maximum=3600,
    default=10,
    initial="5",
    varies=False,
)


def timed(point: Mapping[str, Any], usable: float) -> float:
    """Seconds of a cell that ends by its duration."""
    return float(point.get("duration_s") or 0.0)
