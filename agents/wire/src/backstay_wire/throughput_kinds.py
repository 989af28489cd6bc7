"""Kinds of throughput test: what an agent is asked to run (`Spec`), and what it measured (`TestResult`).

Rates are bit/s of payload, times of a test are milliseconds from its start, round trips are microseconds.
None means "not reported", such as a receiver's retransmits; 0 is a count of zero.
"""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from backstay_wire.base import Message

MAX_STREAMS = 128
"""Per assignment; iperf3's maximum (MAX_STREAMS in iperf.h)."""
MAX_TEST_S = 3600.0

Octets = Annotated[int, Field(ge=1, lt=2**62)]
Buffer = Annotated[int, Field(ge=1, le=1024 * 1024)]
"""Octets per write or read; iperf3 accepts at most 1 MiB (MAX_BLOCKSIZE)."""
Window = Annotated[int, Field(ge=1024, le=512 * 1024 * 1024)]
"""Octets of a socket buffer (SO_SNDBUF, SO_RCVBUF); iperf3 accepts at most 512 MiB (MAX_TCP_BUFFER)."""
Seconds = Annotated[float, Field(gt=0, le=MAX_TEST_S)]
WholeSeconds = Annotated[int, Field(ge=1, le=3600)]
"""Whole seconds, the resolution of iperf3 and perftest."""
Streams = Annotated[int, Field(ge=1, le=MAX_STREAMS)]
MAX_SPANS = 4096
"""Spans of one result, one per second."""

Amount = Annotated[int, Field(ge=0, lt=2**63)]
Rate = Annotated[float, Field(ge=0)]
Percent = Annotated[float, Field(ge=0)]


class Direction(StrEnum):
    """Direction of the data."""

    FORWARD = "forward"
    """From the client to the server."""
    REVERSE = "reverse"
    BOTH = "both"
    """Both directions at a time."""


class TcpSpec(Message):
    """TCP from memory to memory, by iperf3. Exactly one of `duration_s` and `amount` is set."""

    kind: Literal["tcp"] = "tcp"
    streams: Streams = 1
    buffer: Buffer = 128 * 1024
    window: Window | None = None
    """Socket buffers of both ends; Linux doubles the requested value. None: the system's default with
    autotuning."""
    nodelay: bool = False
    """TCP_NODELAY: Nagle's algorithm (RFC 896) off."""
    mss: Annotated[int, Field(ge=88, le=65_495)] | None = None
    """Octets; None: derived from the path."""
    congestion: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,15}$")] | None = None
    """Congestion control by the kernel's name (`cubic`, `reno`); None: the system's default."""
    duration_s: WholeSeconds | None = None
    amount: Octets | None = None
    """Octets of all streams together."""
    omit_s: Annotated[int, Field(ge=0, le=60)] = 0
    """Warm-up that is not counted; added to `duration_s`."""
    rate: Annotated[int, Field(ge=0, lt=2**62)] = 0
    """Bit/s of each stream; 0: unlimited."""
    direction: Direction = Direction.FORWARD

    @model_validator(mode="after")
    def _one_end(self) -> Self:
        if (self.duration_s is None) == (self.amount is None):
            raise ValueError("a TCP test needs either a duration or an amount")
        if self.amount is not None and self.omit_s:
            raise ValueError("omit_s needs duration_s, not amount")
        return self


class UdpSpec(Message):
    """Datagrams of one size at one rate, by iperf3: loss, jitter, and packet rate."""

    kind: Literal["udp"] = "udp"
    size: Annotated[int, Field(ge=16, le=65_507)] = 1024
    """Octets of payload; iperf3 needs 16 for its own header (number and time)."""
    rate: Annotated[int, Field(ge=1, lt=2**62)]
    """Bit/s of payload of each stream."""
    streams: Streams = 1
    window: Window | None = None
    duration_s: WholeSeconds
    direction: Direction = Direction.FORWARD


