"""What nodes told of changes and nobody has acted on yet.

A report is stored without waiting for whoever moves its change: while one wave's nodes tell, all at once, one
of the requests moves the change on by all that came, and the others have been answered already.
"""

from __future__ import annotations

from datetime import datetime

from backstay.rollout.models import Change, PendingNodeReport
from backstay.telemetry.facts import ChangeSeen, Facts


def keep(facts: Facts) -> list[int]:
    """Store what was told of this site's changes; which changes that is about."""
    reported = {seen.change for seen in facts.changes}
    known = sorted(Change.objects.filter(pk__in=reported, site_id=facts.site_id).values_list("pk", flat=True))
    rows = [_row(seen, facts.received or seen.at) for seen in facts.changes if seen.change in known]
    PendingNodeReport.objects.bulk_create(rows)
    return known


def _row(seen: ChangeSeen, received: datetime) -> PendingNodeReport:
    values = {name: getattr(seen, name) for name in ChangeSeen.__slots__ if name != "change"}
    return PendingNodeReport(change_id=seen.change, received=received, **values)


def waiting(changes: list[int]) -> list[int]:
    """Those of which something was told and not acted on."""
    return sorted(set(PendingNodeReport.objects.filter(change__in=changes).values_list("change", flat=True)))


def take(change: int) -> tuple[list[ChangeSeen], datetime | None]:
    """What was told, in the order in which it happened, and when the newest of it came; it is told no more.

    For whoever holds the change's lock.
    """
    rows = list(PendingNodeReport.objects.filter(change=change).order_by("at", "pk"))
    PendingNodeReport.objects.filter(pk__in=[row.pk for row in rows]).delete()
    return [_seen(row) for row in rows], max((row.received for row in rows), default=None)


def _seen(row: PendingNodeReport) -> ChangeSeen:
    values = {name: getattr(row, name) for name in ChangeSeen.__slots__ if name != "change"}
    return ChangeSeen(change=row.change_id, **values)
