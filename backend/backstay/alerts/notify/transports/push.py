"""Web push to the devices on which people turned it on. A site with an enabled channel of it allows push.

A delivery of this kind names one device (`push.message`); the channel alone is no address.
"""

from __future__ import annotations

from pydantic import Field

from backstay.alerts.notify.transport import Config, DeliveryFailed, Transport
from backstay.core.alerting.message import Message

KIND = "push"


class PushConfig(Config):
    """Devices on which people turned on push; it carries critical incidents only."""

    contact: str = Field(
        max_length=300,
        pattern=r"^(mailto:[!-~]+@[!-~]+|https://[!-~]+)$",
        description="Whom push services contact about problems: mailto:ADDRESS or an https:// URL",
    )


def send(config: PushConfig, message: Message, chart: bytes | None) -> None:
    """Fails: `push.message.send_to_device` sends to the device that a delivery names."""
    raise DeliveryFailed("A push message needs a device.", permanent=True)


TRANSPORT = Transport(KIND, "Web push", PushConfig, frozenset(), send, is_admins_choice=True)
