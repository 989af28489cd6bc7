"""Results of throughput tests: what one agent's assignment in a cell measured, or why it did not.

Rates are bit/s of payload, times of a test in milliseconds from its beginning, round trips in microseconds.
None is "not reported", such as a receiver's retransmits; 0 is a count of none.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from backstay_wire.base import Message, Name, Text
from backstay_wire.report import Nanoseconds, ReportBase
from backstay_wire.throughput import MAX_STREAMS, Role

MAX_SPANS = 4096
"""Spans of one result: one a second."""

Amount = Annotated[int, Field(ge=0, lt=2**63)]
Rate = Annotated[float, Field(ge=0)]
Percent = Annotated[float, Field(ge=0)]


class TestState(StrEnum):
    """An assignment's state. All but the first two are final and come once."""

    __test__ = False
    ACCEPTED = "accepted"
    """Taken up; a server listens."""
    RUNNING = "running"
    DONE = "done"
    MISSING_TOOL = "missing_tool"
    """The program, or the device that it needs, is not on this host."""
    WRONG_VERSION = "wrong_version"
    REFUSED = "refused"
    """No listener at the peer, no route to it, or the test's settings are not available."""
    PORT_BUSY = "port_busy"
    """Another test has the port, here or at the server."""
    KILLED = "killed"
    """The program was ended from outside, or this agent ended in the middle of the test."""
    TRUNCATED = "truncated"
    """The program succeeded but its output is incomplete."""
    TIMED_OUT = "timed_out"
    """Not ended by its limit, or the assignment came too late to begin."""
    CANCELLED = "cancelled"
    ABORTED_BY_LOAD = "aborted_by_load"
    """The quiet-link guard: a port carried too much else."""
    FAILED = "failed"
    """Anything else; `detail` has the program's message."""


class RoundTrip(Message):
    """Round-trip times of one stream over the test, microseconds."""

    least: Amount
    mean: Amount
    most: Amount


class StreamResult(Message):
    """One TCP stream or one sender of datagrams over the whole test."""

    sent: Rate | None = None
    """Bit/s by the sender's count; None where the receiver reports."""
    received: Rate | None = None
    retransmits: Amount | None = None
    round_trip: RoundTrip | None = None
    window: Amount | None = None
    """Largest congestion window, octets."""
    offered: Amount | None = None
    """Largest window that the receiver offered, octets."""


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
    """Received if that is known, else sent; without the omitted beginning."""
    seconds: Annotated[float, Field(ge=0)]
    rate: Rate
    """Bit/s of `octets`."""
    sent: Rate | None = None
    """Bit/s that left the sender's program."""
    retransmits: Amount | None = None
    packets: Amount | None = None
    lost: Amount | None = None
    out_of_order: Amount | None = None
    jitter_us: Rate | None = None
    """RFC 3550 6.4.1, as iperf3 has it."""
    streams: Annotated[list[StreamResult], Field(max_length=MAX_STREAMS)] = []
    spans: Spans


class TransferResult(Message):
    """A `tcp` or `udp` test as one end saw it. The client's report has the sender's values."""

    kind: Literal["transfer"] = "transfer"
    forward: Flow | None = None
    """From the client to the server."""
    reverse: Flow | None = None
    mss: Amount | None = None
    """Octets of a segment, as both ends use it (without TCP options)."""
    path_mtu: Amount | None = None
    """What the kernel took the path's MTU for (TCP_INFO tcpi_pmtu), least of all streams."""
    send_buffer: Amount | None = None
    """Octets that the system gave (SO_SNDBUF); twice what was asked for on Linux."""
    receive_buffer: Amount | None = None
    congestion: Annotated[str, Field(max_length=64)] = ""
    """The sender's congestion control."""
    program_cpu: Percent | None = None
    """Per cent of one processor that iperf3 used at this end."""
    peer_cpu: Percent | None = None


class Histogram(Message):
    """How many fell below each bound and not below the one before, microseconds."""

    below_us: Annotated[list[Amount], Field(max_length=128)]
    count: Annotated[list[Amount], Field(max_length=128)]


class Latency(Message):
    """Of many single times, microseconds."""

    least: Amount
    mean: Rate
    median: Amount
    p90: Amount
    p99: Amount
    most: Amount
    histogram: Histogram


