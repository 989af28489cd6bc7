"""Exports of port history: what was asked for, how far it is, and what it could not read."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from backstay.core.export_plan import OPEN_EXPORTS
from backstay.inventory.models import Site


class Export(models.Model):
    """One export. Its row is the only state: any worker continues it from `position`."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="+")
    person = models.CharField(max_length=150, help_text="User who asked for it")
    format = models.CharField(max_length=8, help_text="csv, jsonl, parquet")
    level = models.CharField(max_length=8, help_text="auto, samples, 5m, 1h, 1d")
    start = models.DateTimeField()
    end = models.DateTimeField()
    selection = models.JSONField(
        default=dict, help_text="{links: [id]}, {ports: [id]} or {fabric: name}; empty: the site"
    )
    state = models.CharField(max_length=8, default="queued", help_text="queued, running, done, failed")
    created_at = models.DateTimeField()
    worked_at = models.DateTimeField(null=True, help_text="When a worker last began or ended a step")
    ended_at = models.DateTimeField(null=True, help_text="Null: not ended")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Attempts since the last progress")
    plan = models.JSONField(null=True, help_text="Spans of core.export_plan; null: not begun")
    position = models.JSONField(
        default=dict, help_text="{span, at, node}: the next step; bytes written so far belong to it"
    )
    progress = models.FloatField(default=0.0, help_text="0..1")
    rows = models.PositiveBigIntegerField(default=0)
    bytes = models.PositiveBigIntegerField(default=0, help_text="Of the file, or of what is written of it")
    gaps = models.JSONField(default=list, help_text="[{start, end, text}], the first ones")
    gap_count = models.PositiveIntegerField(default=0)
    failure = models.CharField(max_length=300, blank=True)
    file = models.UUIDField(default=uuid.uuid4, unique=True, help_text="Name of its file, without suffix")

    class Meta:
        indexes = [
            models.Index(fields=["site", "created_at"], name="export_of_site"),
            models.Index(fields=["ended_at"], name="export_age"),
            models.Index(fields=["created_at"], condition=Q(state__in=OPEN_EXPORTS), name="export_open"),
        ]
