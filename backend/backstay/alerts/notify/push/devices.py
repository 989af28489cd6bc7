"""Devices on which people turned on push: reads and writes."""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from backstay.accounts import secrets
from backstay.accounts.models import User
from backstay.accounts.selectors import people_at
from backstay.alerts.notify.connection import current_policy
from backstay.alerts.notify.destinations import DestinationPolicy, split_url
from backstay.alerts.notify.models import Channel, Delivery, NotificationRoute, PushDevice
from backstay.alerts.notify.push.encryption import AUTH_OCTETS, device_key
from backstay.alerts.notify.push.vapid import decoded
from backstay.alerts.notify.transports.push import KIND
from backstay.core.alerting.message import one_line
from backstay.core.errors import Refused
from backstay.inventory.models import Site

MAX_DEVICES = 10
"""Of one person."""
MAX_LABEL = 100


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a browser's `PushSubscription` holds: the push service's URL, and keys as base64url."""

    endpoint: str
    p256dh: str
    auth: str


def strict_policy() -> DestinationPolicy:
    """The policy for endpoints: any viewer can register one, so it never reaches a private address."""
    known = current_policy()
    return DestinationPolicy(known.allowed, True, known.own)


def push_channel(site: Site) -> Channel | None:
    """The enabled channel by which the site allows push."""
    return Channel.objects.filter(site=site, kind=KIND, enabled=True).order_by("pk").first()


def is_routed(channel: Channel) -> bool:
    """Whether an enabled route of its site uses the channel."""
    routes = NotificationRoute.objects.filter(site=channel.site, enabled=True).values_list("steps", flat=True)
    return any(channel.pk in step["channels"] for steps in routes for step in steps)


def devices_of(person: User, text: str | None = None) -> QuerySet[PushDevice]:
    """A person's devices."""
    rows = PushDevice.objects.filter(person=person)
    return rows.filter(label__icontains=text) if text else rows


def devices_at(site: Site) -> list[PushDevice]:
    """Devices of the people who may see the site now, with their person; one query."""
    rows = PushDevice.objects.filter(person__in=people_at(site.name))
    return list(rows.select_related("person").defer("secrets").order_by("pk"))


def target_name(channel: str, device: PushDevice) -> str:
    """Of a delivery to the device, whose person is loaded."""
    return one_line(f"{channel}: {device.label} ({device.person.get_username()})")


def may_receive(device: PushDevice, site: Site) -> bool:
    """Whether its person may still see the site."""
    return people_at(site.name).filter(pk=device.person_id).exists()


def reported_to(
    devices: Collection[PushDevice], route: NotificationRoute, incidents: Collection[int]
) -> dict[int, set[int]]:
    """Device id -> ids of the incidents of which the route's messages reached it or wait; one query."""
    rows = Delivery.objects.filter(
        device__in=devices, notification__route=route, notification__incidents__in=incidents
    ).exclude(status="failed")
    found: dict[int, set[int]] = {}
    for device, incident in rows.values_list("device_id", "notification__incidents").distinct():
        if device is not None and incident in incidents:
            found.setdefault(device, set()).add(incident)
    return found


@transaction.atomic
def add_device(person: User, label: str, subscription: Subscription, now: datetime) -> PushDevice:
    """Store a browser's subscription. Refused if it is invalid, or the person has `MAX_DEVICES`.

    A subscription that is known gets its new owner and label: the browser has only one.
    """
    service = _checked(subscription)
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    digest = hashlib.sha256(subscription.endpoint.encode()).hexdigest()
    others = PushDevice.objects.filter(person=person).exclude(digest=digest)
    if others.count() >= MAX_DEVICES:
        raise Refused(f"You have {MAX_DEVICES} devices, which is the most: remove one first.")
    hidden = secrets.encrypt(
        {"endpoint": subscription.endpoint, "p256dh": subscription.p256dh, "auth": subscription.auth}
    )
    device, _ = PushDevice.objects.update_or_create(
        digest=digest,
        defaults={
            "person": person,
            "label": one_line(label, MAX_LABEL) or "Browser",
            "service": service,
            "secrets": hidden,
            "created_at": now,
            "delivered_at": None,
            "failing_since": None,
            "failure": "",
        },
    )
    return device


def remove_device(person: User, ident: int) -> bool:
    """Delete a device of the person; False if there is none."""
    return bool(PushDevice.objects.filter(person=person, pk=ident).delete()[0])


def subscription_of(device: PushDevice) -> Subscription:
    """Raises SecretsUnreadableError."""
    hidden = secrets.decrypt(device.secrets)
    return Subscription(str(hidden["endpoint"]), str(hidden["p256dh"]), str(hidden["auth"]))


def _checked(subscription: Subscription) -> str:
    """The push service's host; Refused by field."""
    _field("p256dh", "a public key on P-256 as base64url", lambda: device_key(decoded(subscription.p256dh)))
    _field("auth", f"{AUTH_OCTETS} octets as base64url", lambda: _check_auth(subscription.auth))
    host: list[str] = []
    _field("endpoint", "an https:// URL of a push service", lambda: host.append(_host(subscription.endpoint)))
    return host[0]


def _check_auth(text: str) -> None:
    if len(decoded(text)) != AUTH_OCTETS:
        raise ValueError


def _host(endpoint: str) -> str:
    """The host; ValueError. A name is checked when it is resolved, with each message."""
    parts = split_url(endpoint)
    host = parts.hostname or ""
    if parts.scheme != "https":
        raise ValueError
    try:
        address = str(ipaddress.ip_address(host))
    except ValueError:
        return host
    if why := strict_policy().refusal(address, parts.port or 443):
        raise ValueError(why)
    return host


def _field(name: str, expected: str, check: Callable[[], object]) -> None:
    try:
        check()
    except ValueError:
        raise Refused(
            f"The subscription's {name} is not valid: expected {expected}.",
            fields={name: f"expected {expected}"},
        ) from None
