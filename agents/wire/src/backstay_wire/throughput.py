"""Throughput tests, as they are asked for: what one agent does in one cell of a test run.

An assignment is desired state: it appears in `Desired.tests`, is executed at most once (the agent remembers
its number over restarts) and goes away again; when it goes before its end, that is a cancel. All assignments
of a cell carry one `start_at` by the backend's clock. Each agent knows how far its own clock is from that
(`ClockReading`) and reports when it did start. Results: `throughput_report.py`.
"""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, IPvAnyAddress, StringConstraints, model_validator

from backstay_wire.base import Message, Name
from backstay_wire.report import Nanoseconds

MAX_STREAMS = 128
"""Of one assignment; iperf3 takes no more (MAX_STREAMS in iperf.h)."""
MAX_TEST_S = 3600.0
MAX_TESTS = 64
"""Assignments that one agent may have at a time."""

Octets = Annotated[int, Field(ge=1, lt=2**62)]
Buffer = Annotated[int, Field(ge=1, le=1024 * 1024)]
"""Octets of one write or read; iperf3 takes at most 1 MiB (MAX_BLOCKSIZE)."""
Window = Annotated[int, Field(ge=1024, le=512 * 1024 * 1024)]
"""Octets of a socket buffer (SO_SNDBUF, SO_RCVBUF); iperf3 takes at most 512 MiB (MAX_TCP_BUFFER)."""
Seconds = Annotated[float, Field(gt=0, le=MAX_TEST_S)]
WholeSeconds = Annotated[int, Field(ge=1, le=3600)]
"""What iperf3 and perftest take."""
Streams = Annotated[int, Field(ge=1, le=MAX_STREAMS)]
UdpPort = Annotated[int, Field(ge=1024, le=65535)]


class Direction(StrEnum):
    """Direction of the data."""

    FORWARD = "forward"
    """From the client to the server."""
    REVERSE = "reverse"
    BOTH = "both"
    """Both at a time."""


class TcpSpec(Message):
    """TCP from memory to memory, by iperf3. One of `duration_s` and `amount`."""

    kind: Literal["tcp"] = "tcp"
    streams: Streams = 1
    buffer: Buffer = 128 * 1024
    window: Window | None = None
    """Both ends' socket buffers; Linux doubles what is asked for. None: the system's, which grows."""
    nodelay: bool = False
    """TCP_NODELAY: Nagle's algorithm (RFC 896) off."""
    mss: Annotated[int, Field(ge=88, le=65_495)] | None = None
    """Octets; None: from the path."""
    congestion: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,15}$")] | None = None
    """Congestion control by the kernel's name (`cubic`, `reno`); None: the system's."""
    duration_s: WholeSeconds | None = None
    amount: Octets | None = None
    """Octets of all streams together."""
    omit_s: Annotated[int, Field(ge=0, le=60)] = 0
    """The beginning that is not counted; it comes on top of `duration_s`."""
    rate: Annotated[int, Field(ge=0, lt=2**62)] = 0
    """Bit/s of each stream; 0: as much as goes."""
    direction: Direction = Direction.FORWARD

    @model_validator(mode="after")
    def _one_end(self) -> Self:
        if (self.duration_s is None) == (self.amount is None):
            raise ValueError("a TCP test ends by a duration or by an amount")
        if self.amount is not None and self.omit_s:
            raise ValueError("a beginning is left out of a duration, not of an amount")
        return self


class UdpSpec(Message):
    """Datagrams of one size at one rate, by iperf3: loss, jitter, and how many packets go."""

    kind: Literal["udp"] = "udp"
    size: Annotated[int, Field(ge=16, le=65_507)] = 1024
    """Octets of payload; 16 is what iperf3 needs for its own (number and time)."""
    rate: Annotated[int, Field(ge=1, lt=2**62)]
    """Bit/s of payload of each stream."""
    streams: Streams = 1
    window: Window | None = None
    duration_s: WholeSeconds
    direction: Direction = Direction.FORWARD


class RequestAckSpec(Message):
    """As RFIO does: write a block, wait for the other program's few octets, write the next.

    One of `count` (blocks of each stream) and `duration_s`.
    """

    kind: Literal["request_ack"] = "request_ack"
    size: Annotated[int, Field(ge=1, le=64 * 1024 * 1024)]
    """Octets of a block."""
    header: Annotated[int, Field(ge=0, le=65_536)] = 0
    """Octets written by themselves before each block, as a protocol's own header is; 0: none."""
    ack: Annotated[int, Field(ge=1, le=65_536)] = 4
    """Octets that the other program answers a block with."""
    nodelay: bool = False
    """TCP_NODELAY of the writer: Nagle's algorithm (RFC 896) off."""
    ack_delay: Literal["system", "quick", "delayed"] = "system"
    """The reader's TCP_QUICKACK (tcp(7)), set before each read: left alone, 1, 0."""
    window: Window | None = None
    streams: Streams = 1
    count: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    duration_s: Seconds | None = None

    @model_validator(mode="after")
    def _one_end(self) -> Self:
        if (self.duration_s is None) == (self.count is None):
            raise ValueError("a request/acknowledge test ends by a duration or by a count")
        return self


