"""Sites, fabrics, nodes, ports and links, from the site file and from evidence."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Collate

from backstay.accounts.models import Agent
from backstay.core.model.search import RISK_KINDS


class Site(models.Model):
    """One cluster's networks under one set of operators."""

    name = models.SlugField(unique=True)
    title = models.CharField(max_length=200)
    interval_s = models.FloatField(help_text="Seconds between an agent's reports")
    rate_scale = models.FloatField(
        default=1.0, help_text="Lab only: ratio of rates on the wire to real rates"
    )
    imported_at = models.DateTimeField()
    second_person = models.BooleanField(
        default=False, help_text="Whether a second person must approve each change"
    )
    wave_limit = models.PositiveIntegerField(
        default=200, help_text="Maximum number of nodes that change at the same time"
    )
    retention = models.JSONField(
        default=dict, help_text="{rule of core.retention: days}, where they differ from the installation's"
    )
    version = models.PositiveBigIntegerField(
        default=1, help_text="Incremented by each import and change of wiring"
    )
    archived_at = models.DateTimeField(
        null=True,
        help_text="Time of archiving: history is kept, the site is neither listed nor evaluated;"
        " an import restores it",
    )


class ImportRecord(models.Model):
    """What the last import of a site read and wrote: the next one reads only the nodes edited since then.

    Without a record, or if anything of it differs, an import reads and compares everything.
    """

    site = models.OneToOneField(
        Site, on_delete=models.CASCADE, primary_key=True, related_name="import_record"
    )
    program = models.CharField(max_length=64, help_text="Digest of the program and its settings")
    state = models.TextField(help_text="Digest of the rows that an import compares")
    head_length = models.PositiveIntegerField(help_text="Characters before the first node")
    head = models.CharField(max_length=32, help_text="Keyed digest of these")
    objects_count = models.PositiveIntegerField(help_text="Objects that the file declares")
    digests = models.BinaryField(help_text="intake.import_record: positions, names and digests of its nodes")


class FabricKind(models.TextChoices):
    """Network technologies."""

    SP_SWITCH = "sp_switch"
    HIPPI = "hippi"
    ATM = "atm"
    ETHERNET = "ethernet"
    FDDI = "fddi"
    ULTRANET = "ultranet"
    INFINIBAND = "infiniband"


class Fabric(models.Model):
    """One network technology instance at a site. Rates are the medium's own, before `Site.rate_scale`."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="fabrics")
    name = models.SlugField()
    title = models.CharField(max_length=200, blank=True)
    kind = models.CharField(max_length=16, choices=FabricKind.choices)
    media_rate = models.BigIntegerField(help_text="bit/s")
    usable_rate = models.BigIntegerField(help_text="bit/s after encoding and framing")
    mtu = models.PositiveIntegerField(default=1500)
    arp = models.CharField(
        max_length=4, choices=[("on", "on"), ("off", "off"), ("none", "none")], default="on"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["site", "name"], name="fabric_name_per_site")]


class FabricRateChange(models.Model):
    """A usable rate that an import replaced, so that charts show the capacity of their own time."""

    fabric = models.ForeignKey(Fabric, on_delete=models.CASCADE, related_name="rate_changes")
    at = models.DateTimeField()
    before = models.BigIntegerField(help_text="bit/s until then, as Fabric.usable_rate")

    class Meta:
        indexes = [models.Index(fields=["fabric", "at"], name="rate_changes_of_fabric")]


class NodeKind(models.TextChoices):
    HOST = "host"
    SWITCH = "switch"
    ROUTER = "router"
    GATEWAY = "gateway"


class Node(models.Model):
    """Anything with ports."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="nodes")
    name = models.CharField(max_length=128)
    title = models.CharField(max_length=200, blank=True)
    kind = models.CharField(max_length=16, choices=NodeKind.choices)
    role = models.CharField(max_length=32)
    node_number = models.PositiveIntegerField(null=True)
    switch_node_number = models.PositiveIntegerField(null=True)
    guid = models.CharField(max_length=18, blank=True, help_text="InfiniBand node GUID: 0x and 16 digits")
    labels = models.JSONField(default=dict)
    watcher = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.SET_NULL,
        related_name="watched",
        help_text="Node whose agent collects this node; itself if it runs an agent",
    )
    sources = models.JSONField(default=list, help_text="Sources of its metrics, without secrets")
    routing = models.JSONField(
        default=dict, help_text="Routing engine: engine, config, control, dump; empty: not managed"
    )
    arp = models.JSONField(
        default=dict,
        help_text="Boot files of its ARP settings: config, settings; empty: monitored only",
    )
    extension = models.JSONField(
        default=dict,
        help_text="Settings of an SP extension node, see site_file/extension.py; empty: no such node",
    )
    secrets = models.BinaryField(null=True, help_text="Device credentials, encrypted (accounts.secrets)")
    agent = models.OneToOneField(
        Agent,
        null=True,
        on_delete=models.SET_NULL,
        related_name="host",
        help_text="Agent that runs on the node",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["site", "name"], name="node_name_per_site"),
            models.UniqueConstraint(
                fields=["site", "guid"], condition=~models.Q(guid=""), name="node_guid_per_site"
            ),
        ]
        indexes = [
            # Lists page by name in natural order: see `api.http.list_query`.
            models.Index("site", Collate("name", "natural_order"), "id", name="node_natural_order"),
        ]


