"""Stored responses, so that a repeated POST takes effect once."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class KeptAnswer(models.Model):
    """The response to one POST with an Idempotency-Key; `status` is NULL until its transaction commits."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    permissions = models.CharField(
        max_length=64, default="", help_text="SHA-256 of what the user was allowed, hex"
    )
    key = models.CharField(max_length=200)
    request = models.CharField(max_length=64, help_text="SHA-256 of method, path with query, and body, hex")
    status = models.PositiveSmallIntegerField(null=True)
    body = models.BinaryField(null=True, help_text="JSON, encrypted: an answer may hold a token")
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "permissions", "key"], name="answer_once")]