class PingSpec(Message):
    """ICMP echoes of one size at one rate (RFC 792, RFC 4443). Only the client has an assignment."""

    kind: Literal["ping"] = "ping"
    size: Annotated[int, Field(ge=28, le=65_507)] = 64
    """Octets of data after the ICMP header; the agent's own part takes 28."""
    rate: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """Echoes per second."""
    count: Annotated[int, Field(ge=1, le=100_000)] = 10
    wait_s: Annotated[float, Field(gt=0, le=60)] = 2.0
    """For the last answers."""


class RdmaSpec(Message):
    """RDMA by perftest, where both ends have a device: `ib_write_bw`, `ib_send_lat`."""

    kind: Literal["rdma"] = "rdma"
    program: Literal["ib_write_bw", "ib_send_lat"] = "ib_write_bw"
    device: Annotated[str, StringConstraints(pattern=r"^[a-zA-Z0-9_]{0,64}$")] = ""
    """`mlx5_0`; empty: the first."""
    size: Annotated[int, Field(ge=1, le=2**30)] = 65_536
    queue_pairs: Annotated[int, Field(ge=1, le=1024)] = 1
    duration_s: WholeSeconds = 10
    """Of `ib_write_bw`; `ib_send_lat` sends 10 000 messages."""
    direction: Direction = Direction.FORWARD


Spec = Annotated[TcpSpec | UdpSpec | RequestAckSpec | PingSpec | RdmaSpec, Field(discriminator="kind")]


class Role(StrEnum):
    """What an agent does in a test."""

    SERVER = "server"
    """Listens from some seconds before the start, so that the client cannot come too early, for one client
    only."""
    CLIENT = "client"
    OBSERVER = "observer"
    """Sends nothing: reports its processors and ports over the same time, such as a gateway on the path."""


class QuietLink(Message):
    """When a port carries too much else: the test is not begun, or is broken off."""

    port: Name
    usable: Annotated[int, Field(gt=0, lt=2**62)]
    """Bit/s that the port can carry in one direction."""
    most_percent: Annotated[float, Field(ge=0, le=100)]
    """Of `usable`: what others may take, in either direction."""


class TestAssignment(Message):
    """One agent's part in one flow of one cell."""

    __test__ = False
    """Not for pytest to collect."""
    id: Annotated[int, Field(ge=1, lt=2**62)]
    """Never given twice: what was begun under it is not begun again."""
    run: Annotated[int, Field(ge=1, lt=2**62)]
    cell: Annotated[int, Field(ge=1, lt=2**62)]
    flow: Annotated[int, Field(ge=0, le=65_535)] = 0
    """Which of the cell's pairs; those of one cell start together."""
    role: Role
    spec: Spec
    local: IPvAnyAddress | None = None
    """The address to listen at, or to send from; None: by the route. A server must have it."""
    peer: IPvAnyAddress | None = None
    """The other end. A client must have it; where there is one, the route to it is reported."""
    peer_name: Annotated[str, Field(max_length=128)] = ""
    port: UdpPort = 5201
    """At which the server listens (TCP; UDP as well for datagrams)."""
    ports: Annotated[list[Name], Field(max_length=16)] = []
    """Whose counters are reported, besides the port of an end's route to its peer; an observer without, and a
    server with neither, reports all that carried anything."""
    start_at: Nanoseconds
    """By the backend's clock. An agent wants it two seconds ahead or more to be in time."""
    late_s: Annotated[float, Field(ge=0, le=3600)] = 1.0
    """An agent that receives the assignment so much later than `start_at` does not begin: `timed_out`."""
    limit_s: Annotated[float, Field(gt=0, le=2 * MAX_TEST_S)]
    """After so long from `start_at` whatever still runs is ended: `timed_out`."""
    quiet: Annotated[list[QuietLink], Field(max_length=16)] = []

    @model_validator(mode="after")
    def _ends(self) -> Self:
        if self.role is Role.SERVER and self.local is None:
            raise ValueError("a server listens at one address")
        if self.role is Role.CLIENT and self.peer is None:
            raise ValueError("a client has a peer")
        if self.role is Role.SERVER and isinstance(self.spec, PingSpec):
            raise ValueError("echoes are answered by the system: no server")
        if self.local is not None and self.peer is not None and self.local.version != self.peer.version:
            raise ValueError("both addresses are of one family")
        return self
