"""An agent's reports: typed, many in one gzip JSON request.

`POST /api/agent/v1/reports` takes a `ReportBatch` and returns `BatchReply`. Every report is stored whole or
not at all, keyed by (agent, boot, seq), so resending one is harmless. The status is 200 if every report was
stored; otherwise it is 4xx, and `rejected` names each bad item by index with a code and a reason.
"""

from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, IPvAnyAddress, IPvAnyNetwork

from backstay_wire.adjacency import AdjacencyReport, ForwardingReport
from backstay_wire.arp import ArpReport
from backstay_wire.base import Message, Name, Text
from backstay_wire.change import ChangeReport
from backstay_wire.hold import HoldReport
from backstay_wire.host_network import HostNetworkReport
from backstay_wire.management import ManagementReport
from backstay_wire.metric_report import MetricReport
from backstay_wire.notices import NoticeReport
from backstay_wire.recording import RecordingReport
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
    """One device's whole port table for one interval: counter deltas, one column per metric.

    An absent column was zero for every port (errors, discards) or is not measured (peaks).
    """

    kind: Literal["ports"] = "ports"
    duration_ns: Annotated[int, Field(gt=0, lt=2**62)]
    """Length of the interval by the monotonic clock; rates are deltas divided by this."""
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
    """Absent if every port's outcome is OK."""


class PortState(Message):
    """One port as the device describes it (IF-MIB ifTable/ifXTable, or rtnetlink link message)."""

    name: Name
    index: Annotated[int, Field(ge=0)]
    if_type: Annotated[int, Field(ge=0)] = 0
    """IANAifType-MIB; 0 when the source has none."""
    speed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """Bit/s as the device reports it; 0 when unknown or contradicted."""
    contradicted_speed: Annotated[int, Field(ge=0, lt=2**63, exclude_if=lambda value: value == 0)] = 0
    """Bit/s that the device states although its own counters exceed them; 0: they do not. Absent from
    messages without such a port, so that older backends accept them."""
    mtu: Annotated[int, Field(ge=0)] = 0
    admin_up: bool
    oper_up: bool
    """Carrier present and running."""
    mac: Annotated[str, Field(max_length=64)] = ""
    alias: Text = ""
    addresses: Annotated[list[str], Field(max_length=256)] = []
    """Interface addresses with prefix length, e.g. `10.1.0.1/24`."""


class DeviceReport(ReportBase):
    """A device and the current state of all its ports: sent on start, on any change, and once a minute."""

    kind: Literal["device"] = "device"
    sys_name: Text = ""
    sys_descr: Text = ""
    uptime_s: Annotated[float, Field(ge=0)] | None = None
    clock: Nanoseconds | None = None
    """The device's own wall clock (hrSystemDate, RFC 2790), read at `at`."""
    clock_source: Name | None = None
    """Source: `hrSystemDate`, `ps32`, `date`; absent: `hrSystemDate`."""
    clock_error: Annotated[int, Field(ge=0, lt=2**62)] = 1_000_000_000
    """Maximum error in nanoseconds: the request's round trip plus the resolution of the clock."""
    ports: Annotated[list[PortState], Field(max_length=MAX_PORTS)]


class NextHop(Message):
    """One next hop of a route."""

    via: IPvAnyAddress | None = None
    """Absent if the destination is on-link."""
    port: Name


class Route(Message):
    """A unicast route of the kernel's main table."""

    prefix: IPvAnyNetwork
    protocol: Name
    """Origin of the route, by rtnetlink's names: kernel, boot, static, bird, zebra, or a number."""
    metric: Annotated[int, Field(ge=0)] = 0
    next_hops: Annotated[list[NextHop], Field(max_length=64)]


class RouteReport(ReportBase):
    """Routes: the whole main table (`complete`), or the change of one kernel event."""

    kind: Literal["routes"] = "routes"
    complete: bool
    routes: Annotated[list[Route], Field(max_length=100_000)]
    """All routes if complete; otherwise those added or replaced."""
    removed: Annotated[list[Route], Field(max_length=100_000)] = []


