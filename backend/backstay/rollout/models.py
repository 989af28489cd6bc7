"""Making it so: changes with their plans, approvals and nodes, what was confirmed, moves and drills.

Every timer of a change is a row here or a guard on a node; nothing that matters stands in Redis or Celery.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from backstay.accounts.models import User
from backstay.inventory.models import Node, Site
from backstay.policy.models import ArpPolicy, FailoverPolicy, Path


class Fence(models.Model):
    """The newest revision handed out at a site; its row lock orders all who begin a change."""

    site = models.OneToOneField(Site, on_delete=models.CASCADE, related_name="fence")
    revision = models.PositiveBigIntegerField(default=0)


class Change(models.Model):
    """A proposal and what became of it. States are those of `core.model.change`."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="changes")
    kind = models.CharField(max_length=16, help_text="policies, arp, restore, adopt")
    title = models.CharField(max_length=200)
    reason = models.TextField(blank=True)
    ticket = models.CharField(max_length=100, blank=True)
    author = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="changes")
    policies = models.ManyToManyField(FailoverPolicy, related_name="changes")
    arp_policies = models.ManyToManyField(ArpPolicy, related_name="changes")
    nodes = ArrayField(models.CharField(max_length=128), default=list, help_text="Only these; empty: all")
    wave_size = models.PositiveIntegerField(null=True, help_text="Nodes at one time at most; null: any")
    state = models.CharField(max_length=16, default="draft")
    since = models.DateTimeField()
    created_at = models.DateTimeField()
    wave = models.PositiveSmallIntegerField(null=True, help_text="Under way; null: preparing or not begun")
    revision = models.PositiveBigIntegerField(null=True, help_text="Fencing number, given when it begins")
    timeout_s = models.FloatField(default=120.0)
    auto_confirm = models.BooleanField(default=False)
    outcome = models.TextField(blank=True, help_text="Why it ended otherwise than done")

    class Meta:
        indexes = [models.Index(fields=["site", "-id"], name="change_newest")]


class PlanRecord(models.Model):
    """A change's frozen plan: what people read and approve, and what the nodes get. Never altered."""

    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="plans")
    made_at = models.DateTimeField()
    digest = models.CharField(max_length=64, help_text="SHA-256 over inputs and outcome")
    inputs = models.CharField(max_length=64, help_text="SHA-256 of what it was made from")
    blocked = models.BooleanField()
    warnings = models.PositiveIntegerField()
    nodes = models.PositiveIntegerField(default=0, help_text="How many would change")
    waves = models.PositiveSmallIntegerField(default=0)
    document = models.JSONField(help_text="As shown: shapes, checks, impacts, waves")
    duties = models.JSONField(
        help_text="{node id: {wave, base, routing, arp_base, arp, probes, orders, orders_before, earlier}}:"
        " the wire's words; routing or arp null: this change leaves it alone"
    )

    class Meta:
        ordering = ["-id"]


class Approval(models.Model):
    """One person's word on one plan."""

    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="approvals")
    person = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()
    digest = models.CharField(max_length=64)
    comment = models.TextField(blank=True)

    class Meta:
        ordering = ["at"]


class Application(models.Model):
    """One node in a change that has begun."""

    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="applications")
    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="applications")
    wave = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=16, default="pending")
    since = models.DateTimeField(null=True)
    reason = models.TextField(blank=True)
    by = models.CharField(max_length=8, blank=True, help_text="Who rolled back: agent, guard")
    evidence = models.JSONField(default=list, help_text="[{what, ok, found}]")
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    guard_until = models.DateTimeField(null=True)
    duty = models.JSONField(default=dict, help_text="This node's part of `PlanRecord.duties`")

    class Meta:
        ordering = ["wave", "node__name"]
        constraints = [models.UniqueConstraint(fields=["change", "node"], name="node_once_a_change")]


class PendingNodeReport(models.Model):
    """One word of a node on a change, until whoever moves the change on has taken it: `told`."""

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
    """One line of a change's history, written once."""

    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="steps")
    at = models.DateTimeField()
    person = models.CharField(max_length=150, blank=True, help_text="Empty: Backstay itself")
    text = models.TextField()

    class Meta:
        ordering = ["at", "id"]


class Intended(models.Model):
    """A node's routing and ARP as they were confirmed last: what running and saved are compared with."""

    node = models.OneToOneField(Node, on_delete=models.CASCADE, related_name="intended")
    revision = models.PositiveBigIntegerField()
    routing = models.JSONField(
        null=True, help_text="NodeRouting in the wire's words; null: nothing of routing was confirmed"
    )
    arp = models.JSONField(null=True, help_text="As `arp_words` has it; null: nothing of ARP was confirmed")
    change = models.ForeignKey(Change, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()
    judged_at = models.DateTimeField(
        null=True, help_text="Up to when its routing was compared with what runs and is saved; null: never"
    )
    arp_judged_at = models.DateTimeField(null=True, help_text="The same of its ARP")


class Drift(models.Model):
    """A node whose intended, running and saved routing or ARP are not one; no row: they are."""

    node = models.OneToOneField(Node, on_delete=models.CASCADE, related_name="drift")
    since = models.DateTimeField()
    running_differs = models.BooleanField()
    saved_differs = models.BooleanField()
    reboot = models.BooleanField(help_text="What runs would change on reboot")
    items = models.JSONField(help_text="[{what, kind, intended, running, saved, reboot, text, on_fallback}]")


class Drill(models.Model):
    """A failover on purpose: scheduled, running, or kept as evidence."""

    policy = models.ForeignKey(FailoverPolicy, on_delete=models.CASCADE, related_name="drills")
    author = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.TextField(blank=True)
    nodes = ArrayField(models.CharField(max_length=128), default=list, help_text="Only these; empty: all")
    gateway = models.CharField(max_length=128, blank=True, help_text="Empty: each node's next")
    seconds = models.FloatField()
    at = models.DateTimeField(help_text="When it shall begin, or began")
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


OPEN = ("waiting", "moved")
"""States of a move that is not over."""


class Move(models.Model):
    """One path kept on one gateway on purpose: by hand, or as part of a drill."""

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
    returning_at = models.DateTimeField(null=True, help_text="When somebody asked for it to end early")
    detail = models.TextField(blank=True)
    outage_out_ms = models.FloatField(null=True)
    outage_back_ms = models.FloatField(null=True)
    rtt_us = models.PositiveIntegerField(null=True)

    class Meta:
        indexes = [models.Index(fields=["path", "-at"], name="move_newest")]
