"""Writes of channels, routes and schedules. What refers to a missing object is refused by field."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, TypeVar
from zoneinfo import ZoneInfo, available_timezones

from django.db import IntegrityError, transaction
from django.db.models import Model
from pydantic import ValidationError

from backstay.accounts import secrets
from backstay.accounts.models import User
from backstay.accounts.services import role_at
from backstay.alerts.notify.models import Channel, NotificationRoute, Schedule
from backstay.alerts.notify.push.vapid import ensure_key
from backstay.alerts.notify.transport import Transport
from backstay.alerts.notify.transports import TRANSPORTS, push
from backstay.alerts.rules import RULES
from backstay.core.errors import Conflict, Refused
from backstay.core.formatting import listing
from backstay.inventory.models import Site
from backstay.live import publish

Row = TypeVar("Row", bound=Model)
Json = dict[str, Any]
MAX_ROWS = 200
"""Channels, routes or schedules of one site."""


@dataclass(frozen=True, slots=True)
class ChannelSpec:
    """A requested channel; `config` may leave out secrets that are stored."""

    name: str
    kind: str
    config: Json
    person: str
    enabled: bool


def transport_of(kind: str) -> Transport:
    """The transport of a kind; Refused if there is none."""
    found = TRANSPORTS.get(kind)
    if found is None:
        expected = f"expected one of {', '.join(sorted(TRANSPORTS))}"
        raise Refused(f"There is no kind of channel {kind!r}: {expected}.", fields={"kind": expected})
    return found


def create_channel(site: Site, spec: ChannelSpec, now: datetime) -> Channel:
    """Conflict if the name is taken."""
    _check_number(Channel, site)
    return _keep_channel(Channel(site=site), spec, now)


def update_channel(channel: Channel, spec: ChannelSpec, now: datetime) -> Channel:
    """Replace the settings; stored secrets stay unless new ones are given or the kind changes."""
    return _keep_channel(channel, spec, now)


def _keep_channel(channel: Channel, spec: ChannelSpec, now: datetime) -> Channel:
    transport = transport_of(spec.kind)
    if spec.kind == push.KIND:
        _prepare_push(channel, spec, now)
    kept = _kept_secrets(channel, transport, spec)
    given = {**kept, **spec.config}
    try:
        valid = transport.config.model_validate(given)
    except ValidationError as problem:
        raise Refused(
            f"The settings of the {transport.label} channel are not valid.",
            fields={_field(error["loc"]): error["msg"] for error in problem.errors(include_input=False)},
        ) from None
    hidden = {name: given[name] for name in sorted(transport.secrets) if given.get(name)}
    channel.name, channel.kind, channel.enabled = spec.name, spec.kind, spec.enabled
    channel.config = valid.model_dump(mode="json", exclude=set(transport.secrets))
    channel.secrets = secrets.encrypt(hidden) if hidden else None
    channel.person = person_of(channel.site, spec.person, "person") if spec.person else None
    channel.changed_at = now
    # The next delivery shows whether it works with its new settings.
    channel.failing_since, channel.failure = None, ""
    return _saved(channel, "channel", spec.name)


def _prepare_push(channel: Channel, spec: ChannelSpec, now: datetime) -> None:
    """Make the server's key pair. Refused for a second push channel of the site, or one of a person."""
    if spec.person:
        expected = "expected no person: each person turns on push on their own devices"
        raise Refused(f"A push channel is everybody's: {expected}.", fields={"person": expected})
    if Channel.objects.filter(site=channel.site, kind=push.KIND).exclude(pk=channel.pk).exists():
        expected = "expected one push channel: it reaches all devices"
        raise Refused(f"{channel.site.name} has a push channel: {expected}.", fields={"kind": expected})
    ensure_key(now)


def _kept_secrets(channel: Channel, transport: Transport, spec: ChannelSpec) -> Json:
    """The stored secrets, if the kind stays. Refused if they cannot be read and none are given instead.

    A lost key must not make a channel unusable for ever: new secrets replace those that nobody can read.
    """
    if channel.kind != spec.kind:
        return {}
    try:
        return secrets.decrypt(channel.secrets)
    except secrets.SecretsUnreadableError:
        if transport.secrets & spec.config.keys():
            return {}
        names = sorted(transport.secrets)
        expected = f"expected {' or '.join(names)}: those that are stored cannot be decrypted"
        raise Refused(
            f"The secrets of {channel.name} cannot be decrypted: give them again, or restore the key in"
            " BACKSTAY_SECRET_KEYS.",
            fields={f"config.{name}": expected for name in names},
        ) from None


def _field(place: Iterable[int | str]) -> str:
    return ".".join(["config", *map(str, place)])


def channel_settings(channel: Channel) -> Any:
    """Its settings with secrets. Raises SecretsUnreadableError, or ValidationError if they are old."""
    given = {**channel.config, **secrets.decrypt(channel.secrets)}
    return transport_of(channel.kind).config.model_validate(given)


def set_secrets(channel: Channel) -> list[str]:
    """Names of the secrets that it has."""
    return sorted(secrets.decrypt(channel.secrets))


def remove_channel(channel: Channel) -> None:
    """Its deliveries stay. Conflict while a route uses it."""
    users = [
        route.name
        for route in NotificationRoute.objects.filter(site=channel.site).order_by("name")
        if any(channel.pk in step["channels"] for step in route.steps)
    ]
    _remove(channel, channel.name, users)


