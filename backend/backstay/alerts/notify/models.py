"""Channels, routes, on-call schedules, and what was sent: the only state of notifications.

Every timer is a column; Redis and Celery hold no state of a message.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from backstay.inventory.models import Site

STATUSES = ("queued", "sending", "sent", "failed")


class Channel(models.Model):
    """One address that messages are delivered to: a mailbox, a webhook, a room."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="channels")
    name = models.SlugField(max_length=50)
    kind = models.CharField(max_length=32, help_text="A key of alerts.notify.transports.TRANSPORTS")
    config = models.JSONField(default=dict, help_text="Settings of its kind, without secrets")
    secrets = models.BinaryField(null=True, help_text="Secret settings, encrypted (accounts.secrets)")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="channels",
        help_text="Whose it is: schedules reach the person by it; null: it belongs to everybody",
    )
    enabled = models.BooleanField(default=True)
    changed_at = models.DateTimeField()
    worked_at = models.DateTimeField(null=True, help_text="Newest delivery that succeeded")
    failing_since = models.DateTimeField(null=True, help_text="First failure since then")
    failure = models.CharField(max_length=300, blank=True, help_text="Why it failed last")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["site", "name"], name="channel_name_per_site")]


class Schedule(models.Model):
    """Who is on call when (core.alerting.on_call.Rotation)."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="schedules")
    name = models.SlugField(max_length=50)
    people = ArrayField(models.CharField(max_length=150), default=list, help_text="User names, in order")
    zone = models.CharField(max_length=64, help_text="IANA time zone")
    starts_on = models.DateField(help_text="Day of the first handover")
    handover = models.TimeField(help_text="On the zone's clock")
    days = models.PositiveSmallIntegerField(default=7, help_text="Of one shift")
    restrictions = models.JSONField(default=list, help_text="Weekly times: [{weekdays, start, end}]")
    overrides = models.JSONField(default=list, help_text="[{start, end, person}], RFC 3339")
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["site", "name"], name="schedule_name_per_site")]


class NotificationRoute(models.Model):
    """Which incidents are sent to whom, and when (core.alerting.message_groups.GroupTimes)."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="notification_routes")
    name = models.SlugField(max_length=50)
    position = models.PositiveIntegerField(default=0, help_text="Lower ones are tried first")
    enabled = models.BooleanField(default=True)
    matchers = models.JSONField(
        default=dict, help_text="{severities, kinds, roles, fabrics, labels, times, zone}; empty: everything"
    )
    steps = models.JSONField(default=list, help_text="[{after_s, channels, schedules}], ids")
    group_wait_s = models.FloatField(default=10.0)
    group_interval_s = models.FloatField(default=300.0)
    repeat_s = models.FloatField(default=14_400.0, help_text="0: no reminders")
    send_resolved = models.BooleanField(default=True)
    continues = models.BooleanField(default=False, help_text="Whether later routes are tried after a match")
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["site", "name"], name="notification_route_name_per_site")
        ]


class Notification(models.Model):
    """One message about a group of incidents; each channel gets it by a delivery of its own."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="notifications")
    route = models.ForeignKey(
        NotificationRoute, null=True, on_delete=models.SET_NULL, related_name="notifications"
    )
    reason = models.CharField(max_length=16, help_text="core.alerting.message.Reason")
    incidents = models.ManyToManyField("alerts.Incident", related_name="notifications")
    content = models.JSONField(
        help_text="{incidents, more}: as it was when the message was due, so that repetitions are equal"
    )
    created_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["route", "-created_at"], name="notification_of_route"),
            models.Index(fields=["site", "-created_at"], name="notification_newest"),
        ]


class ReportedIncident(models.Model):
    """What the messages of a route reported of one object (core.alerting.message_groups.GroupMember)."""

    route = models.ForeignKey(NotificationRoute, on_delete=models.CASCADE, related_name="reported")
    fingerprint = models.CharField(max_length=200, help_text="Of the object's incidents")
    incident = models.ForeignKey("alerts.Incident", on_delete=models.CASCADE, related_name="reported")
    reported = models.CharField(max_length=8, help_text="open, resolved or missed")
    severity = models.CharField(max_length=8)
    first_at = models.DateTimeField(help_text="Of the message that reported it as open")
    last_at = models.DateTimeField(help_text="Of the newest message about it, reminders included")
    step = models.PositiveSmallIntegerField(default=0, help_text="Last step of the route that was notified")
    messages = ArrayField(models.DateTimeField(), default=list, help_text="Newest messages about changes")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["route", "fingerprint"], name="reported_once_per_route")
        ]


class PushKey(models.Model):
    """The key pair by which push services know this server (`push.vapid`): one row."""

    public_key = models.CharField(max_length=100, help_text="Uncompressed point of P-256, base64url")
    secrets = models.BinaryField(help_text="{private_key}, encrypted (accounts.secrets)")
    created_at = models.DateTimeField()


class PushDevice(models.Model):
    """A browser in which a person turned on push: its subscription at a push service."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_devices"
    )
    label = models.CharField(max_length=100, help_text="Browser and system, as the person reads them")
    service = models.CharField(max_length=253, help_text="Host of the push service")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the endpoint, hex")
    secrets = models.BinaryField(help_text="{endpoint, p256dh, auth}, encrypted (accounts.secrets)")
    created_at = models.DateTimeField()
    delivered_at = models.DateTimeField(null=True, help_text="Newest message that its service accepted")
    failing_since = models.DateTimeField(null=True, help_text="First failure since then")
    failure = models.CharField(max_length=300, blank=True, help_text="Why it failed last")


class Delivery(models.Model):
    """One message to one channel, with its attempts. A row is claimed by a lease before it is sent."""

    notification = models.ForeignKey(Notification, on_delete=models.CASCADE, related_name="deliveries")
    channel = models.ForeignKey(Channel, null=True, on_delete=models.SET_NULL, related_name="deliveries")
    device = models.ForeignKey(
        PushDevice,
        null=True,
        on_delete=models.SET_NULL,
        related_name="deliveries",
        help_text="Of a push channel",
    )
    target = models.CharField(
        max_length=300, help_text="Name of the channel, and the schedule it was taken from"
    )
    key = models.UUIDField(default=uuid.uuid4, unique=True, help_text="The same in every attempt")
    status = models.CharField(max_length=8, choices=[(status, status) for status in STATUSES])
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(
        help_text="When the next attempt is due; of a claimed one, when it is lost"
    )
    lease = models.UUIDField(null=True, help_text="Of the worker that sends it")
    reason = models.CharField(max_length=300, blank=True, help_text="Why the newest attempt failed")
    took_ms = models.FloatField(null=True, help_text="Of the newest attempt")
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, help_text="When it was sent or failed")

    class Meta:
        indexes = [
            models.Index(
                fields=["next_at"],
                condition=models.Q(status__in=["queued", "sending"]),
                name="delivery_due",
            ),
            models.Index(fields=["channel", "-created_at"], name="delivery_of_channel"),
            models.Index(fields=["-created_at"], name="delivery_newest"),
        ]
