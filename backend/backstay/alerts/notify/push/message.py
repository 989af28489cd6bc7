"""One push message to one device: permission, encryption, and the request to its push service (RFC 8030)."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime

from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone

from backstay.alerts.notify.http_post import accepted, post
from backstay.alerts.notify.messages import message_of
from backstay.alerts.notify.models import Delivery, PushDevice
from backstay.alerts.notify.push import vapid
from backstay.alerts.notify.push.devices import may_receive, strict_policy, subscription_of
from backstay.alerts.notify.push.encryption import encrypt
from backstay.alerts.notify.transport import DeliveryFailed, RecipientLost
from backstay.alerts.notify.transports.push import PushConfig
from backstay.core.alerting.message import Message, one_line
from backstay.core.alerting.push_payload import push_payload

TTL_S = 86_400
"""How long a push service keeps the message for a device that is off."""
_ENDED = frozenset({404, 410})
"""The subscription does not exist any more (RFC 8030, 7.3)."""


def send_to_device(config: PushConfig, delivery: Delivery) -> None:
    """Send the delivery's message; DeliveryFailed. A device whose subscription has ended is deleted.

    Raises SecretsUnreadableError.
    """
    device = delivery.device
    if device is None:
        raise RecipientLost("The device was removed.")
    # A message may wait for half an hour: the person may have lost the role since.
    if not may_receive(device, delivery.notification.site):
        raise RecipientLost("The device's person may not see the site any more.")
    subscription = subscription_of(device)
    message = message_of(delivery, may_acknowledge=False)
    payload = json.dumps(push_payload(message), ensure_ascii=False, separators=(",", ":")).encode()
    keys = vapid.decoded(subscription.p256dh), vapid.decoded(subscription.auth)
    headers = {
        "Authorization": vapid.authorization(subscription.endpoint, config.contact, timezone.now()),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(TTL_S),
        "Urgency": "high",
        "Topic": topic(message),
    }
    reply = post(subscription.endpoint, encrypt(payload, *keys), headers, policy=strict_policy())
    if reply.status in _ENDED:
        PushDevice.objects.filter(pk=device.pk).delete()
        raise RecipientLost(f"The push service reports that the subscription has ended ({reply.status}).")
    accepted(reply)


def topic(message: Message) -> str:
    """A waiting message is replaced by a newer one of the same topic: 32 characters (RFC 8030, 5.4).

    A digest, because the push service reads it.
    """
    text = f"{message.site}/{push_payload(message)['tag']}"
    return vapid.encoded(hashlib.sha256(text.encode()).digest())[:32]


def note_success(device: PushDevice, at: datetime) -> None:
    """Store that the device's push service accepted a message."""
    PushDevice.objects.filter(pk=device.pk).update(delivered_at=at, failing_since=None, failure="")


def note_failure(device: PushDevice, failed: DeliveryFailed, now: datetime) -> bool:
    """Store the failure; whether no device is known to work, so that the channel itself may be at fault.

    One endpoint, which any viewer can register, never makes a channel that reaches others count as failing.
    """
    rows = PushDevice.objects.filter(pk=device.pk)
    rows.update(failing_since=Coalesce(F("failing_since"), now), failure=one_line(failed.reason))
    return not PushDevice.objects.filter(failing_since=None, delivered_at__isnull=False).exists()
