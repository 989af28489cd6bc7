"""A throughput test as values: what was set, what was measured, what the medium is known to carry.

Shared by the diagnosis, by the app that stores test runs and by the papers' reference runs. Units everywhere
are: rates in bit/s of user data (goodput), lengths in bytes, times in seconds, shares 0..1. Whatever a real
run may lack is None: absent is not zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from backstay.core.model.throughput_kinds import KINDS, Kind, Load

Direction = Literal["forward", "reverse", "both"]
Role = Literal["endpoint_sender", "endpoint_receiver", "gateway"]
CellState = Literal[
    "done",
    "missing_tool",
    "wrong_version",
    "refused",
    "port_busy",
    "killed",
    "truncated",
    "timed_out",
    "cancelled",
    "lost_agent",
    "aborted_by_load",
    "failed",
]
MEASURED: CellState = "done"
"""The only state whose figures explain something about the path."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """One point of a run's matrix, as it was asked for."""

    kind: Kind = "tcp"
    streams: int = 1
    """Connections at the same time, over all ends together."""
    buffer: int | None = None
    """Bytes handed over by one write; of a request/acknowledge test the bytes between acknowledgements."""
    window: int | None = None
    """Most unacknowledged bytes of one connection: the socket buffer, or the stack's own limit."""
    send_buffer: int | None = None
    """The sender's socket buffer where it is set apart from `window`."""
    direction: Direction = "forward"
    size: int | None = None
    """Bytes of one datagram, ping or message."""
    program: str = ""
    """Of an RDMA test, whose programs measure different things: `ib_write_bw`, `ib_send_lat`."""
    offered_rate: float | None = None
    """Bit/s that all streams together tried to send, both ways together; None as fast as they could."""
    offered_pps: float | None = None
    """Packets/s that each stream tried to send; None as fast as it could."""
    mtu: int | None = None
    """Of the sending port."""
    mss: int | None = None
    no_delay: bool | None = None
    """TCP_NODELAY (tcp(7)): Nagle's algorithm off."""
    quick_ack: bool | None = None
    """TCP_QUICKACK (tcp(7)): no delayed acknowledgements."""
    congestion: str = ""
    senders: int = 1
    """Nodes that send at the same time."""
    receivers: int = 1

    @property
    def load(self) -> Load:
        """What the test sends."""
        return "file" if self.kind == "file" else KINDS[self.kind].load


@dataclass(frozen=True, slots=True)
class NodeCpu:
    """How busy one node's processors were during a cell."""

    node: str
    role: Role
    busy: float
    """Processors' worth of work: 1.5 is one and a half processors."""
    cores: int = 1
    busiest: float | None = None
    """Share of the busiest processor, 0..1; None where only the sum is known."""
    softirq: float | None = None
    """Processors' worth of interrupt work, part of `busy`."""


@dataclass(frozen=True, slots=True)
class Stalls:
    """Pauses between a write and its acknowledgement that are far longer than the rest."""

    count: int
    out_of: int
    """Writes (messages) in all."""
    typical_s: float
    """Median length of such a pause."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a cell."""

    rate: float
    """Sum over all streams, as received."""
    per_stream: tuple[float, ...] = ()
    seconds: tuple[float, ...] = ()
    """Sum of each whole second in order, without the omitted start."""
    duration_s: float | None = None
    retransmits: int | None = None
    segments: int | None = None
    """Segments or datagrams sent."""
    loss: float | None = None
    """Share of segments or datagrams that did not arrive, where it was counted rather than derived."""
    pps: float | None = None
    """Packets per second that arrived, all streams, in the data's direction."""
    rtt_s: float | None = None
    """Mean smoothed round trip while the data flowed."""
    rtt_least_s: float | None = None
    """Least of it. While data flows it holds the queue that the data made: it is no idle round trip."""
    cwnd: int | None = None
    """Largest congestion window of a stream."""
    cwnd_least: int | None = None
    """Smallest after the first second: one or two segments tell of a retransmission timeout."""
    peer_window: int | None = None
    """Largest window that the receiver offered to a stream."""
    path_mtu: int | None = None
    cpu: tuple[NodeCpu, ...] = ()
    stalls: Stalls | None = None


Ends = tuple[tuple[str, str], ...]
"""(sender, receiver) by name of each flow of a cell, in order; empty: nobody told."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One point of the matrix; `measured` is None when there is nothing to tell."""

    parameters: Parameters
    measured: Measured | None
    state: CellState = "done"
    key: str = ""
    """The caller's own mark, handed back with the verdict."""
    medium: Medium | None = None
    """The path as it was during this cell; None: as the run's."""
    ends: Ends = ()


@dataclass(frozen=True, slots=True)
class Hop:
    """One link or forwarding device on the way, with what is known of it."""

    name: str
    usable: float | None = None
    """Bit/s of user data that it can carry in one direction, others' traffic not counted."""
    mtu: int | None = None
    packet_limit: float | None = None
    """Packets/s that it is known to forward at most."""
    production: float | None = None
    """Bit/s of others' traffic on it beside the test, in the directions that the test's data took; of a test
    both ways, of both together. None: nobody saw it."""
    shared: bool = False
    """Both directions have its rate together, as on a ring."""


@dataclass(frozen=True, slots=True)
class Medium:
    """The path between the ends, apart from any one cell."""

    usable: float | None = None
    """Bit/s of user data that the way can carry in one direction, as far as it is known as a whole."""
    hops: tuple[Hop, ...] = ()
    """In order from sender to receiver; of several flows those that all of them share."""
    rtt_s: float | None = None
    """Round trip of the idle path."""
    production: float | None = None
    """Bit/s of others' traffic at its narrowest place; where hops have rates, theirs is what counts."""
    ends: float | None = None
    """Bit/s that the ends' own fabric can carry in one direction; None: as `usable`."""
    stream_rate: float | None = None
    """Bit/s that one plain stream carried over the same path, by another run."""


VerdictName = Literal[
    "medium_limited",
    "window_limited",
    "delayed_ack",
    "sender_buffer",
    "packet_rate",
    "cpu_endpoint",
    "cpu_gateway",
    "loss_limited",
    "fair_share",
    "one_direction",
    "narrow_hop",
    "low_mtu_hop",
    "unstable",
    "scaling",
    "inconclusive",
]
"""`scaling`: every stream, node or stripe adds the same, so that each limits only itself."""
Confidence = Literal["high", "medium", "low"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One finding that a verdict rests on, or that speaks against it."""

    text: str
    """A sentence with its figures."""
    supports: bool = True


@dataclass(frozen=True, slots=True)
class Verdict:
    """The named bottleneck of a cell or of a run."""

    name: VerdictName
    confidence: Confidence
    sentence: str
    remedy: str = ""
    """What to do, in a sentence; of `inconclusive`: what to measure."""
    evidence: tuple[Evidence, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)
    """What it computed, by name, in this module's units (docs/throughput.md lists the names)."""
    suspect: str = ""
    """The node or hop it names."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A cell's verdict, and what else was considered, most likely first."""

    cell: Cell
    verdict: Verdict
    others: tuple[Verdict, ...] = ()
