"""All kinds of channels: one file a kind, one line here."""

from __future__ import annotations

from backstay.alerts.notify.transport import Config, DeliveryFailed, Transport
from backstay.alerts.notify.transports import (
    alertmanager,
    apprise_url,
    mail,
    ntfy,
    pagerduty,
    push,
    slack,
    teams,
    telegram,
    webhook,
)

__all__ = ["TRANSPORTS", "Config", "DeliveryFailed", "Transport"]

TRANSPORTS: dict[str, Transport] = {
    transport.kind: transport
    for transport in (
        mail.TRANSPORT,
        webhook.TRANSPORT,
        slack.TRANSPORT,
        teams.TRANSPORT,
        telegram.TRANSPORT,
        ntfy.TRANSPORT,
        pagerduty.TRANSPORT,
        alertmanager.TRANSPORT,
        push.TRANSPORT,
        apprise_url.TRANSPORT,
    )
}
