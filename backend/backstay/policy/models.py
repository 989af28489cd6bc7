"""Intended state: failover policies and ARP policies, and the observed path of each node."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from backstay.core.model.outage import OutageCause, OutageMeasure
from backstay.core.model.routing import Detection
from backstay.inventory.models import Fabric, Node, Site
from backstay.policy import capacity_models, track_record_models  # noqa: F401  (registers its models)


class Origin(models.TextChoices):
    """Owner of a policy: an import of the site file changes policies of origin `file` only."""

    FILE = "file"
    OPERATOR = "operator"


class FailoverPolicy(models.Model):
    """For these nodes and this prefix: gateways in order of preference, and how a dead one is detected."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="failover_policies")
    name = models.SlugField()
    prefix = models.CharField(max_length=64)
    nodes = models.ManyToManyField(
        Node, through="Path", through_fields=("policy", "node"), related_name="failover_policies"
    )
    detection = models.CharField(
        max_length=16, choices=[(item.value, item.value.title()) for item in Detection]
    )
    target = models.GenericIPAddressField(
        null=True, help_text="End-to-end target probed along the active path"
    )
    probe_interval_ms = models.PositiveIntegerField(default=50)
    note = models.TextField(blank=True)
    origin = models.CharField(max_length=8, choices=Origin.choices, default=Origin.FILE)
    is_deployed = models.BooleanField(
        default=True,
        help_text="Of the site file: its routes and detection run on the nodes, installed outside Backstay;"
        " false: nothing on a node detects a failure until a change deploys it there",
    )
    group = models.JSONField(
        default=dict, help_text="{names, role, number_from, number_to, labels}; empty: the listed nodes"
    )
    timers = models.JSONField(default=dict, help_text="Fields of core.model.routing.Timers; absent: defaults")
    stripe = models.JSONField(null=True, help_text="{gateways, backups, balance, weights, by_label}, by name")
    return_path = models.JSONField(null=True, help_text="{routers, prefix, target}, by name")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["site", "name"], name="policy_name_per_site")]


class PolicyGateway(models.Model):
    """One gateway of a policy; order 0 is preferred."""

    policy = models.ForeignKey(FailoverPolicy, on_delete=models.CASCADE, related_name="gateways")
    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    order = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["order"]
        constraints = [
            models.UniqueConstraint(fields=["policy", "order"], name="gateway_order"),
            models.UniqueConstraint(fields=["policy", "node"], name="gateway_once"),
        ]


class Path(models.Model):
    """How one node currently reaches one policy's prefix, as its agent observes."""

    policy = models.ForeignKey(FailoverPolicy, on_delete=models.CASCADE, related_name="paths")
    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="paths")
    order = ArrayField(
        models.BigIntegerField(),
        null=True,
        help_text="Node ids of this node's own gateways in order (stripes); null: the policy's",
    )
    active = models.ForeignKey(Node, null=True, on_delete=models.SET_NULL, related_name="+")
    active_text = models.CharField(max_length=128, blank=True, help_text="Name as reported; empty: no route")
    since = models.DateTimeField(null=True, help_text="Last change of `active`")
    at = models.DateTimeField(null=True, help_text="Time of the newest report")
    target_alive = models.BooleanField(null=True)
    target_since = models.DateTimeField(null=True, help_text="Last change of target_alive")
    target_rtt_us = models.PositiveIntegerField(null=True)
    liveness = models.JSONField(default=dict, help_text="{gateway name: {alive, rtt_us, since}}")
    observed_from = models.DateTimeField(null=True, help_text="Time of the oldest report")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["policy", "node"], name="path_once")]


class PathRoute(models.Model):
    """The links from a path's node through one gateway to the destination; `path_routes` keeps them."""

    path = models.ForeignKey(Path, on_delete=models.CASCADE, related_name="routes")
    gateway = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    links = ArrayField(models.BigIntegerField(), help_text="Ids in order; links removed since may remain")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["path", "gateway"], name="route_once")]
        indexes = [GinIndex(fields=["links"], name="route_links")]


class RouteInputs(models.Model):
    """What the routes of a site's paths were last computed from."""

    site = models.OneToOneField(Site, on_delete=models.CASCADE, related_name="route_inputs")
    version = models.PositiveBigIntegerField(help_text="Version of the site: its links and policies")
    onward = models.JSONField(help_text="[[path, active gateway]] of paths whose node is a gateway itself")


class PathSwitch(models.Model):
    """One switch of a path between gateways, with the outage that the agent measured."""

    path = models.ForeignKey(Path, on_delete=models.CASCADE, related_name="switches")
    uid = models.UUIDField(unique=True, help_text="The agent's id of the switch")
    at = models.DateTimeField()
    from_gateway = models.CharField(max_length=128, blank=True)
    to_gateway = models.CharField(max_length=128, blank=True)
    outage_ms = models.FloatField(null=True)
    lost_probes = models.PositiveIntegerField(null=True)
    probe_interval_ms = models.PositiveIntegerField()
    event_id = models.BigIntegerField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["path", "-at"], name="switch_newest"),
            models.Index(fields=["at"], name="switch_age"),
        ]


