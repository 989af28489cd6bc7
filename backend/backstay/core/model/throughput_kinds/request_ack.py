"""Kind `request_ack`: write a block, wait for the acknowledgement, write the next, as RFIO does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from backstay.core.model.throughput_kinds.parameters import DURATION, NO_DELAY, SIZE, STREAMS, WINDOW, timed
from backstay.core.model.throughput_kinds.spec import Parameter, TestKind

_STALL_S = 0.2
"""A block with a delayed acknowledgement, the slowest that is waited for."""


def _seconds(point: Mapping[str, Any], usable: float) -> float:
    return point["count"] * _STALL_S if point.get("count") is not None else timed(point, usable)


KIND = TestKind(
    "request_ack",
    "request and acknowledge",
    "Write a block, wait for the acknowledgement, write the next, as RFIO does",
    "blocks",
    (
        STREAMS,
        replace(
            SIZE,
            minimum=1,
            maximum=64 * 1024 * 1024,
            required=True,
            initial="16K, 64K, 256K, 1M",
            help="bytes between two acknowledgements",
            measures="buffer",
        ),
        NO_DELAY,
        Parameter(
            "ack_delay",
            "Acknowledgements",
            "choice",
            choices=("system", "quick", "delayed"),
            choice_labels=("system default", "immediate", "delayed"),
            default="system",
            help="the reader's TCP_QUICKACK (tcp(7)) before each read: unchanged, 1 or 0",
            term="acknowledgements",
            measures="quick_ack",
        ),
        replace(DURATION, type="number", minimum=0, exclusive_minimum=True),
        replace(WINDOW, advanced=True),
        Parameter(
            "count",
            "Or blocks per cell",
            minimum=1,
            maximum=10_000_000,
            varies=False,
            example="1000",
            help="blocks per stream; replaces the duration",
            advanced=True,
        ),
        Parameter(
            "header",
            "Header per block",
            unit="bytes",
            minimum=0,
            maximum=65_536,
            default=0,
            varies=False,
            help="bytes written separately before each block",
            empty="none",
            advanced=True,
            term="header per block",
        ),
        Parameter(
            "ack",
            "Reply per block",
            unit="bytes",
            minimum=1,
            maximum=65_536,
            default=4,
            varies=False,
            help="bytes that the reader returns for each block",
            empty="4",
            advanced=True,
            term="reply per block",
        ),
    ),
    _seconds,
    ends_by=("duration_s", "count"),
)
