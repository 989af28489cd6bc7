"""Reports of nodes about changes that are not processed yet.

Storing a report needs no lock on its change: when all nodes of a wave report at once, one request processes
all reports and the others return at once.
"""

from __future__ import annotations

from datetime import datetime

from backstay.rollout.models import Change, PendingNodeReport
from backstay.telemetry.facts import ChangeSeen, Facts


def keep(facts: Facts) -> list[int]:
    """Store reports about this site's changes; the ids of these changes."""
    reported = {seen.change for seen in facts.changes}
    known = sorted(Change.objects.filter(pk__in=reported, site_id=facts.site_id).values_list("pk", flat=True))
    rows = [_row(seen, facts.received or seen.at) for seen in facts.changes if seen.change in known]
    PendingNodeReport.objects.bulk_create(rows)
    return known


def _row(seen: ChangeSeen, received: datetime) -> PendingNodeReport:
    values = {name: getattr(seen, name) for name in ChangeSeen.__slots__ if name != "change"}
    return PendingNodeReport(change_id=seen.change, received=received, **values)


def waiting(changes: list[int]) -> list[int]:
    """Those of these changes that have unprocessed reports."""
    return sorted(set(PendingNodeReport.objects.filter(change__in=changes).values_list("change", flat=True)))


def take(change: int) -> tuple[list[ChangeSeen], datetime | None]:
    """Remove and return the reports in order of their time, and when the newest arrived.

    The caller holds the change's lock.
    """
    rows = list(PendingNodeReport.objects.filter(change=change).order_by("at", "pk"))
    PendingNodeReport.objects.filter(pk__in=[row.pk for row in rows]).delete()
    return [_seen(row) for row in rows], max((row.received for row in rows), default=None)


def _seen(row: PendingNodeReport) -> ChangeSeen:
    values = {name: getattr(row, name) for name in ChangeSeen.__slots__ if name != "change"}
    return ChangeSeen(change=row.change_id, **values)
