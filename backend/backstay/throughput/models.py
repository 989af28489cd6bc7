"""Throughput tests: plans, runs, cells and the assignment of each node.

Every timer is a column; Redis and Celery hold no state of a test.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from backstay.accounts.models import User
from backstay.inventory.models import Node, Site


class SiteLock(models.Model):
    """One row per site: its row lock serialises the start and end of cells; `number` is their fence."""

    site = models.OneToOneField(Site, on_delete=models.CASCADE, related_name="test_site_lock")
    number = models.PositiveBigIntegerField(default=0)


class TestPlan(models.Model):
    """End points, a parameter matrix, a schedule and limits."""

    __test__ = False
    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="test_plans")
    name = models.SlugField(max_length=50)
    shape = models.CharField(max_length=16, help_text="core.scheduling.matrix.Shape")
    senders = ArrayField(models.CharField(max_length=128))
    receivers = ArrayField(models.CharField(max_length=128), default=list)
    fabric = models.CharField(
        max_length=50, blank=True, help_text="Name; empty: the first fabric that both ends share"
    )
    matrix = models.JSONField(help_text="Wire test spec; any field except kind may be a list")
    repeats = models.PositiveSmallIntegerField(default=1)
    schedule = models.CharField(max_length=100, blank=True, help_text="Five fields of crontab(5), UTC")
    next_at = models.DateTimeField(null=True)
    priority = models.PositiveSmallIntegerField(default=5, help_text="0 to 9, highest first")
    quiet_percent = models.FloatField(
        null=True, help_text="Max load before start, % of usable; null: no limit"
    )
    budget_bytes = models.PositiveBigIntegerField(null=True, help_text="Bytes per UTC day; null: no limit")
    budget_s = models.PositiveIntegerField(null=True, help_text="Test seconds per UTC day; null: no limit")
    enabled = models.BooleanField(default=True, help_text="Whether the schedule is active")
    note = models.TextField(blank=True)
    author = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, help_text="Deleted; its runs are kept")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["site", "name"],
                condition=models.Q(removed_at__isnull=True),
                name="test_plan_name_per_site",
            )
        ]
        indexes = [
            models.Index(
                fields=["removed_at"],
                condition=models.Q(removed_at__isnull=False),
                name="test_plan_age",
            )
        ]


class TestRun(models.Model):
    """One execution of a plan, with a copy of the plan in `asked` and in its cells."""

    __test__ = False
    plan = models.ForeignKey(TestPlan, on_delete=models.CASCADE, related_name="runs")
    state = models.CharField(
        max_length=16, default="queued", help_text="queued, waiting, running, done, cancelled, failed"
    )
    waits_for = models.TextField(blank=True)
    priority = models.PositiveSmallIntegerField()
    asked_at = models.DateTimeField()
    began_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    person = models.CharField(max_length=150, blank=True, help_text="Empty: the schedule")
    source = models.CharField(max_length=8, help_text="lab, live")
    asked = models.JSONField(help_text="The plan at the request: shape, senders, receivers, fabric, matrix")
    outcome = models.TextField(blank=True)
    verdict = models.JSONField(null=True, help_text="See `verdicts`")
    regression = models.JSONField(null=True, help_text="Comparison with earlier runs; null: not compared")

    class Meta:
        indexes = [
            models.Index(fields=["plan", "-id"], name="test_run_newest"),
            models.Index(fields=["ended_at"], name="test_run_age"),
        ]


class TestCell(models.Model):
    """One point of a run's matrix, for flows that run at the same time."""

    __test__ = False
    run = models.ForeignKey(TestRun, on_delete=models.CASCADE, related_name="cells")
    index = models.PositiveSmallIntegerField()
    flows = models.JSONField(help_text="[[sender, receiver]] by node name")
    spec = models.JSONField(help_text="Wire test spec")
    state = models.CharField(
        max_length=16, default="queued", help_text="queued, running, or core.model.throughput.CellState"
    )
    detail = models.TextField(blank=True)
    seconds = models.FloatField(help_text="Expected duration")
    start_at = models.DateTimeField(null=True)
    until = models.DateTimeField(null=True, help_text="Report deadline: later the node is lost")
    ended_at = models.DateTimeField(null=True)
    fence = models.PositiveBigIntegerField(null=True, help_text="`SiteLock.number` at the start")
    resources = models.JSONField(default=dict, help_text="{key: label} reserved exclusively")
    medium = models.JSONField(
        default=dict, help_text="core.model.throughput.Medium and the names on the path"
    )
    measured = models.JSONField(null=True, help_text="core.model.throughput.Measured; null: not measured")
    octets = models.PositiveBigIntegerField(default=0, help_text="Bytes transferred")
    verdict = models.JSONField(null=True)

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["run", "index"], name="test_cell_once")]
        indexes = [
            models.Index(fields=["state"], condition=models.Q(state="running"), name="test_cell_running")
        ]


class TestAssignment(models.Model):
    """One node's part in one flow of a cell; its primary key is the wire assignment id, never reused."""

    __test__ = False

    cell = models.ForeignKey(TestCell, on_delete=models.CASCADE, related_name="assignments")
    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="test_assignments")
    role = models.CharField(max_length=8, help_text="server, client, observer")
    flow = models.PositiveSmallIntegerField()
    wire = models.JSONField(help_text="local, peer, peer_name, port, ports, quiet")
    state = models.CharField(
        max_length=16, default="asked", help_text="asked, accepted, running, or the final state"
    )
    detail = models.TextField(blank=True)
    final = models.BooleanField(default=False)
    reported_at = models.DateTimeField(null=True)
    started = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)
    report = models.JSONField(default=dict, help_text="Wire `TestReport`")

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["node"], condition=models.Q(final=False), name="test_assignment_open")
        ]
