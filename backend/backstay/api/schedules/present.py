"""On-call schedules for clients."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING

from backstay.alerts.notify.records import rotation
from backstay.api.schedules.schemas import PersonOut, ScheduleOut
from backstay.core.alerting.on_call import next_shifts, on_call

if TYPE_CHECKING:
    from backstay.accounts.models import User
    from backstay.alerts.notify.models import Schedule

SHIFTS = 8


def schedule_out(schedule: Schedule, reachable: Collection[str], now: datetime) -> ScheduleOut:
    """A schedule with its site loaded. `reachable`: people who have an enabled channel there."""
    rotated = rotation(schedule)
    return ScheduleOut.model_validate(
        {
            "id": schedule.pk,
            "name": schedule.name,
            "site": schedule.site.name,
            "people": schedule.people,
            "zone": schedule.zone,
            "starts_on": schedule.starts_on,
            "handover": schedule.handover.isoformat("minutes"),
            "days": schedule.days,
            "restrictions": schedule.restrictions,
            "overrides": schedule.overrides,
            "on_call": on_call(rotated, now),
            "without_channel": sorted(set(schedule.people) - set(reachable)),
            "shifts": [asdict(shift) for shift in next_shifts(rotated, now, SHIFTS)],
            "changed_at": schedule.changed_at,
        }
    )


def person_out(person: User, *, has_channel: bool) -> PersonOut:
    return PersonOut(id=person.pk, name=person.get_username(), has_channel=has_channel)
