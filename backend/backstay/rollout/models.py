"""Change execution: changes, plans, approvals, per-node applications, intended state, drift, moves, drills.

Every timer of a change is a row here or a guard on a node; Redis and Celery hold no state of a change.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from backstay.accounts.models import User
from backstay.inventory.models import Node, Site
from backstay.policy.models import ArpPolicy, FailoverPolicy, Path


class Fence(models.Model):
    """The newest revision assigned at a site; its row lock serialises the start of changes."""

    site = models.OneToOneField(Site, on_delete=models.CASCADE, related_name="fence")
    revision = models.PositiveBigIntegerField(default=0)


class Change(models.Model):
    """A proposed change and its execution. States: `core.model.change`."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="changes")
    kind = models.CharField(max_length=16, help_text="policies, arp, restore, adopt, retire, undo")
    title = models.CharField(max_length=200)
    reason = models.TextField(blank=True)
    ticket = models.CharField(max_length=100, blank=True)
    author = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="changes")
    policies = models.ManyToManyField(FailoverPolicy, related_name="changes")
    arp_policies = models.ManyToManyField(ArpPolicy, related_name="changes")
    nodes = ArrayField(
        models.CharField(max_length=128), default=list, help_text="Only these nodes; empty: all"
    )
    wave_size = models.PositiveIntegerField(null=True, help_text="Max nodes per wave; null: no limit")
    state = models.CharField(max_length=16, default="draft")
    since = models.DateTimeField()
    created_at = models.DateTimeField()
    wave = models.PositiveSmallIntegerField(
        null=True, help_text="Current wave; null: preparing or not started"
    )
    revision = models.PositiveBigIntegerField(null=True, help_text="Fencing number, assigned at the start")
    timeout_s = models.FloatField(default=120.0)
    auto_confirm = models.BooleanField(default=False)
    outcome = models.TextField(blank=True, help_text="Reason when it did not end as done")
    undoes = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.SET_NULL,
        related_name="undone_by",
        help_text="For undo: the change",
    )

    class Meta:
        indexes = [
            models.Index(fields=["site", "-id"], name="change_newest"),
            models.Index(fields=["site", "since"], name="change_age"),
        ]


class PlanRecord(models.Model):
    """A change's frozen plan: the document to approve and the assignment of each node. Immutable."""

    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="plans")
    made_at = models.DateTimeField()
    person = models.ForeignKey(
        User, null=True, on_delete=models.SET_NULL, related_name="+", help_text="Author"
    )
    digest = models.CharField(max_length=64, help_text="SHA-256 of inputs and result")
    inputs = models.CharField(max_length=64, help_text="SHA-256 of the inputs")
    blocked = models.BooleanField()
    warnings = models.PositiveIntegerField()
    nodes = models.PositiveIntegerField(default=0, help_text="Number of nodes that change")
    waves = models.PositiveSmallIntegerField(default=0)
    document = models.JSONField(help_text="`PlanOut`: shapes, checks, impacts, waves")
    head = models.JSONField(
        null=True,
        help_text="`document` with the first entries of each list; null: it is short, or made before 0013",
    )
    assignments = models.JSONField(
        help_text="{node id: {wave, base, routing, arp_base, arp, probes, orders, orders_before, earlier,"
        " running}}: wire format; routing or arp null: not part of this change; running: [{prefix, hops:"
        " [{address, port, preference}]}] of a node without confirmed routing"
    )

    class Meta:
        ordering = ["-id"]


class PlannedNode(models.Model):
    """One node of a plan in brief, for lists; `PlanRecord.assignments` has its assignment. Immutable."""

    plan = models.ForeignKey(PlanRecord, on_delete=models.CASCADE, related_name="planned")
    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    wave = models.PositiveSmallIntegerField()
    engine = models.CharField(max_length=16, null=True, help_text="Null: its routing does not change")

    class Meta:
        indexes = [models.Index(fields=["plan", "wave", "id"], name="planned_by_wave")]


class InputEdit(models.Model):
    """Who wrote an input of plans: a policy, or the site's file (policy and ARP policy null). Immutable."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="+")
    policy = models.ForeignKey(FailoverPolicy, null=True, on_delete=models.CASCADE, related_name="edits")
    arp_policy = models.ForeignKey(ArpPolicy, null=True, on_delete=models.CASCADE, related_name="edits")
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["site", "at"], name="input_edit_newest")]


class Approval(models.Model):
    """One person's approval of one plan."""

    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="approvals")
    person = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()
    digest = models.CharField(max_length=64)
    comment = models.TextField(blank=True)

    class Meta:
        ordering = ["at"]


class Application(models.Model):
    """One node in a change that has started."""

    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="applications")
    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="applications")
    wave = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=16, default="pending")
    since = models.DateTimeField(null=True)
    reason = models.TextField(blank=True)
    by = models.CharField(max_length=8, blank=True, help_text="Program that rolled back: agent, guard")
    evidence = models.JSONField(default=list, help_text="[{what, ok, found}]")
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    guard_until = models.DateTimeField(null=True)
    assignment = models.JSONField(default=dict, help_text="This node's part of `PlanRecord.assignments`")
    known_before = models.GeneratedField(
        expression=models.Func("assignment", function="rollout_known_before"),
        output_field=models.JSONField(),
        db_persist=True,
        help_text="What the assignment records of the node before the change, in brief: the function of this"
        " name in PostgreSQL, so that nobody reads 10,000 assignments to learn that all can be undone",
    )

    class Meta:
        ordering = ["wave", "node__name"]
        constraints = [models.UniqueConstraint(fields=["change", "node"], name="node_once_a_change")]
        indexes = [
            models.Index(fields=["change", "wave", "id"], name="application_by_wave"),
            # Progress of a change is counted from this index alone.
            models.Index(
                fields=["change", "wave", "state"], include=["guard_until"], name="application_progress"
            ),
        ]


