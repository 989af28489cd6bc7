"""Report of a HIPPI fabric."""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.api.metrics.schemas import FabricCounter


class HippiPort(BaseModel):
    """One port of a HIPPI switch. Rates concern connections requested by the port's own source."""

    node: str
    node_id: int
    port: str
    port_id: int | None
    state: State
    device_state: str = Field(description="Port state as the switch reports it; empty: not reported")
    rejects_ps: float | None = Field(description="Connections refused by the switch; null: not monitored")
    camp_ons_ps: float | None = Field(description="Connections that had to wait for a busy destination")
    overruns_ps: float | None
    url: str


class HippiGateway(BaseModel):
    """One HIPPI-SONET gateway."""

    node: str
    node_id: int
    state: State
    hold_ticks: int | None = Field(description="Hold time h, ticks; 0: unlimited; null: not reported")
    hold_time: str = Field(description="h as text")
    waiting: float | None = Field(
        description="Share of time (0..1) in which remote packets waited for a busy destination"
    )
    blocking_factor_ms: float | None = Field(
        description="Mean wait of such a packet: the cost of a competing connection"
    )
    given_up_ps: float | None = Field(description="Queues discarded per second because the hold time expired")
    refused_ps: float | None = Field(
        description="Connections from its LAN refused per second because its line is down"
    )
    buffer_full_ps: float | None
    stop_requests_ps: float | None
    line: str = Field(description="Fault of its SONET line; empty: none")
    url: str


class HippiReport(BaseModel):
    """A HIPPI fabric's own report."""

    fabric: str
    at: datetime
    headline: str
    state: State
    window_s: float = Field(description="Length of the window of the rates")
    blocking_factor_ms: float | None = Field(description="Largest value of all gateways")
    rejects_ps: float
    camp_ons_ps: float
    ports: list[HippiPort]
    gateways: list[HippiGateway]
    counters: list[FabricCounter]
