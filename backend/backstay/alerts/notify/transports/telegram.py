"""Telegram, by a bot, through Apprise."""

from __future__ import annotations

from pydantic import Field

from backstay.alerts.notify.apprise_process import deliver
from backstay.alerts.notify.transport import Config, Transport
from backstay.core.alerting.message import Message, subject, text

MAX_BODY = 3_000
"""Characters; Telegram takes 4,096 together with the title."""


class TelegramConfig(Config):
    """A bot and the chat that it writes to."""

    token: str = Field(
        max_length=100, pattern=r"^[0-9]+:[A-Za-z0-9_-]+$", repr=False, description="The bot's token"
    )
    chat: str = Field(
        max_length=64,
        pattern=r"^(-?[0-9]+|@[A-Za-z0-9_]+)$",
        description="Id of the chat, or @name of a channel",
    )


def send(config: TelegramConfig, message: Message, chart: bytes | None) -> None:
    """Send text, which Apprise escapes for Telegram's HTML, and the chart as a photo."""
    deliver(
        message,
        url=f"tgram://{config.token}/{config.chat}/",
        plugin="NotifyTelegram",
        title=subject(message),
        body=text(message, MAX_BODY),
        chart=chart,
    )


TRANSPORT = Transport("telegram", "Telegram", TelegramConfig, frozenset({"token"}), send)