class PendingNodeReport(models.Model):
    """A node's report about a change that is not processed yet (`change_inbox`)."""

    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="+")
    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    received = models.DateTimeField()
    revision = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    phase = models.CharField(max_length=16)
    reason = models.TextField(blank=True)
    by = models.CharField(max_length=8, blank=True)
    evidence = models.JSONField(default=list, help_text="[{what, ok, found}]")
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    guard_until = models.DateTimeField(null=True)


class Step(models.Model):
    """One line of a change's history. Immutable."""

    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="steps")
    at = models.DateTimeField()
    person = models.CharField(max_length=150, blank=True, help_text="Empty: Backstay")
    text = models.TextField()

    class Meta:
        ordering = ["at", "id"]


class Intended(models.Model):
    """A node's last confirmed routing and ARP: the reference for running and saved state."""

    node = models.OneToOneField(Node, on_delete=models.CASCADE, related_name="intended")
    revision = models.PositiveBigIntegerField()
    routing = models.JSONField(null=True, help_text="Wire `NodeRouting`; null: no routing confirmed")
    routes = models.GeneratedField(
        expression=models.Func("routing", template="(%(expressions)s -> 'routes')"),
        output_field=models.JSONField(null=True),
        db_persist=True,
        help_text="Routes of `routing`, without its files, which a count over all nodes would unpack",
    )
    arp = models.JSONField(null=True, help_text="`wire_codec.encode_arp`; null: no ARP confirmed")
    change = models.ForeignKey(Change, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()
    judged_at = models.DateTimeField(null=True, help_text="Last comparison of its routing; null: never")
    arp_judged_at = models.DateTimeField(null=True, help_text="Last comparison of its ARP; null: never")


class Drift(models.Model):
    """A node whose intended, running and saved routing or ARP differ; no row: they are equal."""

    node = models.OneToOneField(Node, on_delete=models.CASCADE, related_name="drift")
    since = models.DateTimeField()
    running_differs = models.BooleanField()
    saved_differs = models.BooleanField()
    reboot = models.BooleanField(help_text="A reboot changes the running state")
    items = models.JSONField(help_text="[{what, kind, intended, running, saved, reboot, text, on_fallback}]")


class NodeManagement(models.Model):
    """What was released or reverted on a node, as its agent last reported; no row: nothing ever was."""

    node = models.OneToOneField(Node, on_delete=models.CASCADE, related_name="management")
    state = models.CharField(max_length=16, help_text="managed, released, reverted")
    release = models.CharField(max_length=64, help_text="Id of the release or revert")
    scope = models.CharField(max_length=16, help_text="policies, routing, everything")
    policies = ArrayField(
        models.CharField(max_length=128), default=list, help_text="Released policies, if scope is policies"
    )
    since = models.DateTimeField()
    by = models.CharField(max_length=1024)
    reason = models.TextField(blank=True)
    left = models.TextField(blank=True, help_text="Remaining manual steps on the node")
    change = models.PositiveBigIntegerField(null=True, help_text="The change that was reverted")
    at = models.DateTimeField(help_text="Time of the newest report")
    cleared_release = models.CharField(max_length=64, blank=True, help_text="Id of the last cleared release")
    cleared_by = models.CharField(max_length=150, blank=True)
    cleared_at = models.DateTimeField(null=True)


class Drill(models.Model):
    """A deliberate failover: scheduled, running or finished; kept as evidence."""

    policy = models.ForeignKey(FailoverPolicy, on_delete=models.CASCADE, related_name="drills")
    author = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.TextField(blank=True)
    nodes = ArrayField(
        models.CharField(max_length=128), default=list, help_text="Only these nodes; empty: all"
    )
    gateway = models.CharField(max_length=128, blank=True, help_text="Empty: the next gateway of each node")
    seconds = models.FloatField()
    at = models.DateTimeField(help_text="Scheduled or actual start")
    every_days = models.PositiveSmallIntegerField(null=True)
    state = models.CharField(
        max_length=16,
        default="scheduled",
        help_text="scheduled, refused, running, returning, passed, failed, cancelled",
    )
    since = models.DateTimeField()
    cancelled_by = models.CharField(max_length=150, blank=True)
    refused_because = models.JSONField(default=list)
    fallback_bps = models.BigIntegerField(null=True)
    fallback_utilisation = models.FloatField(null=True)

    class Meta:
        indexes = [models.Index(fields=["since"], name="drill_age")]


OPEN = ("waiting", "moved")
"""States of an active move."""


class Move(models.Model):
    """One path pinned to one gateway: by hand or by a drill."""

    path = models.ForeignKey(Path, on_delete=models.CASCADE, related_name="moves")
    drill = models.ForeignKey(Drill, null=True, on_delete=models.CASCADE, related_name="moves")
    gateway = models.CharField(max_length=128)
    seconds = models.FloatField()
    person = models.CharField(max_length=150)
    reason = models.TextField(blank=True)
    at = models.DateTimeField()
    state = models.CharField(
        max_length=16, default="waiting", help_text="waiting, moved, returned, refused, failed"
    )
    since = models.DateTimeField()
    moved_at = models.DateTimeField(null=True)
    returning_at = models.DateTimeField(null=True, help_text="When an early return was requested")
    detail = models.TextField(blank=True)
    outage_out_ms = models.FloatField(null=True)
    outage_back_ms = models.FloatField(null=True)
    rtt_us = models.PositiveIntegerField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["path", "-at"], name="move_newest"),
            models.Index(fields=["since"], name="move_age"),
        ]