class RequestAckSpec(Message):
    """Emulates RFIO: write a block, wait for the peer's acknowledgement of a few octets, write the next
    block.

    Exactly one of `count` (blocks of each stream) and `duration_s` is set.
    """

    kind: Literal["request_ack"] = "request_ack"
    size: Annotated[int, Field(ge=1, le=64 * 1024 * 1024)]
    """Octets per block."""
    header: Annotated[int, Field(ge=0, le=65_536)] = 0
    """Octets written separately before each block, like a protocol header; 0: none."""
    ack: Annotated[int, Field(ge=1, le=65_536)] = 4
    """Octets that the peer sends to acknowledge a block."""
    nodelay: bool = False
    """TCP_NODELAY of the writer: Nagle's algorithm (RFC 896) off."""
    ack_delay: Literal["system", "quick", "delayed"] = "system"
    """TCP_QUICKACK (tcp(7)) of the reader, set before each read: unchanged, 1, 0."""
    window: Window | None = None
    streams: Streams = 1
    count: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    duration_s: Seconds | None = None

    @model_validator(mode="after")
    def _one_end(self) -> Self:
        if (self.duration_s is None) == (self.count is None):
            raise ValueError("a request/acknowledge test needs either a duration or a count")
        return self


class PingSpec(Message):
    """ICMP echoes of one size at one rate (RFC 792, RFC 4443). Only the client has an assignment."""

    kind: Literal["ping"] = "ping"
    size: Annotated[int, Field(ge=28, le=65_507)] = 64
    """Octets of data after the ICMP header; the agent uses 28 of them."""
    rate: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """Echoes per second."""
    count: Annotated[int, Field(ge=1, le=100_000)] = 10
    wait_s: Annotated[float, Field(gt=0, le=60)] = 2.0
    """Time to wait for the last replies."""


class RdmaSpec(Message):
    """RDMA by perftest, if both ends have a device: `ib_write_bw`, `ib_send_lat`."""

    kind: Literal["rdma"] = "rdma"
    program: Literal["ib_write_bw", "ib_send_lat"] = "ib_write_bw"
    device: Annotated[str, StringConstraints(pattern=r"^[a-zA-Z0-9_]{0,64}$")] = ""
    """`mlx5_0`; empty: the first."""
    size: Annotated[int, Field(ge=1, le=2**30)] = 65_536
    queue_pairs: Annotated[int, Field(ge=1, le=1024)] = 1
    duration_s: WholeSeconds = 10
    """For `ib_write_bw`; `ib_send_lat` sends 10 000 messages."""
    direction: Direction = Direction.FORWARD


Spec = Annotated[TcpSpec | UdpSpec | RequestAckSpec | PingSpec | RdmaSpec, Field(discriminator="kind")]


class RoundTrip(Message):
    """Round-trip times of one stream over the test, microseconds."""

    least: Amount
    mean: Amount
    most: Amount


class StreamResult(Message):
    """One TCP stream or one sender of datagrams over the whole test."""

    sent: Rate | None = None
    """Bit/s by the sender's count; None in the receiver's report."""
    received: Rate | None = None
    retransmits: Amount | None = None
    round_trip: RoundTrip | None = None
    window: Amount | None = None
    """Largest congestion window, octets."""
    offered: Amount | None = None
    """Largest window offered by the receiver, octets."""


class Spans(Message):
    """A direction second by second, all streams together; one column per value, one row per span."""

    start_ms: Annotated[list[Amount], Field(max_length=MAX_SPANS)]
    rate: Annotated[list[Rate], Field(max_length=MAX_SPANS)]
    retransmits: Annotated[list[Amount], Field(max_length=MAX_SPANS)] | None = None
    rtt_us: Annotated[list[Amount], Field(max_length=MAX_SPANS)] | None = None
    """Mean of the streams' smoothed round trip at the span's end."""
    window: Annotated[list[Amount], Field(max_length=MAX_SPANS)] | None = None
    """Sum of the streams' congestion windows at the span's end, octets."""
    packets: Annotated[list[Amount], Field(max_length=MAX_SPANS)] | None = None
    """Datagrams."""
    lost: Annotated[list[Amount], Field(max_length=MAX_SPANS)] | None = None


