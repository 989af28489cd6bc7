"""ntfy, its public server or one's own, through Apprise."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from backstay.alerts.notify.apprise_process import deliver
from backstay.alerts.notify.destinations import split_url, web_url
from backstay.alerts.notify.transport import Config, Transport
from backstay.core.alerting.message import Message, subject, text

MAX_BODY = 3_000
"""Characters; a server makes a file of what exceeds 4,096 octets."""


class NtfyConfig(Config):
    """A topic of a server."""

    server: Annotated[str, AfterValidator(web_url)] = Field(
        "https://ntfy.sh", description="URL without a path"
    )
    topic: str = Field(
        min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$", description="Name of the topic"
    )
    token: str = Field(
        "",
        max_length=100,
        pattern=r"^(tk_[A-Za-z0-9]+)?$",
        repr=False,
        description="Access token; empty: none",
    )


def apprise_url(config: NtfyConfig) -> str:
    """`ntfys://TOKEN@HOST/TOPIC?auth=token&mode=private`: any server, ntfy.sh included."""
    parts = split_url(config.server)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    where = f"{host}:{parts.port}" if parts.port else host
    scheme = "ntfys" if parts.scheme == "https" else "ntfy"
    who, auth = (f"{config.token}@", "&auth=token") if config.token else ("", "")
    return f"{scheme}://{who}{where}/{config.topic}?mode=private{auth}"


def send(config: NtfyConfig, message: Message, chart: bytes | None) -> None:
    """Send text. The chart is left out: with a file, ntfy takes the text in the URL."""
    body = text(message, MAX_BODY)
    url = apprise_url(config)
    deliver(message, url=url, plugin="NotifyNtfy", title=subject(message), body=body, body_format="text")


TRANSPORT = Transport("ntfy", "ntfy", NtfyConfig, frozenset({"token"}), send)
