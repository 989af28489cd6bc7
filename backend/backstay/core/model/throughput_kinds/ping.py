"""Kind `ping`: round trip and loss of ICMP echoes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from backstay.core.model.throughput_kinds.parameters import SIZE
from backstay.core.model.throughput_kinds.spec import Parameter, TestKind


def _seconds(point: Mapping[str, Any], usable: float) -> float:
    return float(point["count"] / point["rate"] + point["wait_s"])


KIND = TestKind(
    "ping",
    "RTT and loss",
    "Round trip and loss of ICMP echoes",
    "echoes",
    (
        # The agent's own part of an echo takes 28 bytes.
        replace(
            SIZE,
            minimum=28,
            maximum=65_507,
            default=64,
            initial="64, 1400",
            help="bytes of data after the ICMP header",
            empty="64",
        ),
        Parameter(
            "rate",
            "Echo requests per second",
            "number",
            unit="packets/s",
            minimum=0,
            exclusive_minimum=True,
            maximum=1000,
            default=1.0,
            example="1, 10, 100",
            initial="1, 10, 100",
            empty="1",
            measures="offered_pps",
        ),
        Parameter(
            "count",
            "Echo requests per cell",
            minimum=1,
            maximum=100_000,
            default=10,
            initial="10",
            varies=False,
        ),
        Parameter(
            "wait_s",
            "Reply timeout (s)",
            "number",
            unit="s",
            minimum=0,
            exclusive_minimum=True,
            maximum=60,
            default=2.0,
            varies=False,
            help="seconds to wait for the last replies",
            empty="2",
            advanced=True,
            term="reply timeout",
            option="wait-for",
        ),
    ),
    _seconds,
    has_server=False,
)