def person_of(site: Site, name: str, field: str) -> User:
    """A person with a role at the site; Refused if there is none."""
    user = User.objects.filter(username=name).first()
    if user is None or role_at(user, site.name) is None:
        expected = f"expected a person who may see {site.name}"
        raise Refused(f"{name} cannot be notified: {expected}.", fields={field: expected})
    return user


def create_route(site: Site, values: Json, now: datetime) -> NotificationRoute:
    """As `update_route`; Conflict if the name is taken."""
    _check_number(NotificationRoute, site)
    return update_route(NotificationRoute(site=site), values, now)


def update_route(route: NotificationRoute, values: Json, now: datetime) -> NotificationRoute:
    """Replace a route. Refused if a kind, channel, schedule or zone does not exist."""
    _check_steps(route.site, values["steps"])
    _check_push(route.site, values)
    unknown = sorted(set(values["matchers"]["kinds"]) - RULES.keys())
    if unknown:
        raise Refused(
            f"There is no rule {unknown[0]!r}.", fields={"matchers.kinds": "expected kinds of rules"}
        )
    check_zone(values["matchers"]["zone"], "matchers.zone")
    for name, value in values.items():
        setattr(route, name, value)
    route.changed_at = now
    return _saved(route, "notification route", route.name)


def _check_steps(site: Site, steps: list[Json]) -> None:
    after = [step["after_s"] for step in steps]
    if not after or after[0] != 0 or any(one >= other for one, other in pairwise(after)):
        expected = "expected steps of growing after_s, the first 0"
        raise Refused(f"The steps are out of order: {expected}.", fields={"steps": expected})
    if any(not step["channels"] and not step["schedules"] for step in steps):
        expected = "expected a channel or a schedule in each step"
        raise Refused(f"A step reaches nobody: {expected}.", fields={"steps": expected})
    for field, model in (("channels", Channel), ("schedules", Schedule)):
        wanted = {ident for step in steps for ident in step[field]}
        known = set(model.objects.filter(site=site, pk__in=wanted).values_list("pk", flat=True))
        if wanted - known:
            expected = f"expected ids of {field} of {site.name}"
            raise Refused(
                f"There is no {field[:-1]} {min(wanted - known)}.", fields={f"steps.{field}": expected}
            )


def _check_push(site: Site, values: Json) -> None:
    """Refused if what is not critical would reach only push, which carries nothing else: that is nobody."""
    pushes = set(Channel.objects.filter(site=site, kind=push.KIND).values_list("pk", flat=True))
    is_critical_only = values["matchers"]["severities"] == ["critical"]
    for step in values["steps"]:
        if not is_critical_only and not step["schedules"] and pushes.issuperset(step["channels"]):
            expected = (
                "expected only critical, or a further channel in the step: push carries critical incidents"
            )
            raise Refused(
                f"Warnings of this route would reach nobody: {expected}.",
                fields={"matchers.severities": expected},
            )


def create_schedule(site: Site, values: Json, now: datetime) -> Schedule:
    """As `update_schedule`; Conflict if the name is taken."""
    _check_number(Schedule, site)
    return update_schedule(Schedule(site=site), values, now)


def update_schedule(schedule: Schedule, values: Json, now: datetime) -> Schedule:
    """Replace a schedule. Refused if a person or the zone does not exist."""
    check_zone(values["zone"], "zone")
    for name in sorted({*values["people"], *(item["person"] for item in values["overrides"])}):
        person_of(schedule.site, name, "people")
    for field, value in values.items():
        setattr(schedule, field, value)
    schedule.changed_at = now
    return _saved(schedule, "schedule", schedule.name)


def remove_schedule(schedule: Schedule) -> None:
    """Conflict while a route uses it."""
    users = [
        route.name
        for route in NotificationRoute.objects.filter(site=schedule.site).order_by("name")
        if any(schedule.pk in step["schedules"] for step in route.steps)
    ]
    _remove(schedule, schedule.name, users)


def remove_route(route: NotificationRoute) -> None:
    """Its messages stay."""
    _remove(route, route.name, ())


def check_zone(name: str, field: str) -> None:
    """Refused unless it is an IANA time zone."""
    if name not in available_timezones():
        expected = "expected an IANA time zone such as Europe/Zurich"
        raise Refused(f"There is no time zone {name!r}: {expected}.", fields={field: expected})
    ZoneInfo(name)


def _remove(row: Channel | Schedule | NotificationRoute, name: str, users: Collection[str]) -> None:
    if users:
        raise Conflict(f"{name} is used by {listing(list(users))}: change the notification routes first.")
    site = row.site.name
    with transaction.atomic():
        row.delete()
        publish.changed(site, NOUNS)


NOUNS = frozenset({"channels", "notification-routes", "schedules", "deliveries"})


def _check_number(model: type[Channel | Schedule | NotificationRoute], site: Site) -> None:
    if model.objects.filter(site=site).count() >= MAX_ROWS:
        raise Refused(f"{site.name} has {MAX_ROWS} of them, which is the most: remove one first.")


def _saved(row: Row, what: str, name: str) -> Row:
    try:
        with transaction.atomic():
            row.save()
            publish.changed(row.site.name, NOUNS)  # type: ignore[attr-defined]  # All three have a site.
    except IntegrityError as problem:
        raise Conflict(f"A {what} {name} already exists: choose another name.") from problem
    return row
