"""Holds: an operator's own routes stay on a node; the checker neither restores them nor fails over."""

from typing import Annotated, Literal

from pydantic import Field

from backstay_wire.base import Message, Name, Text
from backstay_wire.report import Nanoseconds, ReportBase

MAX_HOLD_S = 86_400.0
"""Longest hold, seconds."""
HoldSeconds = Annotated[float, Field(gt=0, le=MAX_HOLD_S)]


class NodeHold(Message):
    """A hold that the backend assigns; one that disappears ends at once."""

    id: Name
    by: Name
    reason: Text = ""
    seconds: HoldSeconds
    """Counted by the agent from the moment it accepts the hold (CLOCK_BOOTTIME): no clock can extend it."""


class HoldReport(ReportBase):
    """A hold began or ended on this node; repeated each minute while it lasts."""

    kind: Literal["hold"] = "hold"
    hold: Name
    """`NodeHold.id`, or the node's own id of a hold that was set there."""
    origin: Literal["backend", "node"]
    by: Name
    """Who set it: a person, or a user of this host."""
    reason: Text = ""
    state: Literal["held", "ended"]
    seconds: HoldSeconds
    began: Nanoseconds
    until: Nanoseconds
    """When it ends, or when it ended."""
    detail: Text = ""
    """Held: what continues in spite of the hold. Ended: why."""
