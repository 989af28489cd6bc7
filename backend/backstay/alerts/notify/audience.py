"""Who gets a message: the channels of its steps, and those of the people on call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from backstay.alerts.notify.models import Channel, NotificationRoute, Schedule
from backstay.alerts.notify.records import rotation
from backstay.core.alerting.message_groups import PlannedMessage
from backstay.core.alerting.on_call import on_call
from backstay.inventory.models import Site

CHANNEL_FAILED_KIND = "channel_failed"
"""Kind of the rule about channels; the fingerprints of its incidents end with the channel's id."""
MAX_LINKED = 1000
"""Incidents of one message that are linked to it."""


@dataclass(frozen=True, slots=True)
class Target:
    """A channel that gets a message; without one, why nobody gets it."""

    channel_id: int | None
    name: str
    problem: str = ""


class Audience:
    """Channels and people on call of a site at one time; three queries."""

    def __init__(self, site: Site, routes: Iterable[NotificationRoute], now: datetime) -> None:
        channels = list(
            Channel.objects.filter(site=site, enabled=True).select_related("person").order_by("pk")
        )
        self._channels = {channel.pk: channel for channel in channels}
        self._own: dict[str, list[Channel]] = {}
        for channel in channels:
            if channel.person is not None and channel.person.is_active:
                self._own.setdefault(channel.person.get_username(), []).append(channel)
        wanted = {ident for route in routes for step in route.steps for ident in step["schedules"]}
        rows = Schedule.objects.filter(site=site, pk__in=wanted) if wanted else Schedule.objects.none()
        self._on_call = {row.pk: (row.name, on_call(rotation(row), now)) for row in rows}

    def of(
        self, route: NotificationRoute, message: PlannedMessage, kinds: Mapping[str, str]
    ) -> list[tuple[frozenset[str], list[Target]]]:
        """(keys, targets that get exactly these). `kinds`: key -> kind of its rule.

        An incident about a channel never goes through it; if nothing else is left of the route, it goes
        through every other channel of the site that is nobody's own.
        """
        keys: dict[int, set[str]] = {}
        names: dict[int, str] = {}
        problems: list[Target] = []
        for step, of_step in message.steps:
            if step >= len(route.steps):
                continue
            for target in self._targets(route.steps[step]):
                if target.channel_id is None:
                    problems.append(target)
                else:
                    names.setdefault(target.channel_id, target.name)
                    keys.setdefault(target.channel_id, set()).update(of_step)
        self._redirect(keys, names, kinds, message.keys)
        grouped: dict[frozenset[str], list[Target]] = {}
        for channel, mine in sorted(keys.items()):
            if mine:
                grouped.setdefault(frozenset(mine), []).append(Target(channel, names[channel]))
        missed = frozenset(message.keys)
        if not grouped:
            none = Target(None, route.name, "None of the route's channels can be used: check its steps.")
            problems = problems or [none]
        if problems:
            grouped.setdefault(missed, []).extend(problems)
        return list(grouped.items())

    def _targets(self, step: Mapping[str, Sequence[int]]) -> Iterable[Target]:
        for ident in step["channels"]:
            if ident in self._channels:
                yield Target(ident, self._channels[ident].name)
        for ident in step["schedules"]:
            yield from self._people(ident)

    def _people(self, ident: int) -> Iterable[Target]:
        name, person = self._on_call.get(ident, (f"schedule {ident}", None))
        if person is None:
            yield Target(None, name, f"Nobody is on call in the schedule {name}.")
        elif not self._own.get(person):
            yield Target(None, f"{name}: {person}", f"{person} is on call and has no enabled channel.")
        else:
            for channel in self._own[person]:
                yield Target(channel.pk, f"{channel.name} ({name}: {person})")

    def _redirect(
        self,
        keys: dict[int, set[str]],
        names: dict[int, str],
        kinds: Mapping[str, str],
        about: Sequence[str],
    ) -> None:
        """Take incidents about a channel out of what it gets."""
        for key in about:
            if kinds.get(key) != CHANNEL_FAILED_KIND:
                continue
            failed = int(key.rpartition(":")[2])
            if failed in keys:
                keys[failed].discard(key)
            if any(key in mine for mine in keys.values()):
                continue
            for ident, channel in self._channels.items():
                if ident != failed and channel.person is None:
                    names.setdefault(ident, channel.name)
                    keys.setdefault(ident, set()).add(key)
