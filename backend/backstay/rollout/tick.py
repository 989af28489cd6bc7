"""What time alone brings about: changes whose nodes fell silent or whose waves may begin, drift, drills.

All timers stand in rows. A tick that is late, lost or done twice changes nothing but the moment.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from django.db import OperationalError
from django.db.models import Q

from backstay.core.model.change import RUNNING
from backstay.rollout import drift, moves
from backstay.rollout.changes.services import execution
from backstay.rollout.drills.services import services
from backstay.rollout.models import Change, PendingNodeReport

log = logging.getLogger(__name__)


def changes_due(now: datetime) -> None:
    """Move every change that is under way, and those of which a node told something after their end."""
    running = Q(state__in=RUNNING) | Q(pk__in=PendingNodeReport.objects.values("change"))
    for change in list(Change.objects.filter(running).order_by("pk").values_list("pk", flat=True)):
        drift.judge(execution.move_on(change, now), now)


DUE: dict[str, Callable[[datetime], None]] = {
    "changes": changes_due,
    "drift": drift.due,
    "moves": moves.due,
    "drills": services.due,
}
"""In this order; one that fails does not keep the others from their turn."""


def tick(now: datetime, due: dict[str, Callable[[datetime], None]] = DUE) -> list[str]:
    """One round; the names of the parts that failed. OperationalError: the database is away."""
    failed = []
    for name, part in due.items():
        try:
            part(now)
        except OperationalError:
            raise
        except Exception:
            log.exception("the tick of %s failed", name)
            failed.append(name)
    return failed
