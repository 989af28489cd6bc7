"""An agent's reports: typed, many in one gzip JSON request.

`POST /api/agent/v1/reports` takes a `ReportBatch` and answers `BatchReply`. Every report is stored
whole or not at all, keyed by (agent, boot, seq), so sending one again is free. The status is 200 when
each report was stored; else 4xx, and `rejected` names each bad item by index with a code and a reason.
"""

from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, IPvAnyAddress, IPvAnyNetwork

from backstay_wire.adjacency import AdjacencyReport, ForwardingReport
from backstay_wire.arp import ArpReport
from backstay_wire.base import Message, Name, Text
from backstay_wire.change import ChangeReport
from backstay_wire.metric_report import MetricReport
from backstay_wire.notices import NoticeReport
from backstay_wire.report import DeltaOutcome, Nanoseconds, ReportBase
from backstay_wire.routing import DecisionReport, MoveReport, RoutingReport
from backstay_wire.throughput_report import TestReport

WIRE_VERSION = 2
MAX_REPORTS = 512
"""Reports in one batch."""
MAX_PORTS = 4096
"""Ports in one device's report."""
MAX_BATCH_BYTES = 16 * 1024 * 1024
"""Largest batch after decompression."""
NO_VALUE = -1
"""In a metric column: this port has no value for this interval (see its `outcome`)."""

Count = Annotated[int, Field(ge=NO_VALUE, lt=2**63)]
Column = Annotated[list[Count], Field(max_length=MAX_PORTS)]
"""One integer per port, in the order of `PortSamples.ports`."""


class PortSamples(ReportBase):
    """One device's whole port table for one interval: the counters' growth, one column a metric.

    A column that is absent was zero for every port (errors, discards) or is not measured (peaks).
    """

    kind: Literal["ports"] = "ports"
    duration_ns: Annotated[int, Field(gt=0, lt=2**62)]
    """Length of the interval by the monotonic clock; rates are growth over this."""
    ports: Annotated[list[Name], Field(min_length=1, max_length=MAX_PORTS)]
    in_octets: Column
    out_octets: Column
    in_packets: Column
    out_packets: Column
    in_errors: Column | None = None
    out_errors: Column | None = None
    in_discards: Column | None = None
    out_discards: Column | None = None
    in_peak: Column | None = None
    """Octets received in the busiest second of the interval."""
    out_peak: Column | None = None
    outcome: Annotated[list[DeltaOutcome], Field(max_length=MAX_PORTS)] | None = None
    """Absent when every port's outcome is OK."""


class PortState(Message):
    """One port as the device describes it (IF-MIB ifTable/ifXTable, or rtnetlink link message)."""

    name: Name
    index: Annotated[int, Field(ge=0)]
    if_type: Annotated[int, Field(ge=0)] = 0
    """IANAifType-MIB; 0 when the source has none."""
    speed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """Bit/s as the device reports it; 0 when unknown."""
    mtu: Annotated[int, Field(ge=0)] = 0
    admin_up: bool
    oper_up: bool
    """Carrier present and running."""
    mac: Annotated[str, Field(max_length=64)] = ""
    alias: Text = ""
    addresses: Annotated[list[str], Field(max_length=256)] = []
    """Interface addresses with prefix length, e.g. `10.1.0.1/24`."""


class DeviceReport(ReportBase):
    """A device and all its ports as they are now: on start, on any change, and once a minute."""

    kind: Literal["device"] = "device"
    sys_name: Text = ""
    sys_descr: Text = ""
    uptime_s: Annotated[float, Field(ge=0)] | None = None
    clock: Nanoseconds | None = None
    """The device's own wall clock (hrSystemDate, RFC 2790), read at `at`."""
    clock_source: Name | None = None
    """Source: `hrSystemDate`, `ps32`, `date`; absent: `hrSystemDate`."""
    clock_error: Annotated[int, Field(ge=0, lt=2**62)] = 1_000_000_000
    """Nanoseconds: the request's round trip and the resolution of the clock allow for no
    more error than this."""
    ports: Annotated[list[PortState], Field(max_length=MAX_PORTS)]


class NextHop(Message):
    """One next hop of a route."""

    via: IPvAnyAddress | None = None
    """Absent when the destination is on-link."""
    port: Name


class Route(Message):
    """A unicast route of the kernel's main table."""

    prefix: IPvAnyNetwork
    protocol: Name
    """Who installed it, by rtnetlink's names: kernel, boot, static, bird, zebra, or a number."""
    metric: Annotated[int, Field(ge=0)] = 0
    next_hops: Annotated[list[NextHop], Field(max_length=64)]


class RouteReport(ReportBase):
    """Routes: the whole main table (`complete`), or what one kernel event changed."""

    kind: Literal["routes"] = "routes"
    complete: bool
    routes: Annotated[list[Route], Field(max_length=100_000)]
    """All routes when complete; else those added or replaced."""
    removed: Annotated[list[Route], Field(max_length=100_000)] = []


class Neighbour(Message):
    """One entry of a neighbour (ARP, ND) table."""

    port: Name
    address: IPvAnyAddress
    mac: Annotated[str, Field(max_length=64)] = ""
    state: Annotated[str, Field(max_length=16)]
    """rtnetlink's NUD names in lower case (reachable, stale, failed, permanent, ...); `other`,
    `dynamic`, `static` from ipNetToMediaType."""


class NeighbourReport(ReportBase):
    """A device's whole neighbour table."""

    kind: Literal["neighbours"] = "neighbours"
    neighbours: Annotated[list[Neighbour], Field(max_length=100_000)]


