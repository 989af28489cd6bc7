"""Health report of an InfiniBand fabric."""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.api.metrics.schemas import FabricCounter
from backstay.core.diagnosis.cables import Action


class ErrorRate(BaseModel):
    """One counter of one port within the two windows."""

    node: str
    node_id: int
    port: str
    metric: str
    title: str
    sentence: str
    short: float = Field(description="Errors within the short window")
    long: float
    short_per_h: float | None = Field(description="Null: the port was not monitored")
    long_per_h: float | None
    url: str


class CableVerdict(BaseModel):
    """One cable that needs attention, with the reasons."""

    link_id: int | None
    name: str
    action: Action
    state: State
    reasons: list[str]
    url: str


class DegradedLink(BaseModel):
    """A port that runs below the width or speed that both ends support."""

    node: str
    node_id: int
    port: str
    width: bool
    speed: bool
    running: str = Field(description="As reported by the sweep: `4X 10.0 Gbps`")
    url: str


class ExpectedCable(BaseModel):
    """A difference between the site file's cable and the evidence."""

    name: str
    state: State
    reported: str
    url: str


class InfinibandHealth(BaseModel):
    """A fabric's health report."""

    fabric: str
    at: datetime
    headline: str
    state: State
    short_s: float = Field(description="Length of the short window, 12 minutes")
    long_s: float = Field(description="Length of the long window, 125 minutes")
    watched_s: float = Field(description="Median monitored time of the ports within the long window")
    subnet_manager: str = Field(description="State of the master subnet manager; empty: not reported")
    devices: int
    absent: list[str]
    silent: list[str]
    ports: int
    degraded: list[DegradedLink]
    errors: list[ErrorRate] = Field(description="The greatest of the long window first, at most 200")
    more_errors: int = Field(0, description="Lesser error rates that are not listed")
    cables: list[CableVerdict]
    differences: list[ExpectedCable]
    counters: list[FabricCounter]
