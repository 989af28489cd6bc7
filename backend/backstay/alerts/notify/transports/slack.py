"""Slack, by an incoming webhook, through Apprise."""

from __future__ import annotations

from pydantic import Field

from backstay.alerts.notify.apprise_process import deliver
from backstay.alerts.notify.transport import Config, Transport
from backstay.core.alerting.message import Message, subject, text

MAX_BODY = 4_000
"""Characters; Slack folds longer attachments."""


class SlackConfig(Config):
    """An incoming webhook."""

    url: str = Field(
        max_length=500,
        pattern=r"^https://hooks\.slack(-gov)?\.com/services/[A-Za-z0-9/]+$",
        repr=False,
        description="URL of the incoming webhook: https://hooks.slack.com/services/...",
    )


def escaped(value: str) -> str:
    """Text in which Slack finds no mention and no link: it reads them between `<` and `>`."""
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def send(config: SlackConfig, message: Message, chart: bytes | None) -> None:
    """Send plain text, whose title Apprise escapes; the webhook takes no files, so the chart is left out."""
    body = escaped(text(message, MAX_BODY))
    deliver(
        message,
        url=config.url,
        plugin="NotifySlack",
        title=subject(message),
        body=body,
        body_format="text",
    )


TRANSPORT = Transport("slack", "Slack", SlackConfig, frozenset({"url"}), send)
