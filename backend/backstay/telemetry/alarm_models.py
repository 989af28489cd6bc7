"""Alarms of devices, as their notices (SNMP notifications, syslog) raise and clear them."""

from __future__ import annotations

from django.db import models

from backstay.inventory.models import Node


class Alarm(models.Model):
    """An alarm that a device raised by a notice and has not cleared."""

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="alarms")
    name = models.CharField(max_length=64, help_text="Name of the notice: card_down, gated_down, ...")
    subject = models.CharField(max_length=128, blank=True)
    severity = models.CharField(max_length=8)
    text = models.CharField(max_length=1024)
    since = models.DateTimeField()
    at = models.DateTimeField(help_text="Time of the last report")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["node", "name", "subject"], name="alarm_once")]


class AlarmClearing(models.Model):
    """When a device last cleared an alarm: a notice from before it, which arrives late, does not raise it."""

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="alarm_clearings")
    name = models.CharField(max_length=64, blank=True, help_text="As `Alarm.name`; empty: all, by a restart")
    subject = models.CharField(max_length=128, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["node", "name", "subject"], name="clearing_once")]
