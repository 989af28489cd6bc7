"""Reports of throughput tests: the state of one agent's assignment in a cell, and what else it measured."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from backstay_wire.base import Message, Name, Text
from backstay_wire.report import Nanoseconds, ReportBase
from backstay_wire.throughput import Role
from backstay_wire.throughput_kinds import MAX_SPANS, Amount, Percent, Rate, TestResult


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
    """Something else ended the program on this host, or this agent stopped during the test."""
    PEER_GONE = "peer_gone"
    """The other end's program ended, or the connection to it broke, during the test."""
    TRUNCATED = "truncated"
    """The program succeeded but its output is incomplete."""
    TIMED_OUT = "timed_out"
    """Still running at its limit, or the assignment came too late to start."""
    CANCELLED = "cancelled"
    ABORTED_BY_LOAD = "aborted_by_load"
    """Cross traffic on a port exceeded the limit (`QuietLink`)."""
    FAILED = "failed"
    """Any other failure; `detail` has the program's message."""


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
