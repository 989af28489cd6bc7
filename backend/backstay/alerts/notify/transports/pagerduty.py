"""PagerDuty: Events API v2, one event per incident, so that PagerDuty resolves what Backstay resolves.

Apprise's plugin always triggers and sends no `dedup_key` (apprise 1.13): a reminder would be a second
incident there, and nothing would ever resolve.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from backstay.alerts.notify.connection import Deadline
from backstay.alerts.notify.destinations import web_url
from backstay.alerts.notify.http_post import post_json
from backstay.alerts.notify.transport import Config, Transport
from backstay.core.alerting.message import (
    Message,
    MessageIncident,
    incident_payload,
    one_line,
    subject,
    web_link,
)

US = "https://events.pagerduty.com/v2/enqueue"
MAX_EVENTS = 10
"""Incidents of one message that become events: root causes are first."""
MAX_SUMMARY = 1024


class PagerDutyConfig(Config):
    """A service's integration."""

    routing_key: str = Field(
        min_length=1, max_length=100, pattern=r"^[A-Za-z0-9_-]+$", repr=False, description="Integration key"
    )
    url: Annotated[str, AfterValidator(web_url)] = Field(
        US, description="Events API v2; in the EU https://events.eu.pagerduty.com/v2/enqueue"
    )


def events(message: Message) -> list[dict[str, object]]:
    """The events of a message without the routing key; a test triggers and resolves."""
    if message.reason == "test" or not message.incidents:
        trigger = _event(message, None, one_line(message.key, 200), "trigger")
        return [trigger, {**trigger, "event_action": "resolve"}]
    return [
        _event(message, item, f"{one_line(message.site, 64)}/{item.id}", _action(item))
        for item in message.incidents[:MAX_EVENTS]
    ]


def _action(item: MessageIncident) -> str:
    return "resolve" if item.is_resolved else "trigger"


def _event(message: Message, item: MessageIncident | None, key: str, action: str) -> dict[str, object]:
    title = subject(message) if item is None else one_line(item.title)
    severity = "critical" if item is not None and item.severity == "critical" else "warning"
    link = web_link(message.link if item is None else item.link)
    event: dict[str, object] = {
        "event_action": action,
        "dedup_key": f"backstay/{key}"[:255],
        "client": "Backstay",
        "client_url": web_link(message.link),
        "payload": {
            "summary": f"{one_line(message.site, 64)}: {title}"[:MAX_SUMMARY],
            "source": one_line(message.site if item is None else item.subject),
            "severity": "info" if item is None else severity,
            "component": "test" if item is None else one_line(item.kind, 64),
            "group": one_line(message.site, 64),
            "custom_details": {} if item is None else incident_payload(item),
        },
    }
    return event | ({"links": [{"href": link, "text": "Open in Backstay"}]} if link else {})


def send(config: PagerDutyConfig, message: Message, chart: bytes | None) -> None:
    """Send the events in order; the receiver drops what it knows by `dedup_key`, so a retry repeats all."""
    deadline = Deadline()
    for event in events(message):
        post_json(config.url, {"routing_key": config.routing_key, **event}, deadline=deadline)


TRANSPORT = Transport("pagerduty", "PagerDuty", PagerDutyConfig, frozenset({"routing_key"}), send)
