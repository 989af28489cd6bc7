"""Recordings of devices."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

RecordingState = Literal["asked", "recorded", "failed"]


class RecordingOut(BaseModel):
    """A recording of an SNMP device: what it returned to its collectors, without names and addresses."""

    id: int
    device: str
    node_id: int
    state: RecordingState = Field(description="asked: its agent has not sent the result yet")
    text: str = Field(description="The state as a sentence: why it failed, or what is not whole")
    by: str = Field(description="User who asked for it")
    asked_at: datetime
    ended_at: datetime | None
    expires_at: datetime = Field(description="When the recording is removed")
    objects: int
    bytes: int = Field(description="Size of the file")
    filename: str
    download: str | None = Field(description="Address of the file (snmpsim's format); null: there is none")
