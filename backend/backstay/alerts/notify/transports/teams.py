"""Microsoft Teams, by a workflow ("When a Teams webhook request is received"), through Apprise."""

from __future__ import annotations

from pydantic import Field

from backstay.alerts.notify.apprise_process import deliver
from backstay.alerts.notify.transport import Config, Transport
from backstay.core.alerting.message import Message, escape_markdown, markdown, subject, text

MAX_BODY = 8_000
"""Characters; Teams takes 28 kB for a whole card."""


class TeamsConfig(Config):
    """A workflow's webhook."""

    url: str = Field(
        max_length=1_000,
        pattern=r"^https://[a-z0-9.-]+\.(logic\.azure\.com|powerplatform\.com)(:443)?/[!-~]+$",
        repr=False,
        description="URL of the workflow: https://...logic.azure.com/workflows/...",
    )


def send(config: TeamsConfig, message: Message, chart: bytes | None) -> None:
    """Send an adaptive card with Markdown; images need a public URL, so the chart is left out."""
    deliver(
        message,
        url=config.url,
        plugin="NotifyWorkflows",
        title=escape_markdown(subject(message)),
        body=text(message, MAX_BODY),
        markdown=markdown(message, MAX_BODY),
        body_format="markdown",
    )


TRANSPORT = Transport("teams", "Microsoft Teams", TeamsConfig, frozenset({"url"}), send)
