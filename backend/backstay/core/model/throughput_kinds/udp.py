"""Kind `udp`: loss, jitter and packet rate of datagrams."""

from __future__ import annotations

from dataclasses import replace

from backstay.core.model.throughput_kinds.parameters import (
    DIRECTION,
    DURATION,
    MAX_BYTES,
    SIZE,
    STREAMS,
    WINDOW,
    timed,
)
from backstay.core.model.throughput_kinds.spec import Parameter, TestKind

KIND = TestKind(
    "udp",
    "UDP, loss and packet rate",
    "Loss, jitter and packet rate of datagrams",
    "datagrams",
    (
        STREAMS,
        # iperf3 needs 16 bytes of a datagram for its own header.
        replace(
            SIZE,
            minimum=16,
            maximum=65_507,
            default=1024,
            initial="64, 512, 1400",
            help="bytes of payload per datagram",
            empty="1024",
        ),
        Parameter(
            "rate",
            "Rate per stream",
            unit="bit/s",
            minimum=1,
            maximum=MAX_BYTES,
            required=True,
            example="10M, 100M",
            initial="10M",
            help="payload rate in bit/s",
            term="rate per stream",
            measures="offered_rate",
        ),
        DIRECTION,
        replace(DURATION, required=True),
        replace(WINDOW, advanced=True),
    ),
    timed,
    programs=("iperf3",),
)
