"""Observed state: samples, metrics, devices, ports, routes, neighbours, and events.

`telemetry_samples` (one row per device and interval, one array per metric, native daily partitions) and
`telemetry_latest` (the newest such row of each source of a device) have no model: only `ingest/store.py`
writes them and only `selectors` read them, in SQL. Reasons and measurements: docs/architecture.md.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from backstay.accounts.models import Agent
from backstay.inventory.models import Fabric, Link, Node, Port, Site
from backstay.telemetry import (  # noqa: F401  (registers their models)
    alarm_models,
    archive_models,
    evidence_models,
    export_models,
    forecast_models,
    recording_models,
    rollup_models,
)


class PortLayout(models.Model):
    """The order of a device's ports in its sample arrays; a new order is a new row.

    A row stays as long as stored samples may refer to it.
    """

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="layouts")
    digest = models.BinaryField(max_length=16, help_text="Digest of the port ids in order")
    ports = ArrayField(models.BigIntegerField(), help_text="Port ids by slot")
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(
        default=timezone.now, db_default=Now(), help_text="Last use; up to 36 hours before the real one"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["node", "digest"], name="layout_per_node")]
        indexes = [
            models.Index(fields=["used_at"], name="layout_used"),
            GinIndex(fields=["ports"], name="layout_ports"),
        ]


class NewestSample(models.Model):
    """`telemetry_newest`: the newest sample of one source of a device; only `ingest/store.py` writes it."""

    layout = models.OneToOneField(PortLayout, primary_key=True, on_delete=models.DO_NOTHING, related_name="+")
    ts = models.DateTimeField()
    duration_ns = models.BigIntegerField()

    class Meta:
        managed = False
        db_table = "telemetry_newest"


class PortUse(models.Model):
    """When a device last named a port that the site file does not declare."""

    port = models.OneToOneField(Port, primary_key=True, on_delete=models.CASCADE, related_name="use")
    used_at = models.DateTimeField(
        default=timezone.now, db_default=Now(), help_text="Up to 36 hours before the real time"
    )

    class Meta:
        indexes = [models.Index(fields=["used_at"], name="port_used")]


class NodeState(models.Model):
    """A device as last reported."""

    node = models.OneToOneField(Node, on_delete=models.CASCADE, related_name="state")
    last_reported_at = models.DateTimeField(
        null=True,
        help_text="Last report of the device by our clock; reports from a backlog do not count",
    )
    stale_since = models.DateTimeField(null=True, help_text="Start of missing reports; null: reporting")
    changed_at = models.DateTimeField(null=True, help_text="Last change between reporting and stale")
    sys_name = models.CharField(max_length=1024, blank=True)
    sys_descr = models.CharField(max_length=1024, blank=True)
    booted_at = models.DateTimeField(null=True)
    clock_offset_ms = models.FloatField(null=True, help_text="Device's wall clock minus ours")
    collectors = models.JSONField(
        default=dict,
        help_text="{collector: last run, as `states.tables` stores it}",
    )
    collector_outcome = models.CharField(max_length=16, blank=True, help_text="Worst outcome in `collectors`")
    collector_detail = models.CharField(max_length=1024, blank=True, help_text="Detail of that outcome")
    # A backlog is sent newest first: older reports must not overwrite newer state.
    described_at = models.DateTimeField(null=True, help_text="Time of the newest device report")
    # A report that repeats what is stored is recognised by its digest: then only its time is written.
    described_with = ArrayField(
        models.UUIDField(), null=True, help_text="Digests of the device reports that would change nothing"
    )
    described_version = models.PositiveBigIntegerField(
        null=True, help_text="Version of the site with which the ports were last compared"
    )
    compared_at = models.DateTimeField(null=True, help_text="When the ports were last compared")
    collectors_digest = models.UUIDField(null=True, help_text="Digest of the outcomes in `collectors`")
    collectors_at = models.DateTimeField(null=True, help_text="Newest run of a collector")
    collectors_runs = ArrayField(
        models.FloatField(),
        null=True,
        help_text="Runs that repeat `collectors`, by name: times, Unix seconds; then durations, milliseconds",
    )
    routes_at = models.DateTimeField(null=True, help_text="Time of the newest complete routing table")
    neighbours_at = models.DateTimeField(null=True, help_text="Time of the newest neighbour table")


class ClockState(models.Model):
    """A node's wall clock against ours, as one source reports it."""

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="clocks")
    source = models.CharField(max_length=128, help_text="agent, hrSystemDate, ps32, date")
    at = models.DateTimeField(help_text="Time of the newest accepted measurement")
    offset_ms = models.FloatField(help_text="Device's clock minus ours")
    error_ms = models.FloatField(help_text="Error bound of offset_ms")
    stepped_at = models.DateTimeField(null=True, help_text="Last step of the clock")
    step_ms = models.FloatField(null=True, help_text="Size of that step; positive: forward")
    step_at_reboot = models.BooleanField(default=False)
    rate_ppm = models.FloatField(null=True, help_text="Drift since the last step; null: unknown")
    rate_error_ppm = models.FloatField(null=True)
    recent = models.JSONField(default=list, help_text="[[seconds since the epoch, offset s, error s]]")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["node", "source"], name="clock_per_source")]