class PathOutage(models.Model):
    """One outage of a path: no end-to-end probe was answered, or there was no route."""

    path = models.ForeignKey(Path, on_delete=models.CASCADE, related_name="outages")
    uid = models.UUIDField(unique=True, help_text="The agent's id of the outage")
    start = models.DateTimeField()
    end = models.DateTimeField(null=True, help_text="Null: ongoing")
    duration_ms = models.FloatField(null=True, help_text="As measured; null: ongoing")
    cause = models.CharField(max_length=16, choices=[(cause.value, cause.value) for cause in OutageCause])
    measured_by = models.CharField(
        max_length=8, choices=[(measure.value, measure.value) for measure in OutageMeasure]
    )
    probe_interval_ms = models.PositiveIntegerField()
    lost_probes = models.PositiveIntegerField(null=True)
    at = models.DateTimeField(help_text="Newest report of it as ongoing; of a measured one, its end")
    event_id = models.BigIntegerField(null=True, help_text="The event that states its duration")
    earlier_start = models.DateTimeField(
        null=True,
        help_text="Start of the first row that it continues, over restarts of the agent; null: none",
    )
    earlier_cause = models.CharField(
        max_length=16,
        blank=True,
        default="",
        db_default="",
        help_text="Prevailing cause of the rows that it continues",
    )

    class Meta:
        indexes = [
            models.Index(fields=["path", "-start"], name="outage_newest"),
            models.Index(fields=["path"], name="outage_ongoing", condition=models.Q(end=None)),
            models.Index(fields=["end"], name="outage_age"),
        ]


class PathGap(models.Model):
    """A period between two consecutive reports of a path that is too long for its state to be known."""

    path = models.ForeignKey(Path, on_delete=models.CASCADE, related_name="gaps")
    start = models.DateTimeField()
    end = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["path", "-start"], name="gap_newest"),
            models.Index(fields=["end"], name="gap_age"),
        ]


class Decision(models.Model):
    """A decision of the checker on a node, with its evidence. A checker start is not a decision."""

    path = models.ForeignKey(Path, on_delete=models.CASCADE, related_name="decisions")
    at = models.DateTimeField()
    reason = models.CharField(max_length=16)
    from_gateway = models.CharField(max_length=128, blank=True)
    to_gateway = models.CharField(max_length=128, blank=True)
    evidence = models.TextField()
    took_ms = models.FloatField(help_text="From the decision to the route in the kernel")
    held_back = models.PositiveIntegerField(default=0, help_text="Switches suppressed since the previous one")

    class Meta:
        indexes = [
            models.Index(fields=["path", "-at"], name="decision_newest"),
            models.Index(fields=["at"], name="decision_age"),
        ]


class Hold(models.Model):
    """A node whose managed routes are left to an operator for a limited time; failover is paused there."""

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="holds")
    uid = models.CharField(max_length=128, help_text="Id on the node")
    origin = models.CharField(max_length=8, help_text="backend, or node: set with `backstay-agent hold`")
    person = models.CharField(max_length=150, help_text="Operator; a user of the node if it was set there")
    reason = models.TextField(blank=True)
    seconds = models.FloatField()
    at = models.DateTimeField(help_text="Time of the request, or start on the node")
    until = models.DateTimeField(help_text="End of the hold; after confirmation, as reported by the node")
    state = models.CharField(
        max_length=16, default="waiting", help_text="waiting, held, ending, ended, failed"
    )
    since = models.DateTimeField()
    ended_by = models.CharField(max_length=150, blank=True, help_text="Person who ended it early")
    detail = models.TextField(blank=True, help_text="Last report of the node, or reason of the failure")

    class Meta:
        indexes = [
            models.Index(fields=["node", "-at"], name="hold_newest"),
            models.Index(fields=["until"], name="hold_age"),
        ]
        constraints = [models.UniqueConstraint(fields=["node", "uid"], name="hold_once")]


class ArpPolicy(models.Model):
    """How the nodes of one fabric resolve link addresses; identified by the fabric."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="arp_policies")
    fabric = models.OneToOneField(Fabric, on_delete=models.CASCADE, related_name="arp_policy")
    mode = models.CharField(
        max_length=9, choices=[("on", "on"), ("off", "off"), ("unmanaged", "unmanaged")], default="unmanaged"
    )
    settings = models.JSONField(default=dict, help_text="{ipv4.conf.arp_ignore: 1}, for every port")
    ports = models.JSONField(default=list, help_text="[{pattern, settings}] override `settings`, in order")
    table = models.JSONField(default=dict, help_text="{ipv4.gc_thresh3: 8192}, for the whole node")
    note = models.TextField(blank=True)
