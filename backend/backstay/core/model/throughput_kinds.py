"""The kinds of throughput test: the one place that states their parameters, bounds, shapes and programs.

Validation, the plan form and the CLI's options derive from `KINDS` (clients: `core.client_spec`). The wire's
specs (`backstay_wire.throughput`) carry the same parameters to the agents; a test compares both.
Lengths are bytes, times seconds, rates bit/s unless `unit` says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

Kind = Literal["tcp", "udp", "request_ack", "ping", "rdma", "file"]
"""`file` is a transfer from or to storage: agents run none, the papers' tables hold some."""
Shape = Literal["pair", "n_pairs", "many_to_one", "one_to_many", "n_way", "mesh"]
ValueType = Literal["integer", "number", "boolean", "choice", "text"]
Unit = Literal["", "bytes", "s", "bit/s", "packets/s"]
Value = int | float | bool | str

SHAPES: dict[Shape, str] = {
    "pair": "one to one",
    "n_pairs": "pairs at the same time",
    "many_to_one": "many to one",
    "one_to_many": "one to many",
    "n_way": "all to all at the same time",
    "mesh": "mesh, one pair after the other",
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
    pattern: str = ""
    help: str = ""
    example: str = ""
    required: bool = False
    varies: bool = True
    """Whether a plan may list several values: every combination is a cell."""
    advanced: bool = False
    measures: str = ""
    """The name under which the diagnosis knows it (`model.throughput.Parameters`); empty: the same."""


@dataclass(frozen=True, slots=True)
class TestKind:
    """One kind of test; `duration` estimates a cell's seconds from its point and the usable rate (bit/s)."""

    __test__ = False
    """Not for pytest to collect."""
    name: Kind
    label: str
    description: str
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

_STREAMS = Parameter("streams", "Streams", minimum=1, maximum=128, default=1, example="1, 2, 4, 8")
_WINDOW = Parameter(
    "window",
    "Windows",
    unit="bytes",
    minimum=1024,
    maximum=512 * 1024 * 1024,
    example="64K, 1M",
    help="Socket buffers of both ends; empty: the system's, which grow.",
)
_DIRECTION = Parameter(
    "direction",
    "Direction",
    "choice",
    choices=("forward", "reverse", "both"),
    default="forward",
    help="From sender to receiver, back, or both at the same time.",
)
_NO_DELAY = Parameter(
    "nodelay", "TCP_NODELAY", "boolean", default=False, help="Nagle's algorithm (RFC 896) off.", advanced=True
)
_DURATION = Parameter(
    "duration_s", "Duration", unit="s", minimum=1, maximum=3600, example="10", varies=False, help="Per cell."
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
            "TCP",
            "TCP from memory to memory",
            (
                _STREAMS,
                Parameter(
                    "buffer",
                    "Buffer sizes",
                    unit="bytes",
                    minimum=1,
                    maximum=1024 * 1024,
                    default=128 * 1024,
                    example="16K, 64K, 256K, 1M",
                    help="Bytes of one write.",
                ),
                _WINDOW,
                _DIRECTION,
                replace(_DURATION, default=10),
                Parameter(
                    "amount",
                    "Amount",
                    unit="bytes",
                    minimum=1,
                    maximum=_MAX_BYTES,
                    varies=False,
                    example="100M",
                    help="Bytes of all streams together, instead of a duration.",
                ),
                _NO_DELAY,
                Parameter(
                    "mss",
                    "Segment sizes (MSS)",
                    unit="bytes",
                    minimum=88,
                    maximum=65_495,
                    example="1448, 8948",
                    help="Bytes of data in a segment; empty: what the path allows.",
                    advanced=True,
                ),
                Parameter(
                    "congestion",
                    "Congestion control",
                    "text",
                    pattern=r"^[a-z][a-z0-9_]{0,15}$",
                    example="cubic, bbr",
                    help="The kernel's names; empty: the system's.",
                    advanced=True,
                ),
                Parameter(
                    "rate",
                    "Rate per stream",
                    unit="bit/s",
                    minimum=0,
                    maximum=_MAX_BYTES,
                    default=0,
                    example="100M",
                    help="Limit of each stream; 0 or empty: unlimited.",
                    advanced=True,
                    measures="offered_rate",
                ),
                Parameter(
                    "omit_s",
                    "Omitted start",
                    unit="s",
                    minimum=0,
                    maximum=60,
                    default=0,
                    varies=False,
                    help="Seconds at the start that are not counted, in addition to the duration.",
                    advanced=True,
                ),
            ),
            _tcp_s,
            ends_by=("duration_s", "amount"),
            excludes=(("amount", "omit_s"),),
            programs=("iperf3",),
        ),
        TestKind(
            "udp",
            "UDP",
            "Loss, jitter and packet rate of datagrams",
            (
                _STREAMS,
                Parameter(
                    "size",
                    "Datagram sizes",
                    unit="bytes",
                    minimum=16,
                    maximum=65_507,
                    default=1024,
                    example="1K, 8K",
                    help="Bytes of payload; iperf3 needs 16 for its own.",
                ),
                Parameter(
                    "rate",
                    "Rate per stream",
                    unit="bit/s",
                    minimum=1,
                    maximum=_MAX_BYTES,
                    required=True,
                    example="10M, 1G",
                    help="Bit/s of payload of each stream.",
                    measures="offered_rate",
                ),
                _DIRECTION,
                replace(_DURATION, required=True, default=10),
                replace(_WINDOW, advanced=True),
            ),
            _timed,
            programs=("iperf3",),
        ),
        TestKind(
            "request_ack",
            "Request/acknowledge",
            "Write a block, wait for the acknowledgement, write the next, as RFIO does",
            (
                _STREAMS,
                Parameter(
                    "size",
                    "Block sizes",
                    unit="bytes",
                    minimum=1,
                    maximum=64 * 1024 * 1024,
                    required=True,
                    example="64K",
                    help="Bytes between two acknowledgements.",
                    measures="buffer",
                ),
                replace(_WINDOW, advanced=True),
                replace(_NO_DELAY, advanced=False, help="Nagle's algorithm (RFC 896) of the writer off."),
                Parameter(
                    "ack_delay",
                    "Acknowledgements",
                    "choice",
                    choices=("system", "quick", "delayed"),
                    default="system",
                    help="The reader's TCP_QUICKACK (tcp(7)), set before each read: unchanged, 1, 0.",
                ),
                replace(_DURATION, type="number", minimum=0, exclusive_minimum=True, default=10),
                Parameter(
                    "count",
                    "Blocks",
                    minimum=1,
                    maximum=10_000_000,
                    varies=False,
                    example="1000",
                    help="Blocks of each stream, instead of a duration.",
                    advanced=True,
                ),
                Parameter(
                    "header",
                    "Header before a block",
                    unit="bytes",
                    minimum=0,
                    maximum=65_536,
                    default=0,
                    varies=False,
                    help="Bytes written separately before each block, as a protocol's header is.",
                    advanced=True,
                ),
                Parameter(
                    "ack",
                    "Acknowledgement size",
                    unit="bytes",
                    minimum=1,
                    maximum=65_536,
                    default=4,
                    varies=False,
                    help="Bytes with which the reader acknowledges a block.",
                    advanced=True,
                ),
            ),
            _request_ack_s,
            ends_by=("duration_s", "count"),
        ),
        TestKind(
            "ping",
            "Ping",
            "Round trip and loss of ICMP echoes",
            (
                Parameter(
                    "size",
                    "Echo sizes",
                    unit="bytes",
                    minimum=28,
                    maximum=65_507,
                    default=64,
                    example="64, 1400",
                    help="Bytes of data after the ICMP header; the agent's own part takes 28.",
                ),
                Parameter(
                    "rate",
                    "Echoes per second",
                    "number",
                    unit="packets/s",
                    minimum=0,
                    exclusive_minimum=True,
                    maximum=1000,
                    default=1.0,
                    measures="offered_pps",
                ),
                Parameter("count", "Echoes", minimum=1, maximum=100_000, default=10, varies=False),
                Parameter(
                    "wait_s",
                    "Wait for the last answers",
                    "number",
                    unit="s",
                    minimum=0,
                    exclusive_minimum=True,
                    maximum=60,
                    default=2.0,
                    varies=False,
                    advanced=True,
                ),
            ),
            _ping_s,
            has_server=False,
        ),
        TestKind(
            "rdma",
            "RDMA",
            "RDMA bandwidth or latency between two adapters",
            (
                Parameter(
                    "size",
                    "Message sizes",
                    unit="bytes",
                    minimum=1,
                    maximum=2**30,
                    default=65_536,
                    example="64K",
                ),
                _DIRECTION,
                replace(_DURATION, default=10, help="Of ib_write_bw; ib_send_lat sends 10 000 messages."),
                Parameter(
                    "program",
                    "Program",
                    "choice",
                    choices=("ib_write_bw", "ib_send_lat"),
                    default="ib_write_bw",
                    advanced=True,
                ),
                Parameter(
                    "queue_pairs",
                    "Queue pairs",
                    minimum=1,
                    maximum=1024,
                    default=1,
                    example="1, 2, 4",
                    help="Connections at the same time.",
                    advanced=True,
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
                    help="Name of the adapter on both ends; empty: the first.",
                    advanced=True,
                ),
            ),
            _rdma_s,
            programs=("ib_write_bw", "ib_send_lat"),
        ),
    )
}
"""Kinds that agents run."""
