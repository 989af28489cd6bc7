"""Messages: from incidents to what is stored, and from there to what a channel sends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from urllib.parse import quote

from django.conf import settings
from django.core import signing
from django.db.models import Count

from backstay.alerts.models import Incident
from backstay.alerts.notify.models import Delivery
from backstay.alerts.notify.records import Json, decoded, encoded
from backstay.alerts.rules import RULES
from backstay.alerts.selectors.incidents import SHOWN
from backstay.core.alerting.message import Message, MessageIncident
from backstay.core.formatting import count
from backstay.core.model.progress import Phase

MAX_STORED = 20
"""Incidents that a message lists; the others are counted."""
MAX_EFFECT_KINDS = 5
FLAPPING = 3
"""Openings within the hour from which on an object is called flapping."""
ACKNOWLEDGE_FOR = timedelta(days=7)
"""How long the link in a message acknowledges."""
_SALT = "backstay.alerts.notify.acknowledge"


def content(incidents: Sequence[Incident], openings: Mapping[str, tuple[int, datetime]]) -> Json:
    """What is stored of a message; root causes with the widest effect first, then the worst and oldest.

    The incidents are loaded with rule, node and link. `openings`: fingerprint -> how often it opened within
    the last hour, and since when.
    """
    ordered = sorted(incidents, key=_urgency)
    listed = ordered[:MAX_STORED]
    effects = _effects(listed)
    values = [
        encoded(_message_incident(row, effects.get(row.pk, ()), openings.get(row.fingerprint)))
        for row in listed
    ]
    return {"incidents": values, "more": len(ordered) - len(listed)}


def _urgency(row: Incident) -> tuple[bool, int, bool, datetime, int]:
    return (
        row.phase == Phase.RESOLVED,
        RULES[row.rule.kind].cause_rank,
        row.severity != "critical",
        row.opened_at,
        row.pk,
    )


def _effects(causes: Iterable[Incident]) -> dict[int, tuple[str, ...]]:
    """Incident id -> its effects as counts by kind; one query."""
    rows = Incident.objects.filter(SHOWN, cause__in=[row.pk for row in causes]).order_by()
    counted = rows.values_list("cause_id", "rule__kind").annotate(number=Count("pk"))
    found: dict[int, list[tuple[int, str]]] = {}
    for cause, kind, number in counted:
        found.setdefault(cause, []).append((-number, f"{RULES[kind].title}: {count(number, 'incident')}"))
    return {
        cause: tuple(text for _, text in sorted(texts)[:MAX_EFFECT_KINDS]) for cause, texts in found.items()
    }


def _message_incident(
    row: Incident, effects: tuple[str, ...], openings: tuple[int, datetime] | None
) -> MessageIncident:
    detail = row.detail
    if openings is not None and openings[0] >= FLAPPING:
        detail = f"Flapping: opened {openings[0]} times since {openings[1]:%H:%M} UTC. {detail}"
    labels = {} if row.node is None else {str(key): str(value) for key, value in row.node.labels.items()}
    return MessageIncident(
        id=row.pk,
        title=row.title,
        detail=detail,
        severity=row.severity,
        kind=row.rule.kind,
        subject=row.subject,
        phase=row.phase,
        since=row.opened_at,
        resolved_at=row.resolved_at,
        effects=effects,
        link=absolute(f"/incidents/{row.pk}"),
        labels=labels,
        value=row.value,
        threshold=row.threshold,
    )


def message_of(delivery: Delivery, *, may_acknowledge: bool = True) -> Message:
    """The message of a delivery; its notification and site are loaded."""
    notification = delivery.notification
    incidents = tuple(decoded(values) for values in notification.content["incidents"])
    lasts = any(item.resolved_at is None for item in incidents)
    may_acknowledge = may_acknowledge and lasts and notification.reason not in {"resolved", "test"}
    return Message(
        key=str(delivery.key),
        site=notification.site.name,
        reason=notification.reason,  # type: ignore[arg-type]  # Only `Reason`s are stored.
        incidents=incidents,
        more=notification.content["more"],
        sent_at=notification.created_at,
        link=absolute(f"/incidents?site={quote(notification.site.name)}"),
        acknowledge_link=absolute(f"/acknowledge/{acknowledge_token(delivery)}") if may_acknowledge else "",
    )


def acknowledge_token(delivery: Delivery) -> str:
    """A signed token that acknowledges the incidents of this message, in the name of its channel."""
    return signing.dumps(delivery.pk, salt=_SALT)


def acknowledged_delivery(token: str) -> Delivery | None:
    """The delivery of a valid token; None if it is forged, expired, or its message was removed."""
    try:
        ident = signing.loads(token, salt=_SALT, max_age=ACKNOWLEDGE_FOR)
    except signing.BadSignature:
        return None
    rows = Delivery.objects.select_related("notification__site", "channel__person")
    return rows.filter(pk=ident).first()


def absolute(path: str) -> str:
    """The URL of a page for people; empty without `BACKSTAY_PUBLIC_URL`."""
    base: str = settings.PUBLIC_URL
    return base + path if base else ""