class ClockReading(models.Model):
    """A view: `ClockState`, and chrony's own tracking (against NTP) from its metrics."""

    id = models.TextField(primary_key=True, help_text="Node id and source")
    site = models.ForeignKey(Site, on_delete=models.DO_NOTHING, related_name="+")
    node = models.ForeignKey(Node, on_delete=models.DO_NOTHING, related_name="+")
    source = models.CharField(max_length=128)
    against = models.CharField(max_length=8, help_text="backend: our clock; ntp")
    at = models.DateTimeField()
    offset_ms = models.FloatField()
    error_ms = models.FloatField()
    stepped_at = models.DateTimeField(null=True)
    step_ms = models.FloatField(null=True)
    step_at_reboot = models.BooleanField()
    rate_ppm = models.FloatField(null=True)
    rate_error_ppm = models.FloatField(null=True)
    recent = models.JSONField()

    class Meta:
        managed = False
        db_table = "telemetry_clockreading"


class PortState(models.Model):
    """A port as last reported by its device."""

    port = models.OneToOneField(Port, on_delete=models.CASCADE, related_name="state")
    if_index = models.PositiveIntegerField(default=0)
    if_type = models.PositiveIntegerField(default=0)
    speed = models.BigIntegerField(default=0, help_text="bit/s as reported; 0 unknown")
    contradicted_speed = models.BigIntegerField(
        default=0, db_default=0, help_text="bit/s that the device states although its counters exceed them"
    )
    mtu = models.PositiveIntegerField(default=0)
    admin_up = models.BooleanField(default=False)
    oper_up = models.BooleanField(default=False)
    mac = models.CharField(max_length=64, blank=True)
    alias = models.CharField(max_length=1024, blank=True)
    addresses = ArrayField(models.CharField(max_length=64), default=list)
    reported_with = models.BigIntegerField(
        default=0,
        db_default=0,
        help_text="Id of the first port in its report; several collectors may each report some ports",
    )
    saved = models.CharField(
        max_length=8,
        default="unknown",
        db_default="unknown",
        help_text="Worst verdict of core.diagnosis.saved_ports on its values; unknown: no boot file is read",
    )
    since = models.DateTimeField(help_text="Last change of oper_up")
    at = models.DateTimeField(help_text="Time of the report that was last compared with it")


class PortRate(models.Model):
    """A view: the newest sample of a port as rates, bit/s, packets/s and errors/s; NULL: not reported."""

    port = models.OneToOneField(Port, primary_key=True, on_delete=models.DO_NOTHING, related_name="rate")
    node = models.ForeignKey(Node, on_delete=models.DO_NOTHING, related_name="+")
    site = models.ForeignKey(Site, on_delete=models.DO_NOTHING, related_name="+")
    at = models.DateTimeField(help_text="End of the interval")
    seconds = models.FloatField(help_text="Length of the interval")
    in_bps = models.BigIntegerField(null=True)
    out_bps = models.BigIntegerField(null=True)
    in_pps = models.FloatField(null=True)
    out_pps = models.FloatField(null=True)
    in_errors_ps = models.FloatField(null=True)
    out_errors_ps = models.FloatField(null=True)

    class Meta:
        managed = False
        db_table = "telemetry_portrate"