class Protocol(Message):
    """One protocol instance of a routing daemon (`show protocols all`)."""

    name: Name
    proto: Name
    state: Name
    info: Text = ""


class BfdSession(Message):
    """One BFD session (RFC 5880) as the daemon shows it."""

    neighbour: IPvAnyAddress
    port: Name
    state: Literal["Down", "Init", "Up", "AdminDown"]
    interval_ms: Annotated[float, Field(ge=0)] = 0
    timeout_ms: Annotated[float, Field(ge=0)] = 0


class DaemonReport(ReportBase):
    """A routing daemon's own view."""

    kind: Literal["daemon"] = "daemon"
    daemon: Name
    version: Text = ""
    running: bool
    protocols: Annotated[list[Protocol], Field(max_length=1024)] = []
    bfd: Annotated[list[BfdSession], Field(max_length=4096)] = []


class GatewayLiveness(Message):
    """Whether one gateway of a watched path answers this node."""

    name: Name
    alive: bool | None
    """None: not probed yet."""
    rtt_us: Annotated[int, Field(ge=0)] | None = None


class PathSwitch(Message):
    """The active gateway changed. Sent at once, and again with the same id once the outage is known."""

    id: UUID
    at: Nanoseconds
    """When the kernel's route event was received."""
    from_gateway: Annotated[str, Field(max_length=128)]
    """Empty: there was no route."""
    to_gateway: Annotated[str, Field(max_length=128)]
    outage_ms: Annotated[float, Field(ge=0)] | None = None
    """Span of unanswered end-to-end probes around the switch, good to `probe_interval_ms`. None: not known
    yet, or there is no target to probe."""
    lost_probes: Annotated[int, Field(ge=0)] | None = None
    probe_interval_ms: Annotated[int, Field(gt=0)]


class PathReport(ReportBase):
    """The observed side of one failover policy on one node: on any change, and every ten seconds."""

    kind: Literal["path"] = "path"
    policy: Name
    prefix: IPvAnyNetwork
    active: Annotated[str, Field(max_length=128)]
    """Name of the gateway that the kernel's route uses; empty when there is no route or an unknown one."""
    target_alive: bool | None = None
    """Whether end-to-end probes along the active path are answered; None without a target."""
    target_rtt_us: Annotated[int, Field(ge=0)] | None = None
    gateways: Annotated[list[GatewayLiveness], Field(max_length=16)]
    switch: PathSwitch | None = None


class CollectorOutcome(StrEnum):
    """What became of one run of a collector. No data is not a failure."""

    OK = "ok"
    NO_DATA = "no_data"
    TIMEOUT = "timeout"
    FAILED = "failed"


class CollectorReport(ReportBase):
    """The runner's own observation of a collector: on every change of outcome, and once a minute."""

    kind: Literal["collector"] = "collector"
    collector: Name
    outcome: CollectorOutcome
    detail: Text = ""
    duration_ms: Annotated[float, Field(ge=0)]


Report = Annotated[
    PortSamples
    | DeviceReport
    | RouteReport
    | NeighbourReport
    | DaemonReport
    | PathReport
    | CollectorReport
    | MetricReport
    | AdjacencyReport
    | ForwardingReport
    | NoticeReport
    | RoutingReport
    | DecisionReport
    | MoveReport
    | ChangeReport
    | ArpReport
    | TestReport,
    Field(discriminator="kind"),
]


class SpoolState(Message):
    """How full the agent's spool is, so that the operator sees a backlog and every loss."""

    waiting: Annotated[int, Field(ge=0)] = 0
    """Reports not yet acknowledged, this batch included."""
    dropped: Annotated[int, Field(ge=0)] = 0
    """Reports lost since the agent was enrolled: quota reached, or a damaged record."""


class ClockReading(Message):
    """The agent's clock against the backend's, as earlier requests bounded it (compare RFC 5905 section 8).

    The backend's `BatchReply.received` lay between the request's leaving and the reply's arriving, so the
    offset is known to half of that time, however slow the path was.
    """

    offset_ns: Annotated[int, Field(gt=-(2**62), lt=2**62)]
    """The agent's clock minus the backend's."""
    error_ns: Annotated[int, Field(ge=0, lt=2**62)]
    """The true offset is no further from `offset_ns` than this."""


class ReportBatch(Message):
    """Body of `POST /api/agent/v1/reports`, gzip-encoded."""

    wire: Literal[2] = 2
    sent: Nanoseconds
    """When the request left, by the agent's clock: a bound of its offset when there is no `clock`."""
    clock: ClockReading | None = None
    """None: no answer was had yet, or the agent's clock was set since."""
    spool: SpoolState = SpoolState()
    reports: Annotated[list[Report], Field(min_length=1, max_length=MAX_REPORTS)]


class RejectionCode(StrEnum):
    """Why one report was not stored. None of them is cured by sending the same report again."""

    MALFORMED = "malformed"
    DUPLICATE = "duplicate"
    """Already stored: for the agent as good as delivered."""
    FOREIGN = "foreign"
    """The device is not assigned to this agent."""
    FUTURE = "future"
    """More than ten minutes ahead of the backend's clock, the agent's known clock offset allowed for."""
    EXPIRED = "expired"
    """Older than the backend keeps samples."""


class Rejection(Message):
    """One report of the batch that was not stored."""

    index: Annotated[int, Field(ge=0)]
    code: RejectionCode
    reason: str


class BatchReply(Message):
    """Reply to a `ReportBatch`, whatever the status, as long as the body could be read at all."""

    stored: int
    rejected: list[Rejection] = []
    generation: int
    """Newest generation of this agent's desired state."""
    received: Nanoseconds | None = None
    """When the request was taken up, by the backend's clock."""
