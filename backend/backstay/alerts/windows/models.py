"""Maintenance windows, the objects that they are about, and calendar feeds."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from backstay.inventory.models import Fabric, Link, Node, Port, Site
from backstay.policy.models import FailoverPolicy


class MaintenanceWindow(models.Model):
    """A planned time, once or recurring, for objects of a site and what depends on them.

    `begins_at` and `ends_at` are the occurrence that runs or comes next, in advance: a window takes effect
    without anybody calculating its recurrence at that moment.
    """

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="maintenance_windows")
    name = models.CharField(max_length=100)
    reason = models.CharField(max_length=2000, blank=True)
    starts_at = models.DateTimeField(help_text="Start of the first occurrence (DTSTART)")
    duration_s = models.PositiveIntegerField(help_text="Elapsed seconds of each occurrence")
    zone = models.CharField(max_length=64, help_text="IANA time zone in which it recurs")
    rule = models.CharField(max_length=500, blank=True, help_text="RRULE of RFC 5545; empty: once")
    excluded = models.JSONField(default=list, help_text="Local starts that are left out (EXDATE), ISO 8601")
    added = models.JSONField(
        default=list, help_text="Further occurrences: [{begins_at, duration_s}], RFC 3339 in UTC"
    )
    mutes_notifications = models.BooleanField(default=True)
    pauses_rules = models.BooleanField(default=False, help_text="No incident opens")
    pauses_tests = models.BooleanField(default=True, help_text="No throughput test starts")
    begins_at = models.DateTimeField(null=True, help_text="Of the current or next occurrence; null: none")
    ends_at = models.DateTimeField(null=True)
    resumes_after = models.DateTimeField(
        null=True, help_text="Ended early: occurrences that began before are over"
    )
    uid = models.CharField(max_length=255, help_text="Of its calendar event")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["site", "uid"], name="window_once")]
        indexes = [models.Index(fields=["site", "ends_at"], name="windows_due")]


class TargetKind(models.TextChoices):
    """What a window may be about."""

    SITE = "site"
    FABRIC = "fabric"
    NODE = "node"
    PORT = "port"
    LINK = "link"
    POLICY = "policy"


class MaintenanceTarget(models.Model):
    """One object of a window; all columns but its own kind's are null, of a site all."""

    window = models.ForeignKey(MaintenanceWindow, on_delete=models.CASCADE, related_name="targets")
    kind = models.CharField(max_length=8, choices=TargetKind.choices)
    fabric = models.ForeignKey(Fabric, null=True, on_delete=models.CASCADE, related_name="+")
    node = models.ForeignKey(Node, null=True, on_delete=models.CASCADE, related_name="+")
    port = models.ForeignKey(Port, null=True, on_delete=models.CASCADE, related_name="+")
    link = models.ForeignKey(Link, null=True, on_delete=models.CASCADE, related_name="+")
    policy = models.ForeignKey(FailoverPolicy, null=True, on_delete=models.CASCADE, related_name="+")


class CalendarFeed(models.Model):
    """A secret address at which calendars read a site's windows."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="calendar_feeds")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