class Route(models.Model):
    """One next hop of a route in a node's main table."""

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="routes")
    prefix = models.CharField(max_length=64)
    protocol = models.CharField(max_length=128)
    metric = models.BigIntegerField(default=0)
    via = models.GenericIPAddressField(null=True)
    port = models.CharField(max_length=128)
    since = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["node", "prefix"], name="route_node_prefix")]


class Neighbour(models.Model):
    """One entry of a node's ARP or ND table."""

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="neighbours")
    port = models.CharField(max_length=128)
    address = models.GenericIPAddressField()
    mac = models.CharField(max_length=64, blank=True)
    state = models.CharField(max_length=16)
    since = models.DateTimeField()
    held_since = models.DateTimeField(help_text="Start of this `mac`, or of its resolution")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["node", "port", "address"], name="neighbour_once")]
        indexes = [
            models.Index(fields=["address"], name="neighbour_address"),
            models.Index(fields=["mac"], name="neighbour_mac"),
        ]


class NeighbourWatch(models.Model):
    """Utilisation of a device's neighbour tables, as last reported."""

    node = models.OneToOneField(Node, on_delete=models.CASCADE, related_name="neighbour_watch")
    at = models.DateTimeField(help_text="Time of the newest report")
    capacity = models.JSONField(default=dict, help_text="{ipv4, ipv6}: maximum entries; absent: unknown")
    overflows = models.JSONField(default=dict, help_text="{ipv4, ipv6}: entries refused in the last report")
    ports = models.JSONField(default=dict, help_text="{port: core.diagnosis.neighbours.PortTable}")
    stirring = models.BooleanField(
        default=False,
        help_text="Whether a table is, or recently was, filling up; rules read only these rows",
    )
    digest = models.UUIDField(null=True, help_text="Of the report; one with the same changes only `at`")

    class Meta:
        indexes = [models.Index(fields=["node"], condition=models.Q(stirring=True), name="neighbours_stir")]


class NeighbourPort(models.Model):
    """One port's part of `NeighbourWatch`: a view, one row per port."""

    id = models.TextField(primary_key=True, help_text="`node id:port`")
    node = models.ForeignKey(Node, on_delete=models.DO_NOTHING, related_name="+")
    port = models.CharField(max_length=128)
    fabric = models.ForeignKey(Fabric, null=True, on_delete=models.DO_NOTHING, related_name="+")
    at = models.DateTimeField()
    entries = models.IntegerField()
    ipv4 = models.IntegerField()
    ipv6 = models.IntegerField()
    permanent = models.IntegerField()
    incomplete = models.IntegerField()
    top_mac_entries = models.IntegerField()
    broadcasts_per_s = models.FloatField(null=True)
    recent = models.JSONField(help_text="[{at, entries}], oldest first")
    capacity_ipv4 = models.FloatField(null=True)
    capacity_ipv6 = models.FloatField(null=True)

    class Meta:
        managed = False


class DuplicateAddress(models.Model):
    """An address with several hardware addresses on a fabric now: a view (`core.diagnosis.duplicates`)."""

    id = models.TextField(primary_key=True, help_text="`address fabric id`: unique per site")
    site = models.ForeignKey(Site, on_delete=models.DO_NOTHING, related_name="+")
    address = models.GenericIPAddressField()
    fabric = models.ForeignKey(Fabric, null=True, on_delete=models.DO_NOTHING, related_name="+")
    since = models.DateTimeField(help_text="Start of the conflict")

    class Meta:
        managed = False


class NeighbourQuota(models.Model):
    """A device's history rows of one day: bounds a device that invents addresses."""

    node = models.OneToOneField(Node, on_delete=models.CASCADE, related_name="neighbour_quota")
    day = models.DateField()
    written = models.PositiveIntegerField(default=0)
    dropped = models.PositiveIntegerField(default=0, help_text="Entries above the limit, not stored")


