"""Clocks: the offset of each node's clock, its source, and when it was set."""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.telemetry.selectors.clocks import Against


class ClockPoint(BaseModel):
    """One measurement of a clock."""

    at: datetime
    offset_s: float
    error_s: float


class ClockStep(BaseModel):
    """The last detected step of a clock."""

    at: datetime
    by_s: float = Field(description="Positive: ahead")
    at_reboot: bool = Field(description="The machine booted between the two measurements")
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
    explanation: str = Field(description="How this source is read, and its accuracy")
    against: Against = Field(description="Reference of the offset")
    state: State
    text: str = Field(description="`31 d behind`; `in sync` within the error")
    offset_s: float = Field(description="Offset of the clock from the backend's")
    error_s: float = Field(description="Error bound of the offset")
    at: datetime
    age_s: float
    drift_ppm: float | None = Field(description="Drift, microseconds per second; null: unknown")
    drift_error_ppm: float | None
    step: ClockStep | None
    recent: list[ClockPoint]
    incident: ClockIncident | None
    url: str
