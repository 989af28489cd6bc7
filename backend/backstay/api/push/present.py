"""Devices for clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backstay.api.push.schemas import PushDeviceOut

if TYPE_CHECKING:
    from backstay.alerts.notify.models import PushDevice


def device_out(device: PushDevice) -> PushDeviceOut:
    """Without endpoint and keys."""
    return PushDeviceOut(
        id=device.pk,
        label=device.label,
        service=device.service,
        digest=device.digest,
        created_at=device.created_at,
        delivered_at=device.delivered_at,
        failing_since=device.failing_since,
        failure=device.failure,
    )