class NeighbourClash(models.Model):
    """An address with two hardware addresses in two entries; rounds check whether it still has."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="neighbour_clashes")
    address = models.GenericIPAddressField()
    since = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["site", "address"], name="clash_once")]


class DaemonState(models.Model):
    """A routing daemon's own view, as last collected."""

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="daemons")
    daemon = models.CharField(max_length=128)
    version = models.CharField(max_length=1024, blank=True)
    running = models.BooleanField()
    protocols = models.JSONField(default=list)
    bfd = models.JSONField(default=list)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["node", "daemon"], name="daemon_per_node")]


class RoutingState(models.Model):
    """Running and saved routing of a managed node, for its policies' prefixes, as its agent last reported."""

    node = models.OneToOneField(Node, on_delete=models.CASCADE, related_name="routing_state")
    revision = models.PositiveBigIntegerField(help_text="Revision of the last confirmed routing; 0: none")
    digest = models.CharField(max_length=64, blank=True, help_text="Digest of hops, preferences and files")
    engine = models.CharField(max_length=8)
    alive = models.BooleanField(help_text="Whether the engine responds")
    detail = models.TextField(blank=True)
    routes = models.JSONField(
        default=list, help_text="[{prefix, hops: [{address, port, preference, active}]}]"
    )
    files = models.JSONField(default=list, help_text="[{path, sha256, text}]")
    at = models.DateTimeField(help_text="Time of the newest report")
    changed_at = models.DateTimeField(help_text="Last change of the content")


class HostNetwork(models.Model):
    """What decides a host's forwarding besides its main table, as its own agent last reported."""

    node = models.OneToOneField(Node, on_delete=models.CASCADE, related_name="host_network")
    controllers = models.JSONField(default=list, help_text="[{address, source}]: the backend's addresses")
    resolvers = models.JSONField(default=list, help_text="[address]")
    ports = models.JSONField(default=list, help_text="[{port, vrf, forwards_ipv4, forwards_ipv6, rp_filter}]")
    rules = models.JSONField(
        default=list, help_text="[{family, priority, source, destination, selector, action}]"
    )
    at = models.DateTimeField(help_text="Time of the newest report")
    digest = models.UUIDField(null=True, help_text="Of the report; one with the same changes only `at`")


class ArpState(models.Model):
    """The running ARP state of a node's ports and its boot files, as its agent last reported."""

    node = models.OneToOneField(Node, on_delete=models.CASCADE, related_name="arp_state")
    revision = models.PositiveBigIntegerField(help_text="Revision of the last confirmed ARP state; 0: none")
    digest = models.CharField(
        max_length=64,
        blank=True,
        help_text="Digest of the content; a plan contains the digest on which it is based",
    )
    ports = models.JSONField(
        default=list, help_text="[{port, arp, mac, settings, neighbours: [{address, mac}]}]"
    )
    table = models.JSONField(default=dict, help_text="Limits of the neighbour tables; empty in a container")
    files = models.JSONField(default=list, help_text="[{path, sha256, text}]")
    at = models.DateTimeField(help_text="Time of the newest report")
    changed_at = models.DateTimeField(help_text="Last change of the content")


class MetricLayout(models.Model):
    """The metric and part of each slot in a collector's metric arrays; a new order is a new row."""

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="metric_layouts")
    collector = models.CharField(max_length=128)
    digest = models.BinaryField(max_length=16, help_text="Digest of the pairs in order")
    subjects = ArrayField(models.CharField(max_length=128), help_text="Port or part by slot; empty: the node")
    metrics = ArrayField(
        models.CharField(max_length=128), help_text="Metric names by slot, also unknown ones"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(
        default=timezone.now, db_default=Now(), help_text="Last use; up to 36 hours before the real one"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["node", "collector", "digest"], name="metric_layout_once")
        ]
        indexes = [models.Index(fields=["used_at"], name="metric_layout_used")]