class Neighbour(Message):
    """One entry of a neighbour (ARP, ND) table."""

    port: Name
    address: IPvAnyAddress
    mac: Annotated[str, Field(max_length=64)] = ""
    state: Annotated[str, Field(max_length=16)]
    """rtnetlink's NUD names in lower case (reachable, stale, failed, permanent, ...); `other`, `dynamic`,
    `static` come from ipNetToMediaType."""


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
    """One BFD session (RFC 5880) as the daemon reports it."""

    neighbour: IPvAnyAddress
    port: Name
    state: Literal["Down", "Init", "Up", "AdminDown"]
    interval_ms: Annotated[float, Field(ge=0)] = 0
    timeout_ms: Annotated[float, Field(ge=0)] = 0


class DaemonReport(ReportBase):
    """State of a routing daemon."""

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
    forwards: bool | None = None
    """Whether the path's target answers probes sent through it; None: not probed, or not known yet."""


class PathSwitch(Message):
    """The active gateway changed. Sent at once, and again with the same id once the outage is known."""

    id: UUID
    at: Nanoseconds
    """When the kernel's route event was received."""
    from_gateway: Annotated[str, Field(max_length=128)]
    """Empty: there was no route."""
    to_gateway: Annotated[str, Field(max_length=128)]
    outage_ms: Annotated[float, Field(ge=0)] | None = None
    """Duration of unanswered end-to-end probes around the switch; resolution: `probe_interval_ms`. None: not
    known yet, or there is no target to probe."""
    lost_probes: Annotated[int, Field(ge=0)] | None = None
    probe_interval_ms: Annotated[int, Field(gt=0)]


class PathOutage(Message):
    """A period without end-to-end reachability, as its node measured it.

    Sent with every report while it lasts, and once more with its duration after its end, with the same id.
    """

    id: UUID
    since: Nanoseconds
    """When the first lost probe was sent; without a target: when the route was removed."""
    duration_ms: Annotated[float, Field(gt=0)] | None = None
    """To the sending of the first answered probe; its uncertainty is `probe_interval_ms`. Without a target:
    to the kernel's event of the new route. None: ongoing."""
    cause: Literal["switch", "target_dead", "no_route"]
    """`switch`: the active gateway changed within it; `target_dead`: the route stayed and the target did not
    answer; `no_route`: the route was missing within it."""
    lost_probes: Annotated[int, Field(ge=0)] | None = None
    """None: measured by the kernel's route events, because there is no target to probe."""
    probe_interval_ms: Annotated[int, Field(gt=0)]


class PathReport(ReportBase):
    """Observed state of one failover policy on one node: sent on any change, and every ten seconds."""

    kind: Literal["path"] = "path"
    policy: Name
    prefix: IPvAnyNetwork
    active: Annotated[str, Field(max_length=128)]
    """Name of the gateway that the kernel's route uses; empty if there is no route or the gateway is unknown.
    """
    target_alive: bool | None = None
    """Whether end-to-end probes along the active path are answered; None without a target."""
    target_rtt_us: Annotated[int, Field(ge=0)] | None = None
    gateways: Annotated[list[GatewayLiveness], Field(max_length=16)]
    switch: PathSwitch | None = None
    outage: PathOutage | None = None
    """The ongoing outage, or one that ended."""


class CollectorOutcome(StrEnum):
    """Outcome of one run of a collector. No data is not a failure."""

    OK = "ok"
    NO_DATA = "no_data"
    TIMEOUT = "timeout"
    FAILED = "failed"


class UnclearRows(Message):
    """Rows of a table that were not understood: left out, or kept without a known port."""

    reason: Name
    rows: Annotated[int, Field(gt=0, lt=2**31)]


