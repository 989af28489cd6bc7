"""Acknowledgement by the link of a message: everything open that the message lists, in its channel's name."""

from __future__ import annotations

from datetime import datetime

from django.db import OperationalError

from backstay.alerts.flips import NOUNS
from backstay.alerts.incidents import exclusive
from backstay.alerts.models import Flip, Incident
from backstay.alerts.notify.models import Delivery
from backstay.core.errors import Unavailable
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.progress import Phase
from backstay.live import publish
from backstay.telemetry import events

LOCK_WAIT_S = 5.0
BUSY = "The site's incidents are being evaluated. Try again in a moment."


def acknowledging_name(delivery: Delivery) -> str:
    """Who acknowledges by it: the person whose channel it went to, else the channel."""
    channel = delivery.channel
    if channel is not None and channel.person is not None:
        return channel.person.get_username()
    return f"channel {delivery.target}"


def open_incidents(delivery: Delivery) -> list[Incident]:
    """Incidents of the message that are open now, oldest first."""
    rows = Incident.objects.filter(notifications=delivery.notification_id, phase=Phase.OPEN)
    return list(rows.select_related("rule").order_by("opened_at", "pk"))


def acknowledge(delivery: Delivery, now: datetime) -> list[Incident]:
    """Acknowledge what is still open; those incidents. A few statements for any number of them.

    Unavailable while the site's incidents stay locked.
    """
    try:
        return _acknowledge(delivery, now)
    except OperationalError as problem:
        raise Unavailable(BUSY, retry_after_s=LOCK_WAIT_S) from problem


def _acknowledge(delivery: Delivery, now: datetime) -> list[Incident]:
    site, actor = delivery.notification.site, acknowledging_name(delivery)
    comment = f"By the link of a message to {delivery.target}"
    person = delivery.channel.person if delivery.channel is not None else None
    with exclusive(site, LOCK_WAIT_S):
        rows = Incident.objects.filter(notifications=delivery.notification_id, phase=Phase.OPEN)
        taken = list(rows.select_related("rule").select_for_update(of=("self",), no_key=True).order_by("pk"))
        Incident.objects.filter(pk__in=[row.pk for row in taken]).update(
            phase=Phase.ACKNOWLEDGED, acknowledged_by=person, acknowledged_at=now, comment=comment
        )
        Flip.objects.bulk_create(
            Flip(
                incident=row,
                from_phase=Phase.OPEN,
                to_phase=Phase.ACKNOWLEDGED,
                at=now,
                actor=actor[:150],
                comment=comment,
            )
            for row in taken
        )
        events.record_all(site, (_occurrence(row, actor, comment, now) for row in taken))
        if taken:
            publish.changed(site.name, NOUNS)
    return taken


def _occurrence(row: Incident, actor: str, comment: str, now: datetime) -> events.Occurrence:
    return events.Occurrence(
        EventKind.INCIDENT_ACKNOWLEDGED,
        f"{actor} acknowledged: {row.title} ({comment})",
        at=now,
        subject=row.subject,
        severity="ok",
        node_id=row.node_id,
        link_id=row.link_id,
        incident_id=row.pk,
        data={"rule": row.rule.kind},
    )
