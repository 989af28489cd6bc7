"""Up to where each device is rolled up."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Min

from backstay.inventory.models import Node


class RollupMark(models.Model):
    """The watermarks of one device; its rows change in the same transaction, so each sample counts once."""

    node = models.OneToOneField(Node, primary_key=True, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField(help_text="Start of the oldest row")
    fine_until = models.DateTimeField(help_text="End of the newest row of 5-minute bins")
    coarse_until = models.DateTimeField(help_text="End of the newest rows of 1 h and 1 d")


def rolled_up_until() -> datetime | None:
    """Up to where the samples of every device are rolled up; None: of no device."""
    until: datetime | None = RollupMark.objects.aggregate(until=Min("fine_until"))["until"]
    return until
