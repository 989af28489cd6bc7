"""Up to where each device is rolled up."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import models
from django.db.models import Min

from backstay.inventory.models import Node


class Watermark(models.Model):
    """The watermarks of one device; its rows change in the same transaction, so each sample counts once."""

    node = models.OneToOneField(Node, primary_key=True, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField(help_text="Start of the oldest row")
    fine_until = models.DateTimeField(help_text="End of the newest row of 5-minute bins")
    coarse_until = models.DateTimeField(help_text="End of the newest rows of 1 h and 1 d")

    class Meta:
        abstract = True


class RollupMark(Watermark):
    """Of port samples."""


class MetricRollupMark(Watermark):
    """Of device metrics: they began later, and a failure in one stops not the other."""


MARKS: tuple[type[RollupMark | MetricRollupMark], ...] = (RollupMark, MetricRollupMark)


def rolled_up_until() -> datetime | None:
    """Up to where the samples and metrics of every device are rolled up; None: nothing is."""
    found = [marks.objects.aggregate(until=Min("fine_until"))["until"] for marks in MARKS]
    known = [until for until in found if until is not None]
    # After an upgrade, the devices get the marks of a new kind in its first round.
    return None if not known else min(known) if len(known) == len(found) else datetime.min.replace(tzinfo=UTC)
