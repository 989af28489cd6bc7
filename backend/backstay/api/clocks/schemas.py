"""Clocks: the offset of each node's clock, its source, and when it was set."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State


class ClockPoint(BaseModel):
    """One look at a clock."""

    at: datetime
    offset_s: float
    error_s: float


class ClockStep(BaseModel):
    """The last time that a clock was seen to have been set."""

    at: datetime
    by_s: float = Field(description="Positive: ahead")
    at_reboot: bool = Field(description="The machine started between the two looks")
    text: str


class ClockIncident(BaseModel):
    """The open incident about a node's clock."""

    id: int
    title: str
    severity: str
    url: str


class ClockOut(BaseModel):
    """One node's clock as one source reports it."""

    node: str
    node_id: int
    source: str = Field(description="agent, hrSystemDate, ps32, date, chrony")
    explanation: str = Field(description="How this source is read and how far it can be trusted")
    against: Literal["backend", "ntp"] = Field(description="What the offset is measured against")
    state: State
    text: str = Field(description="`31 d behind`; `in sync` within the error")
    offset_s: float = Field(description="The clock minus ours")
    error_s: float = Field(description="The truth is no further away than this")
    at: datetime
    age_s: float
    drift_ppm: float | None = Field(
        description="What it gains, in microseconds a second; null: not yet known"
    )
    drift_error_ppm: float | None
    step: ClockStep | None
    recent: list[ClockPoint]
    incident: ClockIncident | None
    url: str