class Flow(Message):
    """One direction of a TCP or UDP test."""

    octets: Amount
    """Octets received if known, otherwise sent; without the omitted warm-up."""
    seconds: Annotated[float, Field(ge=0)]
    rate: Rate
    """Bit/s of `octets`."""
    sent: Rate | None = None
    """Bit/s sent by the sender's program."""
    retransmits: Amount | None = None
    packets: Amount | None = None
    lost: Amount | None = None
    out_of_order: Amount | None = None
    jitter_us: Rate | None = None
    """RFC 3550 6.4.1, as computed by iperf3."""
    streams: Annotated[list[StreamResult], Field(max_length=MAX_STREAMS)] = []
    spans: Spans


class TransferResult(Message):
    """A `tcp` or `udp` test as one end saw it. The client's report has the sender's values."""

    kind: Literal["transfer"] = "transfer"
    forward: Flow | None = None
    """From the client to the server."""
    reverse: Flow | None = None
    mss: Amount | None = None
    """Octets per segment, as both ends use it (without TCP options)."""
    path_mtu: Amount | None = None
    """The kernel's path MTU (TCP_INFO tcpi_pmtu), minimum over all streams."""
    send_buffer: Amount | None = None
    """Octets granted by the system (SO_SNDBUF); twice the requested value on Linux."""
    receive_buffer: Amount | None = None
    congestion: Annotated[str, Field(max_length=64)] = ""
    """The sender's congestion control."""
    program_cpu: Percent | None = None
    """Percent of one processor that iperf3 used at this end."""
    peer_cpu: Percent | None = None


class Histogram(Message):
    """Number of values below each bound and not below the previous one, microseconds."""

    below_us: Annotated[list[Amount], Field(max_length=128)]
    count: Annotated[list[Amount], Field(max_length=128)]


class Latency(Message):
    """Distribution of individual times, microseconds."""

    least: Amount
    mean: Rate
    median: Amount
    p90: Amount
    p99: Amount
    most: Amount
    histogram: Histogram


class RequestAckResult(Message):
    """A `request_ack` test, all streams together: one time per block, from its write to its
    acknowledgement."""

    kind: Literal["request_ack"] = "request_ack"
    blocks: Amount
    octets: Amount
    seconds: Annotated[float, Field(ge=0)]
    rate: Rate
    latency: Latency | None = None
    """None at the server, which cannot measure it."""
    stalled: Amount = 0
    """Blocks that took at least 35 ms longer than the quickest one: a delayed acknowledgement takes 40 to 200
    ms."""
    stall_us: Amount | None = None
    """Median time of these blocks beyond the quickest one."""
    streams: Annotated[list[StreamResult], Field(max_length=MAX_STREAMS)] = []
    spans: Spans
    mss: Amount | None = None
    send_buffer: Amount | None = None
    receive_buffer: Amount | None = None
    program_cpu: Percent | None = None


class PingResult(Message):
    """A `ping` test."""

    kind: Literal["ping"] = "ping"
    sent: Amount
    unsendable: Amount = 0
    """Echoes counted in `sent` that the kernel did not send: no route, or too large without fragmentation."""
    received: Amount
    latency: Latency | None = None
    """None: no replies."""
    longest_silence: Amount = 0
    """Longest run of echoes without a reply."""


class RdmaResult(Message):
    """An `rdma` test; values that the program does not report are None."""

    kind: Literal["rdma"] = "rdma"
    size: Amount
    iterations: Amount
    rate: Rate | None = None
    """Bit/s, average."""
    peak: Rate | None = None
    messages: Rate | None = None
    """Per second."""
    least_us: Rate | None = None
    mean_us: Rate | None = None
    typical_us: Rate | None = None
    most_us: Rate | None = None
    p99_us: Rate | None = None


TestResult = Annotated[
    TransferResult | RequestAckResult | PingResult | RdmaResult, Field(discriminator="kind")
]
