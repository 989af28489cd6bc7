"""Deliveries: each message to each channel, with its attempts."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.core.alerting.message import Reason

DeliveryStatus = Literal["queued", "sending", "sent", "failed"]


class DeliveryOut(BaseModel):
    """One message to one channel."""

    id: int
    name: str = Field(description="The message's subject")
    status: DeliveryStatus
    reason: Reason = Field(description="Why the message is sent")
    target: str = Field(description="Name of the channel, and the schedule it was taken from")
    channel_id: int | None = Field(description="null: the channel was deleted, or there was none to send to")
    route: str | None = Field(description="Name of the notification route; null: a test, or it was deleted")
    key: str = Field(description="Idempotency key: the same in every attempt")
    attempts: int
    failure: str = Field(description="Why the newest attempt failed; empty if it did not")
    next_at: datetime | None = Field(description="Next attempt; null once it was sent or failed")
    took_ms: float | None = Field(description="Duration of the newest attempt")
    created_at: datetime
    ended_at: datetime | None
    incidents: int = Field(description="Number of incidents in the message")


class DeliveryDetail(DeliveryOut):
    """A delivery with its message."""

    text: str = Field(description="The message as plain text")
    incident_ids: list[int] = Field(description="Incidents that the message lists and that are still stored")
