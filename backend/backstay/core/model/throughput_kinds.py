"""The kinds of throughput test: the one place that states their parameters, bounds, shapes and programs.

The API's matrix and validation, the plan form, the CLI's options and all labels derive from `KINDS` (clients:
`core.client_spec`). The wire's specs (`backstay_wire.throughput`) carry the same parameters; a test compares.
Lengths are bytes, times seconds, rates bit/s unless `unit` says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

Kind = Literal["tcp", "udp", "request_ack", "ping", "rdma", "file"]
"""`file` is a transfer from or to storage: agents run none, the papers' tables hold some."""
Load = Literal["stream", "datagrams", "blocks", "echoes", "messages", "file"]
"""What a test sends, by which the diagnosis decides what a measurement means: a TCP stream, paced datagrams,
blocks that wait for an acknowledgement, ICMP echoes, RDMA messages, a file."""
Direction = Literal["forward", "reverse", "both"]
Shape = Literal["pair", "n_pairs", "many_to_one", "one_to_many", "n_way", "mesh"]
ValueType = Literal["integer", "number", "boolean", "choice", "text"]
Unit = Literal["", "bytes", "s", "bit/s", "packets/s"]
Value = int | float | bool | str

DIRECTIONS: dict[Direction, str] = {"forward": "forward", "reverse": "reverse", "both": "bidirectional"}
"""Label of each direction of the data: from sender to receiver, back, or both at the same time."""
SHAPES: dict[Shape, str] = {
    "pair": "one to one",
    "n_pairs": "simultaneous pairs",
    "many_to_one": "many to one",
    "one_to_many": "one to many",
    "n_way": "all to all, simultaneous",
    "mesh": "mesh, one pair at a time",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One setting of a test, as the API, the form and the command line offer it."""

    name: str
    label: str
    type: ValueType = "integer"
    unit: Unit = ""
    minimum: float | None = None
    exclusive_minimum: bool = False
    maximum: float | None = None
    default: Value | None = None
    """None: the system's own, or none."""
    choices: tuple[str, ...] = ()
    choice_labels: tuple[str, ...] = ()
    """Of `choices`, or of false and true."""
    pattern: str = ""
    help: str = ""
    example: str = ""
    empty: str = ""
    """Effect of no value."""
    initial: str = ""
    """Text of the form's field in a new plan."""
    term: str = ""
    """Label among a plan's facts; empty: its summary already has the value."""
    option: str = ""
    """Of the command line; empty: the name without its unit."""
    required: bool = False
    varies: bool = True
    """Whether a plan may list several values: every combination is a cell."""
    advanced: bool = False
    measures: str = ""
    """Name in the diagnosis (`model.throughput.Parameters`); empty: the same. Parameters without one
    distinguish cells as text (`Parameters.other`)."""


@dataclass(frozen=True, slots=True)
class TestKind:
    """One kind of test; `duration` estimates a cell's seconds from its point and the usable rate (bit/s)."""

    __test__ = False
    """Not for pytest to collect."""
    name: Kind
    label: str
    description: str
    load: Load
    parameters: tuple[Parameter, ...]
    duration: Callable[[Mapping[str, Any], float], float]
    ends_by: tuple[str, ...] = ()
    """Exactly one of these parameters is given."""
    excludes: tuple[tuple[str, str], ...] = ()
    """Pairs of parameters that do not go together."""
    shapes: tuple[Shape, ...] = tuple(SHAPES)
    has_server: bool = True
    """Whether the receiver runs a program; otherwise its system answers and it needs no agent."""
    programs: tuple[str, ...] = ()
    """What client and server need on their hosts; empty: the agent itself is enough."""

    def parameter(self, name: str) -> Parameter:
        """Raises KeyError."""
        return {parameter.name: parameter for parameter in self.parameters}[name]


MIN_EXPECTED_SHARE = 0.05
"""Of the usable rate: an amount is expected to arrive at no less."""
_STALL_S = 0.2
"""A block with a delayed acknowledgement, the slowest that is waited for."""
_RDMA_LATENCY_S = 5.0
_MAX_BYTES = 2**62 - 1

_STREAMS = Parameter(
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
_SIZE = Parameter("size", "Sizes", unit="bytes", example="64, 1500, 64K")
_WINDOW = Parameter(
    "window",
    "Windows",
    unit="bytes",
    minimum=1024,
    maximum=512 * 1024 * 1024,
    example="64K, 1M",
    help="socket buffers in bytes",
    empty="system default",
)
_DIRECTION = Parameter(
    "direction",
    "Directions",
    "choice",
    choices=tuple(DIRECTIONS),
    choice_labels=tuple(DIRECTIONS.values()),
    default="forward",
    help="from sender to receiver, back, or both at the same time",
)
_NO_DELAY = Parameter(
    "nodelay",
    "Nagle's algorithm",
    "boolean",
    default=False,
    choice_labels=("on", "off (TCP_NODELAY)"),
    help="TCP_NODELAY, Nagle's algorithm (RFC 896) off",
    term="Nagle's algorithm",
    measures="no_delay",
)
_DURATION = Parameter(
    "duration_s",
    "Seconds per cell",
    unit="s",
    minimum=1,
    maximum=3600,
    default=10,
    initial="5",
    varies=False,
)


def _timed(point: Mapping[str, Any], usable: float) -> float:
    return float(point.get("duration_s") or 0.0)


def _tcp_s(point: Mapping[str, Any], usable: float) -> float:
    if point.get("amount") is not None:
        return float(8 * point["amount"] / (usable * MIN_EXPECTED_SHARE))
    return _timed(point, usable) + float(point.get("omit_s") or 0)


def _request_ack_s(point: Mapping[str, Any], usable: float) -> float:
    return point["count"] * _STALL_S if point.get("count") is not None else _timed(point, usable)


def _ping_s(point: Mapping[str, Any], usable: float) -> float:
    return float(point["count"] / point["rate"] + point["wait_s"])


def _rdma_s(point: Mapping[str, Any], usable: float) -> float:
    return _timed(point, usable) if point["program"] == "ib_write_bw" else _RDMA_LATENCY_S


KINDS: dict[str, TestKind] = {
    kind.name: kind
    for kind in (
        TestKind(
            "tcp",
            "TCP, memory to memory",
            "TCP from memory to memory",
            "stream",
            (
                replace(_STREAMS, initial="1, 2, 4, 8"),
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
                _WINDOW,
                _DIRECTION,
                _DURATION,
                Parameter(
                    "amount",
                    "Or bytes per cell",
                    unit="bytes",
                    minimum=1,
                    maximum=_MAX_BYTES,
                    varies=False,
                    example="100M",
                    help="bytes of all streams; replaces seconds",
                ),
                replace(_NO_DELAY, advanced=True),
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
                    help="kernel names",
                    empty="system default",
                    advanced=True,
                    term="congestion control",
                ),
                Parameter(
                    "rate",
                    "Rate limit per stream",
                    unit="bit/s",
                    minimum=0,
                    maximum=_MAX_BYTES,
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
            _tcp_s,
            ends_by=("duration_s", "amount"),
            excludes=(("amount", "omit_s"),),
            programs=("iperf3",),
        ),
        TestKind(
            "udp",
            "UDP, loss and packet rate",
            "Loss, jitter and packet rate of datagrams",
            "datagrams",
            (
                _STREAMS,
                # iperf3 needs 16 bytes of a datagram for its own header.
                replace(
                    _SIZE,
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
                    maximum=_MAX_BYTES,
                    required=True,
                    example="10M, 100M",
                    initial="10M",
                    help="payload in bit/s",
                    term="rate per stream",
                    measures="offered_rate",
                ),
                _DIRECTION,
                replace(_DURATION, required=True),
                replace(_WINDOW, advanced=True),
            ),
            _timed,
            programs=("iperf3",),
        ),
        TestKind(
            "request_ack",
            "request and acknowledge",
            "Write a block, wait for the acknowledgement, write the next, as RFIO does",
            "blocks",
            (
                _STREAMS,
                replace(
                    _SIZE,
                    minimum=1,
                    maximum=64 * 1024 * 1024,
                    required=True,
                    initial="16K, 64K, 256K, 1M",
                    help="bytes between two acknowledgements",
                    measures="buffer",
                ),
                _NO_DELAY,
                Parameter(
                    "ack_delay",
                    "Acknowledgements",
                    "choice",
                    choices=("system", "quick", "delayed"),
                    choice_labels=("system default", "immediate", "delayed"),
                    default="system",
                    help="the reader's TCP_QUICKACK (tcp(7)), set before each read: unchanged, 1, 0",
                    term="acknowledgements",
                    measures="quick_ack",
                ),
                replace(_DURATION, type="number", minimum=0, exclusive_minimum=True),
                replace(_WINDOW, advanced=True),
                Parameter(
                    "count",
                    "Or blocks per cell",
                    minimum=1,
                    maximum=10_000_000,
                    varies=False,
                    example="1000",
                    help="blocks per stream; replaces seconds",
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
                    help="bytes written separately before a block",
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
                    help="bytes returned by the reader",
                    empty="4",
                    advanced=True,
                    term="reply per block",
                ),
            ),
            _request_ack_s,
            ends_by=("duration_s", "count"),
        ),
        TestKind(
            "ping",
            "RTT and loss",
            "Round trip and loss of ICMP echoes",
            "echoes",
            (
                # The agent's own part of an echo takes 28 bytes.
                replace(
                    _SIZE,
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
                    help="time to wait for the last replies",
                    empty="2",
                    advanced=True,
                    term="reply timeout",
                    option="wait-for",
                ),
            ),
            _ping_s,
            has_server=False,
        ),
        TestKind(
            "rdma",
            "RDMA",
            "RDMA bandwidth or latency between two adapters",
            "messages",
            (
                replace(
                    _SIZE,
                    minimum=1,
                    maximum=2**30,
                    default=65_536,
                    initial="64K, 1M",
                    help="bytes per message",
                    empty="64K",
                ),
                _DIRECTION,
                # Of ib_write_bw; ib_send_lat sends 10 000 messages.
                _DURATION,
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
                    help="adapter on both ends",
                    empty="the first",
                    advanced=True,
                    term="device",
                ),
            ),
            _rdma_s,
            programs=("ib_write_bw", "ib_send_lat"),
        ),
    )
}
"""Kinds that agents run."""