class Port(models.Model):
    """One attachment of a node to a fabric, or to the out-of-band management network."""

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="ports")
    name = models.CharField(max_length=128)
    fabric = models.ForeignKey(Fabric, null=True, on_delete=models.PROTECT, related_name="ports")
    management = models.BooleanField(default=False)
    declared = models.BooleanField(
        default=True, help_text="In the site file; otherwise discovered by a collector"
    )
    addresses = ArrayField(
        models.CharField(max_length=64), default=list, help_text="Addresses with prefix length"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["node", "name"], name="port_name_per_node")]


class Link(models.Model):
    """Two ports joined; or, without `b`, a port and its fabric's shared medium. Forward is from a to b."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="links")
    a = models.OneToOneField(Port, on_delete=models.CASCADE, related_name="link_as_a")
    b = models.OneToOneField(Port, null=True, on_delete=models.CASCADE, related_name="link_as_b")
    fabric = models.ForeignKey(Fabric, on_delete=models.CASCADE, related_name="links")
    circuit = models.CharField(max_length=64, blank=True, help_text="VPI/VCI or VLAN; empty: a plain link")
    declared = models.BooleanField(
        default=True, help_text="In the site file; otherwise discovered from evidence"
    )
    evidence = models.JSONField(
        default=list, help_text="Reports of this link: [{source, by, node_id, since}]"
    )
    conflicts = models.JSONField(
        default=list, help_text="Reports of another end: [{source, by, node_id, says, since}]"
    )
    label = models.TextField(
        editable=False,
        default="",
        help_text="`sp01:css0-switch:p1`, by which lists are sorted: triggers in PostgreSQL keep it equal to"
        " the names of both ends, whatever writes them",
    )

    class Meta:
        indexes = [
            models.Index("site", Collate("label", "natural_order"), "id", name="link_natural_order"),
        ]


class SharedRisk(models.Model):
    """Components that fail together, because they share a chassis, supply, fibre or card. Only the site file
    writes it.
    """

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="shared_risks")
    name = models.SlugField()
    kind = models.CharField(max_length=8, choices=[(kind, kind) for kind in RISK_KINDS])
    members = models.JSONField(
        default=list, help_text="[`node:grf1`, `link:grf1:ga030`, `fabric:sp-switch`], as in the site file"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["site", "name"], name="risk_name_per_site")]


class Circuit(models.Model):
    """A virtual link from end to end: a PVC, or a VLAN between two hosts. Only the site file writes it."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="circuits")
    name = models.CharField(max_length=128)
    kind = models.CharField(max_length=8, choices=[("pvc", "pvc"), ("vlan", "vlan")])
    note = models.CharField(max_length=2000, blank=True)
    hops = models.JSONField(
        default=list, help_text="[{node, in: {port, label}, out: {port, label}, shape}], end to end"
    )
    declared_fault = models.CharField(
        max_length=8,
        blank=True,
        db_default="",
        help_text="Worst fault of the declared hops: cut (interrupts it), fault; empty: they fit",
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["site", "name"], name="circuit_name_per_site")]


class CircuitVersion(models.Model):
    """A circuit as the imports declared it from one time to another; it stays when the circuit is removed.

    Keyed by name, because a circuit that is removed and declared again has another row.
    """

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="circuit_versions")
    name = models.CharField(max_length=128)
    kind = models.CharField(max_length=8, choices=[("pvc", "pvc"), ("vlan", "vlan")])
    note = models.CharField(max_length=2000, blank=True)
    hops = models.JSONField(default=list, help_text="As Circuit.hops")
    since = models.DateTimeField(null=True, help_text="Import that declared it; null: older than the record")
    until = models.DateTimeField(null=True, help_text="Import that replaced or removed it; null: in force")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["site", "name"],
                condition=models.Q(until__isnull=True),
                name="one_circuit_version_in_force",
            )
        ]
        indexes = [
            models.Index(fields=["site", "name", "until"], name="versions_of_circuit"),
            models.Index(fields=["until"], name="ended_circuit_versions"),
        ]
