"""Prometheus Alertmanager: `POST /api/v2/alerts`, one alert per incident.

An alert is identified by its labels, so they hold only what does not change while the incident lasts. The
severity may: an alert of the other severity is ended with each message. Alertmanager resolves an alert whose
`endsAt` has passed; `expires_s` is therefore longer than the pause between reminders.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, Field

from backstay.alerts.notify.destinations import web_url
from backstay.alerts.notify.http_post import post_json
from backstay.alerts.notify.transport import Config, Transport
from backstay.core.alerting.external_alert import OWN_LABEL, OWN_VALUE
from backstay.core.alerting.message import (
    MAX_LISTED,
    Message,
    MessageIncident,
    one_line,
    subject,
    web_link,
)

_NOT_A_NAME = re.compile(r"[^a-zA-Z0-9_]")
_SEVERITIES = ("critical", "warning")
_OWN = frozenset({"alertname", "severity", "site", "object", "incident", OWN_LABEL})
TEST_LASTS = timedelta(minutes=1)
_MIN_LENGTH = timedelta(milliseconds=1)
"""An alert must not end before it starts."""


class AlertmanagerConfig(Config):
    """Address of an Alertmanager."""

    url: Annotated[str, AfterValidator(web_url)] = Field(
        description="Where Alertmanager answers, without /api: http://alertmanager:9093"
    )
    token: str = Field(
        "", max_length=1024, pattern=r"^[!-~]*$", repr=False, description="Bearer token; empty: none"
    )
    expires_s: int = Field(
        5 * 3600,
        ge=60,
        le=7 * 86_400,
        description="An alert that is not repeated for so long resolves, seconds",
    )


def alerts(message: Message, expires_s: int) -> list[dict[str, object]]:
    """The alerts of a message, those of other severities as ended; a test is an alert that lasts a minute."""
    if message.reason == "test" or not message.incidents:
        return [_test_alert(message)]
    found = []
    for item in message.incidents[:MAX_LISTED]:
        for severity in dict.fromkeys((one_line(item.severity, 16), *_SEVERITIES)):
            lasts = not item.is_resolved and severity == item.severity
            ends = (
                message.sent_at + timedelta(seconds=expires_s)
                if lasts
                else item.resolved_at or message.sent_at
            )
            found.append(_alert(message, item, severity, ends))
    return found


def _alert(message: Message, item: MessageIncident, severity: str, ends: datetime) -> dict[str, object]:
    own = {
        "alertname": one_line(item.kind, 64),
        "severity": severity,
        "site": one_line(message.site, 64),
        "object": one_line(item.subject),
        "incident": str(item.id),
        OWN_LABEL: OWN_VALUE,
    }
    others = {_label_name(name): one_line(value) for name, value in sorted(item.labels.items())[:32]}
    texts = {
        "summary": one_line(item.title),
        "description": one_line(item.detail, 1000),
        "affected": "; ".join(one_line(effect) for effect in item.effects[:10]),
    }
    return {
        "labels": {name: value for name, value in {**others, **own}.items() if value},
        "annotations": {name: value for name, value in texts.items() if value},
        "startsAt": _time(item.since),
        "endsAt": _time(max(ends, item.since + _MIN_LENGTH)),
        "generatorURL": web_link(item.link),
    }


def _test_alert(message: Message) -> dict[str, object]:
    return {
        "labels": {"alertname": "backstay_test", "severity": "warning", "site": one_line(message.site, 64)}
        | {OWN_LABEL: OWN_VALUE},
        "annotations": {"summary": subject(message)},
        "startsAt": _time(message.sent_at),
        "endsAt": _time(message.sent_at + TEST_LASTS),
        "generatorURL": web_link(message.link),
    }


def _label_name(name: str) -> str:
    """A valid label name; one that is taken, or Prometheus' own (`__`), has `label_` before it."""
    clean = _NOT_A_NAME.sub("_", name)[:100]
    is_free = clean and not clean[0].isdigit() and not clean.startswith("__") and clean not in _OWN
    return clean if is_free else f"label_{clean}"


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def send(config: AlertmanagerConfig, message: Message, chart: bytes | None) -> None:
    """POST the alerts; the message limits their number."""
    headers = {"Authorization": f"Bearer {config.token}"} if config.token else {}
    post_json(f"{config.url.rstrip('/')}/api/v2/alerts", alerts(message, config.expires_s), headers)


TRANSPORT = Transport(
    "alertmanager", "Prometheus Alertmanager", AlertmanagerConfig, frozenset({"token"}), send
)
