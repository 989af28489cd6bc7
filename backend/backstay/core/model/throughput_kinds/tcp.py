"""Kind `tcp`: TCP from memory to memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from backstay.core.model.throughput_kinds.parameters import (
    DIRECTION,
    DURATION,
    MAX_BYTES,
    NO_DELAY,
    STREAMS,
    WINDOW,
    timed,
)
from backstay.core.model.throughput_kinds.spec import Parameter, TestKind

_MIN_EXPECTED_SHARE = 0.05
"""Of the usable rate: an amount is expected to arrive at no less."""


def _seconds(point: Mapping[str, Any], usable: float) -> float:
    if point.get("amount") is not None:
        return float(8 * point["amount"] / (usable * _MIN_EXPECTED_SHARE))
    return timed(point, usable) + float(point.get("omit_s") or 0)


KIND = TestKind(
    "tcp",
    "TCP, memory to memory",
    "TCP from memory to memory",
    "stream",
    (
        replace(STREAMS, initial="1, 2, 4, 8"),
        Parameter(
            "buffer",
            "Buffers",
            unit="bytes",
            minimum=1,
            maximum=1024 * 1024,
            default=128 * 1024,
            example="16K, 64K, 256K, 1M",
            initial="16K, 64K, 256K, 1M",
            help="bytes per write",
            empty="tool default",
        ),
        WINDOW,
        DIRECTION,
        DURATION,
        Parameter(
            "amount",
            "Or bytes per cell",
            unit="bytes",
            minimum=1,
            maximum=MAX_BYTES,
            varies=False,
            example="100M",
            help="total bytes of all streams; replaces the duration",
        ),
        replace(NO_DELAY, advanced=True),
        Parameter(
            "mss",
            "Segment sizes (MSS)",
            unit="bytes",
            minimum=88,
            maximum=65_495,
            example="1448, 8948",
            help="bytes per segment",
            empty="path MSS",
            advanced=True,
            term="segment sizes",
        ),
        Parameter(
            "congestion",
            "Congestion control",
            "text",
            pattern=r"^[a-z][a-z0-9_]{0,15}$",
            example="cubic, bbr",
            help="algorithms, by their names in the kernel",
            empty="system default",
            advanced=True,
            term="congestion control",
        ),
        Parameter(
            "rate",
            "Rate limit per stream",
            unit="bit/s",
            minimum=0,
            maximum=MAX_BYTES,
            default=0,
            example="100M",
            help="limit in bit/s",
            empty="unlimited",
            advanced=True,
            term="rate limit per stream",
            measures="offered_rate",
        ),
        Parameter(
            "omit_s",
            "Warm-up (s)",
            unit="s",
            minimum=0,
            maximum=60,
            default=0,
            varies=False,
            help="initial seconds excluded from the result (slow start)",
            empty="none",
            advanced=True,
            term="warm-up",
        ),
    ),
    _seconds,
    ends_by=("duration_s", "amount"),
    excludes=(("amount", "omit_s"),),
    programs=("iperf3",),
)