class RequestAckResult(Message):
    """A `request_ack` test, all streams together: one time a block, from its write to its answer."""

    kind: Literal["request_ack"] = "request_ack"
    blocks: Amount
    octets: Amount
    seconds: Annotated[float, Field(ge=0)]
    rate: Rate
    latency: Latency | None = None
    """None at the server, which cannot know it."""
    stalled: Amount = 0
    """Blocks that took 35 ms or more over the quickest one: a delayed acknowledgement takes 40 to 200."""
    stall_us: Amount | None = None
    """What these took over the quickest, in the middle."""
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
    """Those of `sent` that the kernel would not send: no route, or too large with no fragments allowed."""
    received: Amount
    latency: Latency | None = None
    """None: nothing was answered."""
    longest_silence: Amount = 0
    """Echoes in a row without an answer."""


class RdmaResult(Message):
    """An `rdma` test; what the program does not report is None."""

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
    """The host's processors over the test (/proc/stat, proc(5)). Namespaces share them: so does this."""

    cpus: Annotated[int, Field(ge=1)]
    busy: Percent
    """Per cent of all processors, 0 to 100."""
    busiest: Percent
    """Of the busiest one, over the whole test."""
    softirq: Percent
    """Part of `busy` in softirq, where packets are forwarded."""
    busiest_softirq: Percent
    system: Percent
    steal: Percent
    busy_spans: Annotated[list[Percent], Field(max_length=MAX_SPANS)] = []
    """Second by second."""
    busiest_spans: Annotated[list[Percent], Field(max_length=MAX_SPANS)] = []


class PortLoad(Message):
    """One port over the test: the counters' growth."""

    port: Name
    mtu: Amount = 0
    speed: Amount = 0
    """Bit/s; 0: not known."""
    in_octets: Amount
    out_octets: Amount
    in_packets: Amount
    out_packets: Amount
    in_errors: Amount = 0
    out_errors: Amount = 0
    in_discards: Amount = 0
    out_discards: Amount = 0
    others_in: Rate | None = None
    """Bit/s of others' traffic, about: the growth without the test's own. None: not separable."""
    others_out: Rate | None = None
    before_in: Rate | None = None
    """Bit/s in the time just before the test."""
    before_out: Rate | None = None


class RouteSeen(Message):
    """How this host reaches the peer."""

    port: Annotated[str, Field(max_length=128)] = ""
    source: Annotated[str, Field(max_length=64)] = ""
    mtu: Amount | None = None
    """Octets, the route's or what path MTU discovery found (IP_MTU, ip(7))."""


class TestReport(ReportBase):
    """Status of one assignment: as it is accepted, as it begins, and once as it ended."""

    __test__ = False
    kind: Literal["test"] = "test"
    assignment: Annotated[int, Field(ge=1, lt=2**62)]
    run: Annotated[int, Field(ge=1, lt=2**62)]
    cell: Annotated[int, Field(ge=1, lt=2**62)]
    flow: Annotated[int, Field(ge=0, le=65_535)] = 0
    role: Role
    state: TestState
    detail: Text = ""
    """A sentence; the program's own message where it had one."""
    started: Nanoseconds | None = None
    """When the program really began, by this agent's clock; a server: to listen. None: it did not."""
    ended: Nanoseconds | None = None
    late_us: Annotated[int, Field(gt=-(2**62), lt=2**62)] | None = None
    """`started` after `start_at`, with this agent's clock put right by what it knows of the offset."""
    clock_error_us: Amount | None = None
    """The offset is known no better than this; None: not known at all, the clocks were taken to agree."""
    program: Annotated[str, Field(max_length=128)] = ""
    """`iperf3 3.12`."""
    command: Annotated[str, Field(max_length=1024)] = ""
    """What was run, as a person would type it."""
    result: TestResult | None = None
    """Also of a test that did not end well: what was measured until then."""
    host: HostLoad | None = None
    ports: Annotated[list[PortLoad], Field(max_length=4096)] = []
    route: RouteSeen | None = None
    idle_us: Amount | None = None
    """Least round trip of eight echoes of 64 octets to the peer just before the test; a client's. None:
    no answer, echoes are not allowed, there was no time, or the test itself is echoes."""
