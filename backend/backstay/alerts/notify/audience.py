"""Who gets a message: the channels of its steps, and those of the people on call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from backstay.alerts.notify.models import Channel, NotificationRoute, PushDevice, Schedule
from backstay.alerts.notify.push.devices import devices_at, reported_to, target_name
from backstay.alerts.notify.records import rotation
from backstay.alerts.notify.transports import push
from backstay.core.alerting.message_groups import PlannedMessage
from backstay.core.alerting.on_call import on_call
from backstay.inventory.models import Site

CHANNEL_FAILED_KIND = "channel_failed"
"""Kind of the rule about channels; the fingerprints of its incidents end with the channel's id."""
MAX_SINGLE = 5
"""Incidents of one message that a device gets one by one; more are one notification."""
MAX_LINKED = 1000
"""Incidents of one message that are linked to it."""


@dataclass(frozen=True, slots=True)
class Target:
    """A channel that gets a message; without one, why nobody gets it."""

    channel_id: int | None
    name: str
    problem: str = ""
    device_id: int | None = None
    """Of a push channel: which device."""


@dataclass(frozen=True, slots=True)
class AudienceIncident:
    """What decides who gets an incident of a message."""

    id: int
    kind: str
    """Of its rule."""
    severity: str
    is_resolved: bool


class Audience:
    """Channels, people on call and push devices of a site at one time; four queries."""

    def __init__(self, site: Site, routes: Iterable[NotificationRoute], now: datetime) -> None:
        channels = list(
            Channel.objects.filter(site=site, enabled=True).select_related("person").order_by("pk")
        )
        self._site = site
        self._channels = {channel.pk: channel for channel in channels}
        self._push = {channel.pk for channel in channels if channel.kind == push.KIND}
        self._own: dict[str, list[Channel]] = {}
        for channel in channels:
            if channel.person is not None and channel.person.is_active:
                self._own.setdefault(channel.person.get_username(), []).append(channel)
        wanted = {ident for route in routes for step in route.steps for ident in step["schedules"]}
        rows = Schedule.objects.filter(site=site, pk__in=wanted) if wanted else Schedule.objects.none()
        self._on_call = {row.pk: (row.name, on_call(rotation(row), now)) for row in rows}

    @cached_property
    def _devices(self) -> list[PushDevice]:
        return devices_at(self._site)

    def of(
        self, route: NotificationRoute, message: PlannedMessage, incidents: Mapping[str, AudienceIncident]
    ) -> list[tuple[frozenset[str], list[Target]]]:
        """(keys, targets that get exactly these). `incidents`: by key.

        An incident about a channel never goes through it; if nothing else is left of the route, it goes
        through every other channel of the site that is nobody's own. A push channel stands for the devices
        of everybody who may see the site; they get critical incidents, one message each.
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
        self._redirect(keys, names, {key: item.kind for key, item in incidents.items()}, message.keys)
        grouped: dict[frozenset[str], list[Target]] = {}
        for channel, mine in sorted(keys.items()):
            if channel in self._push:
                self._add_devices(grouped, channel, route, {key: incidents[key] for key in mine})
            elif mine:
                grouped.setdefault(frozenset(mine), []).append(Target(channel, names[channel]))
        missed = frozenset(message.keys)
        if not grouped and keys.keys() & self._push:
            # Nobody got the opening on a device, so nobody waits for the end.
            nobody = f"Nobody who may see {self._site.name} has turned on push."
            problems = problems or (
                [] if message.reason == "resolved" else [Target(None, route.name, nobody)]
            )
        elif not grouped:
            none = Target(None, route.name, "None of the route's channels can be used: check its steps.")
            problems = problems or [none]
        if problems:
            grouped.setdefault(missed, []).extend(problems)
        return list(grouped.items())

    def _add_devices(
        self,
        grouped: dict[frozenset[str], list[Target]],
        channel: int,
        route: NotificationRoute,
        incidents: Mapping[str, AudienceIncident],
    ) -> None:
        """Add what each device gets: critical incidents, and the end of those that were sent to it."""
        name = self._channels[channel].name
        known = reported_to(self._devices, route, {item.id for item in incidents.values()})
        for device in self._devices:
            sent = known.get(device.pk, set())
            mine = [
                key
                for key, item in sorted(incidents.items())
                if (item.id in sent if item.is_resolved else item.severity == "critical")
            ]
            target = Target(channel, target_name(name, device), device_id=device.pk)
            alone = [frozenset({key}) for key in mine]
            for part in alone if len(mine) <= MAX_SINGLE else [frozenset(mine)]:
                grouped.setdefault(part, []).append(target)

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
                if ident != failed and channel.person is None and ident not in self._push:
                    names.setdefault(ident, channel.name)
                    keys.setdefault(ident, set()).add(key)
