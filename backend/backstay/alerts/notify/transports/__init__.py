"""All kinds of channels: one file a kind, one line here."""

from __future__ import annotations

from backstay.alerts.notify.transport import Config, DeliveryFailed, Transport

__all__ = ["TRANSPORTS", "Config", "DeliveryFailed", "Transport"]

TRANSPORTS: dict[str, Transport] = {}
