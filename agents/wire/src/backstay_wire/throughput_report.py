"""Results of throughput tests: what one agent's assignment in a cell measured, or why it failed.

Rates are bit/s of payload, times of a test are milliseconds from its start, round trips are microseconds.
None means "not reported", such as a receiver's retransmits; 0 is a count of zero.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from backstay_wire.base import Message, Name, Text
from backstay_wire.report import Nanoseconds, ReportBase
from backstay_wire.throughput import MAX_STREAMS, Role

MAX_SPANS = 4096
"""Spans of one result, one per second."""

Amount = Annotated[int, Field(ge=0, lt=2**63)]
Rate = Annotated[float, Field(ge=0)]
Percent = Annotated[float, Field(ge=0)]


class TestState(StrEnum):
    """State of an assignment. All but the first two are final and are reported once."""

    __test__ = False
    ACCEPTED = "accepted"
    """Accepted; a server listens."""
    RUNNING = "running"
    DONE = "done"
    MISSING_TOOL = "missing_tool"
    """The program or the device it needs is not on this host."""
    WRONG_VERSION = "wrong_version"
    REFUSED = "refused"
    """No listener at the peer, no route to it, or a setting of the test is not available."""
    PORT_BUSY = "port_busy"
    """Another test uses the port, here or at the server."""
    KILLED = "killed"
    """Something else ended the program, or this agent stopped during the test."""
    TRUNCATED = "truncated"
    """The program succeeded but its output is incomplete."""
    TIMED_OUT = "timed_out"
    """Still running at its limit, or the assignment came too late to start."""
    CANCELLED = "cancelled"
    ABORTED_BY_LOAD = "aborted_by_load"
    """Cross traffic on a port exceeded the limit (`QuietLink`)."""
    FAILED = "failed"
    """Any other failure; `detail` has the program's message."""


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


class HostLoad(Message):
    """The host's processors during the test (/proc/stat, proc(5)). Network namespaces share them, and
    therefore these values."""

    cpus: Annotated[int, Field(ge=1)]
    busy: Percent
    """Percent of all processors, 0 to 100."""
    busiest: Percent
    """Percent of the busiest one, over the whole test."""
    softirq: Percent
    """Part of `busy` spent in softirq, which forwards packets."""
    busiest_softirq: Percent
    system: Percent
    steal: Percent
    busy_spans: Annotated[list[Percent], Field(max_length=MAX_SPANS)] = []
    """`busy` second by second."""
    busiest_spans: Annotated[list[Percent], Field(max_length=MAX_SPANS)] = []


class PortLoad(Message):
    """One port during the test: counter deltas."""

    port: Name
    mtu: Amount = 0
    speed: Amount = 0
    """Bit/s; 0: unknown."""
    in_octets: Amount
    out_octets: Amount
    in_packets: Amount
    out_packets: Amount
    in_errors: Amount = 0
    out_errors: Amount = 0
    in_discards: Amount = 0
    out_discards: Amount = 0
    others_in: Rate | None = None
    """Approximate bit/s of cross traffic: the delta minus the test's own traffic. None: not separable."""
    others_out: Rate | None = None
    before_in: Rate | None = None
    """Bit/s just before the test."""
    before_out: Rate | None = None


class RouteSeen(Message):
    """The route from this host to the peer."""

    port: Annotated[str, Field(max_length=128)] = ""
    source: Annotated[str, Field(max_length=64)] = ""
    mtu: Amount | None = None
    """Octets: the route's MTU or the result of path MTU discovery (IP_MTU, ip(7))."""


class TestReport(ReportBase):
    """Status of one assignment: sent when accepted, when started, and once when ended."""

    __test__ = False
    kind: Literal["test"] = "test"
    assignment: Annotated[int, Field(ge=1, lt=2**62)]
    run: Annotated[int, Field(ge=1, lt=2**62)]
    cell: Annotated[int, Field(ge=1, lt=2**62)]
    flow: Annotated[int, Field(ge=0, le=65_535)] = 0
    role: Role
    state: TestState
    detail: Text = ""
    """One sentence; the program's own message if it printed one."""
    started: Nanoseconds | None = None
    """When the program actually started (a server: to listen), by this agent's clock. None: it did not."""
    ended: Nanoseconds | None = None
    late_us: Annotated[int, Field(gt=-(2**62), lt=2**62)] | None = None
    """`started` minus `start_at`, with this agent's clock corrected by its known offset."""
    clock_error_us: Amount | None = None
    """Error of the offset; None: the offset is unknown and assumed to be zero."""
    program: Annotated[str, Field(max_length=128)] = ""
    """`iperf3 3.12`."""
    command: Annotated[str, Field(max_length=1024)] = ""
    """Command line as a user would type it."""
    result: TestResult | None = None
    """Also set for a failed test: the values measured until then."""
    host: HostLoad | None = None
    ports: Annotated[list[PortLoad], Field(max_length=4096)] = []
    route: RouteSeen | None = None
    idle_us: Amount | None = None
    """Minimum round trip of eight echoes of 64 octets to the peer just before the test; client only. None: no
    reply, echoes are not permitted, no time, or the test itself consists of echoes."""
