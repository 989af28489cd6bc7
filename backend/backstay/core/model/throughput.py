"""Throughput test values: parameters, results and the properties of the medium.

Shared by the diagnosis, the app that stores test runs, and the papers' reference runs. Units: rates in bit/s
of user data (goodput), lengths in bytes, times in seconds, shares 0..1. None means that a value is not
available; it never means zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from backstay.core.model.throughput_kinds import KINDS, Direction, Kind, Load

Role = Literal["endpoint_sender", "endpoint_receiver", "gateway"]
CellState = Literal[
    "done",
    "missing_tool",
    "wrong_version",
    "refused",
    "port_busy",
    "killed",
    "peer_gone",
    "truncated",
    "timed_out",
    "cancelled",
    "lost_agent",
    "aborted_by_load",
    "failed",
]
CellProgress = Literal["queued", "running", CellState]
MEASURED: CellState = "done"
"""The only state whose results describe the path."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """Requested parameters of one point of a run's matrix."""

    kind: Kind = "tcp"
    streams: int = 1
    """Simultaneous connections, over all ends together."""
    buffer: int | None = None
    """Bytes per write; in a request/acknowledge test, bytes between acknowledgements."""
    window: int | None = None
    """Most unacknowledged bytes of one connection: the socket buffer, or the stack's own limit."""
    send_buffer: int | None = None
    """The sender's socket buffer if set separately from `window`."""
    direction: Direction = "forward"
    size: int | None = None
    """Bytes of one datagram, ping or message."""
    program: str = ""
    """Program of an RDMA test: `ib_write_bw`, `ib_send_lat`."""
    offered_rate: float | None = None
    """Requested send rate of all streams in all directions, bit/s; None: unlimited."""
    offered_pps: float | None = None
    """Requested packets/s of each stream; None: unlimited."""
    mtu: int | None = None
    """Of the sending port."""
    mss: int | None = None
    no_delay: bool | None = None
    """TCP_NODELAY (tcp(7)): Nagle's algorithm off."""
    quick_ack: bool | None = None
    """TCP_QUICKACK (tcp(7)): no delayed acknowledgements."""
    congestion: str = ""
    other: str = ""
    """Varied parameters of the kind that have no field here: `bursts 10`."""
    senders: int = 1
    """Nodes that send at the same time."""
    receivers: int = 1

    @property
    def load(self) -> Load:
        """What the test sends."""
        return "file" if self.kind == "file" else KINDS[self.kind].load


@dataclass(frozen=True, slots=True)
class NodeCpu:
    """CPU load of one node during a cell."""

    node: str
    role: Role
    busy: float
    """Busy processors: 1.5 is one and a half processors."""
    cores: int = 1
    busiest: float | None = None
    """Load of the busiest processor, 0..1; None if only the sum is known."""
    softirq: float | None = None
    """Interrupt work in processors, part of `busy`."""


@dataclass(frozen=True, slots=True)
class Stalls:
    """Pauses between a write and its acknowledgement that are much longer than the others."""

    count: int
    out_of: int
    """Total number of writes (messages)."""
    typical_s: float
    """Median length of a pause."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Results of a cell."""

    rate: float
    """Received rate, sum over all streams."""
    per_stream: tuple[float, ...] = ()
    seconds: tuple[float, ...] = ()
    """Sum over the streams for each whole second in order, without the omitted start."""
    duration_s: float | None = None
    retransmits: int | None = None
    segments: int | None = None
    """Segments or datagrams sent."""
    loss: float | None = None
    """Share of lost segments or datagrams, if counted rather than derived."""
    pps: float | None = None
    """Received packets per second of all streams, in the direction of the data."""
    rtt_s: float | None = None
    """Mean smoothed round trip during the transfer."""
    rtt_least_s: float | None = None
    """Minimum round trip during the transfer. It includes queues filled by the test; it is not the idle round
    trip.
    """
    cwnd: int | None = None
    """Largest congestion window of a stream."""
    cwnd_least: int | None = None
    """Smallest after the first second: one or two segments indicate a retransmission timeout."""
    peer_window: int | None = None
    """Largest window that the receiver offered to a stream."""
    path_mtu: int | None = None
    cpu: tuple[NodeCpu, ...] = ()
    stalls: Stalls | None = None


Ends = tuple[tuple[str, str], ...]
"""(sender, receiver) names of each flow of a cell, in order; empty: unknown."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One point of the matrix; `measured` is None without results."""

    parameters: Parameters
    measured: Measured | None
    state: CellState = "done"
    key: str = ""
    """Caller's key, returned with the verdict."""
    medium: Medium | None = None
    """The path during this cell; None: as for the run."""
    ends: Ends = ()


@dataclass(frozen=True, slots=True)
class PathHop:
    """One link or forwarding device on the path."""

    name: str
    usable: float | None = None
    """Capacity in one direction, bit/s of user data, including the share that other traffic uses."""
    mtu: int | None = None
    packet_limit: float | None = None
    """Known maximum forwarding rate, packets/s."""
    production: float | None = None
    """Other traffic on it during the test, bit/s, in the directions of the test's data (the sum for a test in
    both directions). None: unknown.
    """
    shared: bool = False
    """Both directions share its rate, as on a ring."""


@dataclass(frozen=True, slots=True)
class Medium:
    """The path between the ends, independent of a cell."""

    usable: float | None = None
    """Capacity of the whole path in one direction, bit/s of user data."""
    hops: tuple[PathHop, ...] = ()
    """In order from sender to receiver; for several flows, the hops that all of them share."""
    rtt_s: float | None = None
    """Idle round trip."""
    production: float | None = None
    """Other traffic at the narrowest place, bit/s; ignored if hops have rates."""
    ends: float | None = None
    """Capacity of the ends' own fabric in one direction, bit/s; None: as `usable`."""
    stream_rate: float | None = None
    """Rate of one plain stream over the same path in another run, bit/s."""


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
"""`scaling`: every stream, node or stripe adds the same amount, so each has its own limit."""
Confidence = Literal["high", "medium", "low"]


@dataclass(frozen=True, slots=True)
class VerdictEvidence:
    """One finding for or against a verdict."""

    text: str
    """A sentence with its numbers."""
    supports: bool = True


@dataclass(frozen=True, slots=True)
class Verdict:
    """The named bottleneck of a cell or of a run."""

    name: VerdictName
    confidence: Confidence
    sentence: str
    remedy: str = ""
    """Recommended action in one sentence; for `inconclusive`: the measurements to add."""
    evidence: tuple[VerdictEvidence, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)
    """Computed values by name, in this module's units (docs/throughput.md lists the names)."""
    suspect: str = ""
    """The responsible node or hop."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A cell's verdict, and the other verdicts considered, most likely first."""

    cell: Cell
    verdict: Verdict
    others: tuple[Verdict, ...] = ()
