"""What the retention rules last did."""

from __future__ import annotations

from django.db import models


class RetentionRun(models.Model):
    """The newest run of one table of `core.retention.RULES`, written at its end."""

    table = models.CharField(max_length=64, unique=True, help_text="A Table.model of core.retention")
    at = models.DateTimeField(help_text="Start of the run")
    removed = models.PositiveBigIntegerField(default=0, help_text="Rows removed by the run")
    removed_total = models.PositiveBigIntegerField(default=0)
    behind_since = models.DateTimeField(
        null=True, help_text="Since when runs leave expired rows; null: the last run left none"
    )
    failing_since = models.DateTimeField(null=True, help_text="Null: the last run did not fail")
    failure = models.CharField(max_length=300, blank=True, help_text="Why the last run failed")
