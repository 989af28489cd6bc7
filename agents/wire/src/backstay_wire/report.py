"""Fields of every report: agent process, sequence number, device, time."""

from enum import IntEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from backstay_wire.base import Message, Name

Nanoseconds = Annotated[int, Field(ge=0, lt=2**63)]
"""Nanoseconds since the Unix epoch, by the agent's clock."""


class DeltaOutcome(IntEnum):
    """How a port's deltas of one interval were obtained. The agent decides; the backend does not guess."""

    OK = 0
    WRAPPED = 1
    """A counter wrapped and the delta was corrected for it (RFC 2863 section 3.1.6)."""
    RESET = 2
    """The device restarted or the counter decreased: no value."""
    GAP = 3
    """One or more polls were missed: the deltas span the whole gap."""
    ABSURD = 4
    """More than the port can carry: no value."""
    SATURATED = 5
    """A sticky counter is at its maximum: no value."""
    MISSING = 6
    """The port did not answer this time: no value."""


class ReportBase(Message):
    """Base of every report; (agent, boot, seq) is its key."""

    boot: UUID
    """New each time the agent's process starts; `seq` counts from 1 within it."""
    seq: Annotated[int, Field(ge=1, lt=2**62)]
    device: Name
    """The node that this report describes."""
    at: Nanoseconds
    """When it was observed: the interval's end, or the time of the kernel's event."""