class MetricSet(models.Model):
    """The newest metrics of one collector about one device; slots are the layout's.

    Their history is in `telemetry_metrichistory`, which has no model: only `states/metrics.py` writes it and
    only `selectors` and the roll-ups read it.
    """

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="metric_sets")
    collector = models.CharField(max_length=128)
    layout = models.ForeignKey(MetricLayout, on_delete=models.CASCADE, related_name="sets")
    at = models.DateTimeField()
    duration_ns = models.BigIntegerField(null=True, help_text="Interval of the counters; null: no counters")
    numbers = ArrayField(models.FloatField(null=True), help_text="By slot; null: a state")
    states = ArrayField(
        models.CharField(max_length=256, null=True), null=True, help_text="By slot; null: a number"
    )
    outcomes = ArrayField(models.SmallIntegerField(), null=True, help_text="By slot; null: all OK")
    unhealthy = ArrayField(
        models.IntegerField(), null=True, help_text="Slots of unhealthy states, counted from 1; null: none"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["node", "collector"], name="metrics_per_collector")]


class DeviceMetric(models.Model):
    """One metric of one port or part as last reported: a view, one row per slot of the metric sets."""

    id = models.TextField(primary_key=True, help_text="`metric|subject|collector`: unique per device")
    node = models.ForeignKey(Node, on_delete=models.DO_NOTHING, related_name="+")
    collector = models.CharField(max_length=128)
    subject = models.CharField(max_length=128)
    metric = models.CharField(max_length=128)
    number = models.FloatField(null=True)
    state = models.CharField(max_length=256, null=True)
    outcome = models.SmallIntegerField()
    at = models.DateTimeField()
    duration_s = models.FloatField(null=True)
    port = models.ForeignKey(Port, null=True, on_delete=models.DO_NOTHING, related_name="+")

    class Meta:
        managed = False


class AdjacencySet(models.Model):
    """The neighbours at a device's ports, as one source reports them."""

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="adjacencies")
    source = models.CharField(max_length=16, help_text="lldp, infiniband, fdb")
    at = models.DateTimeField(help_text="Time of the newest report")
    changed_at = models.DateTimeField(help_text="Last change of the entries, by our clock")
    period_s = models.FloatField(help_text="Observed interval between reports")
    entries = models.JSONField(
        default=list, help_text="[{port, peer, peer_name, peer_id, peer_port, width, since}]"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["node", "source"], name="adjacencies_per_source")]


class Wiring(models.Model):
    """When a site's links were last reconciled with the evidence."""

    site = models.OneToOneField(Site, on_delete=models.CASCADE, related_name="wiring")
    applied_at = models.DateTimeField()
    due_at = models.DateTimeField(help_text="Earliest expiry of the evidence in force")
    version = models.PositiveBigIntegerField(help_text="Site version when it was applied")


class ReporterLease(models.Model):
    """The agent whose reports of a device count where several report it (two sweeps of one fabric)."""

    node = models.OneToOneField(Node, on_delete=models.CASCADE, related_name="reporter_lease")
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="reporter_leases")
    at = models.DateTimeField(help_text="Its last report of the device, by our clock")


class ReportLedger(models.Model):
    """Which reports of one agent process are stored: the guard against storing one twice.

    `seqs` is an int8multirange in PostgreSQL; only `store.py` touches it.
    """

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="ledgers")
    boot = models.UUIDField()
    at = models.DateTimeField(help_text="Time of the last stored report")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["agent", "boot"], name="ledger_per_boot")]


class Event(models.Model):
    """Something that happened. Written in the transaction that detects it; published on commit."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=32)
    severity = models.CharField(max_length=8, default="ok", help_text="ok, warning, critical")
    at = models.DateTimeField(help_text="Time of the event, corrected to our clock")
    recorded_at = models.DateTimeField(auto_now_add=True)
    node = models.ForeignKey(Node, null=True, on_delete=models.SET_NULL, related_name="events")
    link = models.ForeignKey(Link, null=True, on_delete=models.SET_NULL, related_name="events")
    incident_id = models.BigIntegerField(null=True, db_index=True)
    subject = models.CharField(max_length=300)
    message = models.CharField(max_length=2000)
    data = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["site", "-at", "-id"], name="event_newest")]
