"""Kind `rdma`: RDMA bandwidth or latency between two adapters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from backstay.core.model.throughput_kinds.parameters import DIRECTION, DURATION, SIZE, timed
from backstay.core.model.throughput_kinds.spec import Parameter, TestKind

_LATENCY_S = 5.0


def _seconds(point: Mapping[str, Any], usable: float) -> float:
    return timed(point, usable) if point["program"] == "ib_write_bw" else _LATENCY_S


KIND = TestKind(
    "rdma",
    "RDMA",
    "RDMA bandwidth or latency between two adapters",
    "messages",
    (
        replace(
            SIZE,
            minimum=1,
            maximum=2**30,
            default=65_536,
            initial="64K, 1M",
            help="bytes per message",
            empty="64K",
        ),
        DIRECTION,
        # Of ib_write_bw; ib_send_lat sends 10 000 messages.
        DURATION,
        Parameter(
            "program",
            "perftest programs",
            "choice",
            choices=("ib_write_bw", "ib_send_lat"),
            choice_labels=("ib_write_bw: rate", "ib_send_lat: latency"),
            default="ib_write_bw",
            advanced=True,
            term="programs",
        ),
        Parameter(
            "queue_pairs",
            "Queue pairs",
            minimum=1,
            maximum=1024,
            default=1,
            example="1, 2, 4",
            help="simultaneous connections",
            empty="1",
            advanced=True,
            term="queue pairs",
            measures="streams",
        ),
        Parameter(
            "device",
            "Device",
            "text",
            pattern=r"^[a-zA-Z0-9_]{0,64}$",
            default="",
            varies=False,
            example="mlx5_0",
            help="name of the adapter at both ends",
            empty="the first one",
            advanced=True,
            term="device",
        ),
    ),
    _seconds,
    programs=("ib_write_bw", "ib_send_lat"),
)
