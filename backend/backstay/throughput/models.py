"""Throughput tests: what is wanted, each time that it was carried out, its cells, and each node's part.

Every timer stands in a row; nothing that matters stands in Redis or Celery.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from backstay.accounts.models import User
from backstay.inventory.models import Node, Site


class SiteLock(models.Model):
    """A site's testing ground: its row lock orders all who start or end a cell, its number fences them."""

    site = models.OneToOneField(Site, on_delete=models.CASCADE, related_name="test_turn")
    number = models.PositiveBigIntegerField(default=0)


class TestPlan(models.Model):
    """What is wanted: ends, a matrix of parameters, when, and within which bounds."""

    __test__ = False
    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="test_plans")
    name = models.SlugField(max_length=50)
    shape = models.CharField(max_length=16, help_text="core.scheduling.matrix.Shape")
    senders = ArrayField(models.CharField(max_length=128))
    receivers = ArrayField(models.CharField(max_length=128), default=list)
    fabric = models.CharField(
        max_length=50, blank=True, help_text="By name; empty: the first that both share"
    )
    matrix = models.JSONField(help_text="A wire spec of which any field but kind may be a list")
    repeats = models.PositiveSmallIntegerField(default=1)
    schedule = models.CharField(max_length=100, blank=True, help_text="Five fields of crontab(5), UTC")
    next_at = models.DateTimeField(null=True)
    priority = models.PositiveSmallIntegerField(default=5, help_text="0 to 9, the greatest first")
    quiet_percent = models.FloatField(null=True, help_text="Of usable; null: whatever else runs")
    budget_bytes = models.PositiveBigIntegerField(null=True, help_text="A day, UTC; null: any")
    budget_s = models.PositiveIntegerField(null=True, help_text="Seconds of test a day; null: any")
    enabled = models.BooleanField(default=True, help_text="Whether its timetable holds")
    note = models.TextField(blank=True)
    author = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, help_text="It runs no more; its runs stay")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["site", "name"],
                condition=models.Q(removed_at__isnull=True),
                name="test_plan_name_per_site",
            )
        ]


OPEN = ("queued", "waiting", "running")
"""States of a run that is not over: never begun, asked and told to wait, a cell runs or ran."""


class TestRun(models.Model):
    """One time that a plan was carried out; what the plan said then stands in its cells and here."""

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
    person = models.CharField(max_length=150, blank=True, help_text="Empty: the timetable")
    source = models.CharField(max_length=8, help_text="lab, live")
    asked = models.JSONField(help_text="The plan as it was: shape, senders, receivers, fabric, matrix")
    outcome = models.TextField(blank=True)
    verdict = models.JSONField(null=True, help_text="As `verdicts` makes it")
    regression = models.JSONField(null=True, help_text="Against the plan's earlier runs; null: not compared")

    class Meta:
        indexes = [models.Index(fields=["plan", "-id"], name="test_run_newest")]


class TestCell(models.Model):
    """One point of a run's matrix, for flows that run together."""

    __test__ = False
    run = models.ForeignKey(TestRun, on_delete=models.CASCADE, related_name="cells")
    index = models.PositiveSmallIntegerField()
    flows = models.JSONField(help_text="[[sender, receiver]] by node name")
    spec = models.JSONField(help_text="In the wire's words")
    state = models.CharField(
        max_length=16, default="queued", help_text="queued, running, or core.model.throughput.CellState"
    )
    detail = models.TextField(blank=True)
    seconds = models.FloatField(help_text="How long it should take")
    start_at = models.DateTimeField(null=True)
    until = models.DateTimeField(null=True, help_text="Nodes that have told nothing by then are lost")
    ended_at = models.DateTimeField(null=True)
    fence = models.PositiveBigIntegerField(null=True, help_text="Of its start: Turn.number")
    resources = models.JSONField(default=dict, help_text="{key: words} that it has to itself")
    medium = models.JSONField(default=dict, help_text="core.model.throughput.Medium, and the way's names")
    measured = models.JSONField(null=True, help_text="core.model.throughput.Measured; null: nothing")
    octets = models.PositiveBigIntegerField(default=0, help_text="What it moved")
    verdict = models.JSONField(null=True)

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["run", "index"], name="test_cell_once")]
        indexes = [
            models.Index(fields=["state"], condition=models.Q(state="running"), name="test_cell_running")
        ]


class TestAssignment(models.Model):
    """One node's part in one flow of a cell; its id is the assignment, which is never given twice."""

    cell = models.ForeignKey(TestCell, on_delete=models.CASCADE, related_name="duties")
    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="test_duties")
    role = models.CharField(max_length=8, help_text="server, client, observer")
    flow = models.PositiveSmallIntegerField()
    wire = models.JSONField(help_text="local, peer, peer_name, port, ports, quiet")
    state = models.CharField(
        max_length=16, default="asked", help_text="asked, accepted, running, or how it ended"
    )
    detail = models.TextField(blank=True)
    final = models.BooleanField(default=False)
    told_at = models.DateTimeField(null=True)
    started = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)
    told = models.JSONField(default=dict, help_text="TestReport in the wire's words")

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["node"], condition=models.Q(final=False), name="test_duty_open")]
