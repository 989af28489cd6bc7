"""Channels for clients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backstay.accounts.secrets import SecretsUnreadableError
from backstay.alerts.notify.services import set_secrets
from backstay.alerts.notify.transports import TRANSPORTS
from backstay.api.channels.schemas import ChannelOut

if TYPE_CHECKING:
    from backstay.alerts.notify.models import Channel

UNREADABLE = "Its secrets cannot be decrypted: give them again, or restore the key in BACKSTAY_SECRET_KEYS."


def channel_out(channel: Channel) -> ChannelOut:
    """A channel with its site and person loaded, and `waiting` counted."""
    transport = TRANSPORTS.get(channel.kind)
    try:
        secrets, unreadable = set_secrets(channel), ""
    except SecretsUnreadableError:
        secrets, unreadable = [], UNREADABLE
    values: dict[str, Any] = {
        "id": channel.pk,
        "name": channel.name,
        "site": channel.site.name,
        "kind": channel.kind,
        "label": channel.kind if transport is None else transport.label,
        "config": channel.config,
        "secrets": secrets,
        "person": "" if channel.person is None else channel.person.get_username(),
        "enabled": channel.enabled,
        "failure": unreadable or channel.failure,
        "worked_at": channel.worked_at,
        "waiting": getattr(channel, "waiting", 0),
    }
    return ChannelOut.model_validate(values | _state(channel, is_unreadable=bool(unreadable)))


def _state(channel: Channel, *, is_unreadable: bool) -> dict[str, object]:
    if not channel.enabled:
        return {"state": "disabled", "since": channel.changed_at}
    if channel.failing_since is not None or is_unreadable:
        return {"state": "failing", "since": channel.failing_since or channel.changed_at}
    if channel.worked_at is None or channel.worked_at < channel.changed_at:
        return {"state": "untried", "since": channel.changed_at}
    return {"state": "ok", "since": channel.worked_at}