class TableReading(Message):
    """The newest read of one SNMP table, or of several that are walked together."""

    table: Name
    """`interfaces`, `addresses`, or the name of a profile."""
    columns: Annotated[int, Field(ge=0, lt=2**31)]
    """Number of requested columns."""
    rows: Annotated[int, Field(ge=0, lt=2**31)] = 0
    """Rows that the device returned in the last whole read."""
    results: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    """Ports, metrics or neighbours that these rows yielded; None: not counted for this table."""
    not_understood: Annotated[list[UnclearRows], Field(max_length=16)] = []
    duration_ms: Annotated[float, Field(ge=0)] = 0.0
    """Duration of the newest read, whole or not."""
    interruptions: Annotated[int, Field(ge=0, lt=2**31)] = 0
    """How often a time limit or a lost answer ended the read early; the next read continues it."""
    error: Annotated[str, Field(max_length=256)] = ""
    """Why the newest read is not whole; the numbers of rows are those of the last whole one."""


MAX_TABLES = 64
"""Tables in one report of a collector."""


class CollectorReport(ReportBase):
    """The runner's own observation of a collector: sent on every change of outcome, and once a minute."""

    kind: Literal["collector"] = "collector"
    collector: Name
    outcome: CollectorOutcome
    detail: Text = ""
    duration_ms: Annotated[float, Field(ge=0)]
    tables: Annotated[
        list[TableReading] | None, Field(max_length=MAX_TABLES, exclude_if=lambda value: value is None)
    ] = None
    """The collector's tables, if they differ from those sent before in more than durations; None: unchanged,
    or it reads none. Absent from messages without them, so that older backends accept these."""


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
    | HostNetworkReport
    | ManagementReport
    | HoldReport
    | RecordingReport
    | TestReport,
    Field(discriminator="kind"),
]


class SpoolState(Message):
    """Fill level of the agent's spool: shows the operator a backlog and every loss."""

    waiting: Annotated[int, Field(ge=0)] = 0
    """Reports not yet acknowledged, including this batch."""
    dropped: Annotated[int, Field(ge=0)] = 0
    """Reports lost since enrolment: quota reached, or damaged record."""


class ClockReading(Message):
    """The agent's clock relative to the backend's, bounded by earlier requests (compare RFC 5905 section 8).

    The backend's `BatchReply.received` and `replied` lie between sending the request and receiving the reply,
    so the offset is known to within half of what the two do not explain, however slow the path is.
    """

    offset_ns: Annotated[int, Field(gt=-(2**62), lt=2**62)]
    """The agent's clock minus the backend's."""
    error_ns: Annotated[int, Field(ge=0, lt=2**62)]
    """Maximum distance of the true offset from `offset_ns`."""


class ReportBatch(Message):
    """Body of `POST /api/agent/v1/reports`, gzip-encoded."""

    wire: Literal[2] = 2
    sent: Nanoseconds
    """When the request was sent, by the agent's clock: bounds its offset if there is no `clock`."""
    clock: ClockReading | None = None
    """None: no reply has arrived yet, or the agent's clock was set since."""
    spool: SpoolState = SpoolState()
    reports: Annotated[list[Report], Field(min_length=1, max_length=MAX_REPORTS)]


class RejectionCode(StrEnum):
    """Why one report was not stored. Resending the same report fixes none of them."""

    MALFORMED = "malformed"
    DUPLICATE = "duplicate"
    """Already stored: the agent treats it as delivered."""
    FOREIGN = "foreign"
    """The device is not assigned to this agent."""
    FUTURE = "future"
    """More than ten minutes ahead of the backend's clock after correction for the agent's known clock offset.
    """
    EXPIRED = "expired"
    """Older than the retention of samples."""


class Rejection(Message):
    """One report of the batch that was not stored."""

    index: Annotated[int, Field(ge=0)]
    code: RejectionCode
    reason: str


class BatchReply(Message):
    """Reply to a `ReportBatch`, with any status, provided that the body could be read."""

    stored: int
    rejected: list[Rejection] = []
    generation: int
    """Newest generation of this agent's desired state."""
    received: Nanoseconds | None = None
    """When the backend began processing the request, by its own clock."""
    replied: Nanoseconds | None = None
    """When it sent the reply, by the same clock: reports may wait to be stored together with others."""
