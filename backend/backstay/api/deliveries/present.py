"""Deliveries for clients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backstay.alerts.notify.messages import message_of
from backstay.api.deliveries.schemas import DeliveryDetail, DeliveryOut
from backstay.core.alerting import message

if TYPE_CHECKING:
    from backstay.alerts.notify.models import Delivery


def delivery_out(delivery: Delivery) -> DeliveryOut:
    """A delivery with its message, route and channel loaded."""
    return DeliveryOut.model_validate(_fields(delivery))


def delivery_detail(delivery: Delivery) -> DeliveryDetail:
    """A delivery with its message as text, without the link that acknowledges."""
    idents = delivery.notification.incidents.order_by("pk").values_list("pk", flat=True)
    return DeliveryDetail.model_validate(
        {
            **_fields(delivery),
            "text": message.text(message_of(delivery, may_acknowledge=False)),
            "incident_ids": list(idents),
        }
    )


def _fields(delivery: Delivery) -> dict[str, Any]:
    notification = delivery.notification
    content = notification.content
    return {
        "id": delivery.pk,
        "name": message.subject(message_of(delivery, may_acknowledge=False)),
        "status": delivery.status,
        "reason": notification.reason,
        "target": delivery.target,
        "channel_id": delivery.channel_id,
        "route": None if notification.route is None else notification.route.name,
        "key": str(delivery.key),
        "attempts": delivery.attempts,
        "failure": delivery.reason,
        "next_at": None if delivery.ended_at is not None else delivery.next_at,
        "took_ms": delivery.took_ms,
        "created_at": delivery.created_at,
        "ended_at": delivery.ended_at,
        "incidents": len(content["incidents"]) + content["more"],
    }
