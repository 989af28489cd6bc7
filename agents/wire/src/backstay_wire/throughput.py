"""Throughput test assignments: what one agent does in one cell of a test run.

An assignment is desired state: it appears in `Desired.tests`, is executed at most once (the agent persists
its number across restarts) and disappears again; if it disappears before its end, the test is cancelled. All
assignments of a cell carry one `start_at` by the backend's clock. Each agent knows its own clock's offset
(`ClockReading`) and reports when it actually started. Kinds of test: `throughput_kinds.py`; reports:
`throughput_report.py`.
"""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, IPvAnyAddress, model_validator

from backstay_wire.base import Message, Name
from backstay_wire.report import Nanoseconds
from backstay_wire.throughput_kinds import MAX_TEST_S, PingSpec, Spec

MAX_TESTS = 64
"""Maximum number of concurrent assignments of one agent."""

UdpPort = Annotated[int, Field(ge=1024, le=65535)]


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
