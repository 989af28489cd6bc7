"""Holds, as pages show them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from backstay.api.holds.schemas import HoldOut
from backstay.core.model.progress import OPEN_HOLDS
from backstay.policy.holds import describe_hold

if TYPE_CHECKING:
    from backstay.policy.models import Hold


def hold_out(hold: Hold, now: datetime) -> HoldOut:
    """A hold; `hold` has its node loaded."""
    is_open = hold.state in OPEN_HOLDS
    return HoldOut(
        id=hold.pk,
        node=hold.node.name,
        node_id=hold.node_id,
        state=hold.state,
        text=describe_hold(hold, now) if is_open else f"{hold.state}: {hold.detail}",
        origin=hold.origin,
        by=hold.person,
        reason=hold.reason,
        seconds=hold.seconds,
        at=hold.at,
        until=hold.until,
        ended_by=hold.ended_by,
        detail=hold.detail,
        can_end=hold.origin == "backend" and hold.state in {"waiting", "held"},
    )
