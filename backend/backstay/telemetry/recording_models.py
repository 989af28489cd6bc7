"""Recordings of devices that were asked for, and their results."""

from __future__ import annotations

from django.db import models

from backstay.inventory.models import Node


class DeviceRecording(models.Model):
    """One recording of an SNMP device by its agent, anonymised there."""

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="recordings")
    person = models.CharField(max_length=150, help_text="User who asked for it")
    asked_at = models.DateTimeField()
    until = models.DateTimeField(help_text="The agent is asked until then")
    state = models.CharField(max_length=8, default="asked", help_text="asked, recorded, failed")
    ended_at = models.DateTimeField(null=True, help_text="When its result arrived; null: not yet")
    detail = models.CharField(max_length=1024, blank=True, help_text="Why it failed, or what is not whole")
    objects_read = models.PositiveIntegerField(default=0)
    size = models.PositiveIntegerField(default=0, help_text="Bytes of the file")
    data = models.BinaryField(default=b"", help_text="The file, gzip")

    class Meta:
        indexes = [
            models.Index(fields=["node", "-asked_at"], name="recording_newest"),
            models.Index(fields=["node"], condition=models.Q(state="asked"), name="recording_asked"),
            models.Index(fields=["asked_at"], name="recording_age"),
        ]
