"""Throughput test assignments: what one agent does in one cell of a test run.

An assignment is desired state: it appears in `Desired.tests`, is executed at most once (the agent persists
its number across restarts) and disappears again; if it disappears before its end, the test is cancelled. All
assignments of a cell carry one `start_at` by the backend's clock. Each agent knows its own clock's offset
(`ClockReading`) and reports when it actually started. Results: `throughput_report.py`.
"""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, IPvAnyAddress, StringConstraints, model_validator

from backstay_wire.base import Message, Name
from backstay_wire.report import Nanoseconds

MAX_STREAMS = 128
"""Per assignment; iperf3's maximum (MAX_STREAMS in iperf.h)."""
MAX_TEST_S = 3600.0
MAX_TESTS = 64
"""Maximum number of concurrent assignments of one agent."""

Octets = Annotated[int, Field(ge=1, lt=2**62)]
Buffer = Annotated[int, Field(ge=1, le=1024 * 1024)]
"""Octets per write or read; iperf3 accepts at most 1 MiB (MAX_BLOCKSIZE)."""
Window = Annotated[int, Field(ge=1024, le=512 * 1024 * 1024)]
"""Octets of a socket buffer (SO_SNDBUF, SO_RCVBUF); iperf3 accepts at most 512 MiB (MAX_TCP_BUFFER)."""
Seconds = Annotated[float, Field(gt=0, le=MAX_TEST_S)]
WholeSeconds = Annotated[int, Field(ge=1, le=3600)]
"""Whole seconds, the resolution of iperf3 and perftest."""
Streams = Annotated[int, Field(ge=1, le=MAX_STREAMS)]
UdpPort = Annotated[int, Field(ge=1024, le=65535)]


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


class Role(StrEnum):
    """Role of an agent in a test."""

    SERVER = "server"
    """Starts listening a few seconds before the test, so that the client cannot come too early; serves one
    client only."""
    CLIENT = "client"
    OBSERVER = "observer"
    """Sends nothing: reports its processors and ports over the same time, for example a gateway on the path.
    """


class QuietLink(Message):
    """Limit of cross traffic on a port: above it the test does not start, or is aborted."""

    port: Name
    usable: Annotated[int, Field(gt=0, lt=2**62)]
    """Bit/s that the port can carry in one direction."""
    most_percent: Annotated[float, Field(ge=0, le=100)]
    """Percent of `usable` that other traffic may take, in either direction."""


class TestAssignment(Message):
    """One agent's part in one flow of one cell."""

    __test__ = False
    """Not for pytest to collect."""
    id: Annotated[int, Field(ge=1, lt=2**62)]
    """Never reused: an agent does not start the same id twice."""
    run: Annotated[int, Field(ge=1, lt=2**62)]
    cell: Annotated[int, Field(ge=1, lt=2**62)]
    flow: Annotated[int, Field(ge=0, le=65_535)] = 0
    """Index of the pair in the cell; all pairs of a cell start together."""
    role: Role
    spec: Spec
    local: IPvAnyAddress | None = None
    """The address to listen on or to send from; None: chosen by the route. Required for a server."""
    peer: IPvAnyAddress | None = None
    """The other end. Required for a client; if set, the route to it is reported."""
    peer_name: Annotated[str, Field(max_length=128)] = ""
    port: UdpPort = 5201
    """Port on which the server listens (TCP; also UDP for datagrams)."""
    ports: Annotated[list[Name], Field(max_length=16)] = []
    """Ports to report, besides the port of the route to the peer. An observer without any, and a server with
    neither, report all ports that carried traffic."""
    start_at: Nanoseconds
    """By the backend's clock. Should be at least two seconds ahead for an agent to be in time."""
    late_s: Annotated[float, Field(ge=0, le=3600)] = 1.0
    """An agent that receives the assignment later than `start_at` plus this does not start: `timed_out`."""
    limit_s: Annotated[float, Field(gt=0, le=2 * MAX_TEST_S)]
    """Seconds after `start_at` at which a running test is ended: `timed_out`."""
    quiet: Annotated[list[QuietLink], Field(max_length=16)] = []

    @model_validator(mode="after")
    def _ends(self) -> Self:
        if self.role is Role.SERVER and self.local is None:
            raise ValueError("a server needs a local address")
        if self.role is Role.CLIENT and self.peer is None:
            raise ValueError("a client needs a peer")
        if self.role is Role.SERVER and isinstance(self.spec, PingSpec):
            raise ValueError("a ping test has no server: the system answers echoes")
        if self.local is not None and self.peer is not None and self.local.version != self.peer.version:
            raise ValueError("both addresses must be of one family")
        return self
