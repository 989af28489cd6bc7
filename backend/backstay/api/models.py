"""Answers kept for a day, so that a POST that is sent twice acts once."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class KeptAnswer(models.Model):
    """The answer to one POST with an Idempotency-Key; without `status` it is still being worked on."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    request = models.CharField(max_length=64, help_text="SHA-256 of path and body, hex")
    status = models.PositiveSmallIntegerField(null=True)
    body = models.BinaryField(null=True, help_text="JSON, encrypted: an answer may hold a token")
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="answer_once")]
