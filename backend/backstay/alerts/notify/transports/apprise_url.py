"""Any service that Apprise reaches over HTTP, by its Apprise URL."""

from __future__ import annotations

from pydantic import Field

from backstay.alerts.notify.apprise_process import deliver
from backstay.alerts.notify.transport import Config, Transport
from backstay.core.alerting.message import Message, markdown, subject, text, without_mentions

MAX_BODY = 2_000
"""Characters: few services take more."""


class AppriseConfig(Config):
    """One Apprise URL."""

    url: str = Field(
        max_length=2_000,
        pattern=r"^[a-z][a-z0-9.+-]*://[!-~]+$",
        repr=False,
        description="Apprise URL of a service over HTTP: discord://..., matrixs://..., opsgenie://...",
    )


def send(config: AppriseConfig, message: Message, chart: bytes | None) -> None:
    """Send escaped Markdown or plain text, as the service reads it, and the chart where it takes files."""
    deliver(
        message,
        url=config.url,
        plugin="",
        title=without_mentions(subject(message)),
        body=without_mentions(text(message, MAX_BODY)),
        markdown=markdown(message, MAX_BODY),
        chart=chart,
    )


TRANSPORT = Transport("apprise", "Apprise", AppriseConfig, frozenset({"url"}), send)
