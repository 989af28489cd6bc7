"""The public API's shapes of devices' own figures, and of the reports that are made of them.

Conventions are those of `schemas`. Text from devices is data: a client shows it and never interprets it.
"""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.api.metrics.schemas import FabricCounter


class HippiPort(BaseModel):
    """One port of a HIPPI switch. Rates are of what the port's own source asked for."""

    node: str
    node_id: int
    port: str
    port_id: int | None
    state: State
    device_state: str = Field(description="Port state as the switch reports it; empty: not reported")
    rejects_ps: float | None = Field(description="Connections that the switch refused; null: not watched")
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
        description="0..1 of the time in which packets from afar waited for a busy destination"
    )
    blocking_factor_ms: float | None = Field(
        description="Mean time that such a packet waited: what a competing connection costs it"
    )
    given_up_ps: float | None = Field(description="Hold time ran out; what was queued was thrown away")
    refused_ps: float | None = Field(description="Connections from its LAN refused: its line is down")
    buffer_full_ps: float | None
    stop_requests_ps: float | None
    line: str = Field(description="What is wrong with its SONET line; empty: nothing")
    url: str


class HippiReport(BaseModel):
    """A HIPPI fabric's own report."""

    fabric: str
    at: datetime
    headline: str
    state: State
    window_s: float = Field(description="Rates are over this last while")
    blocking_factor_ms: float | None = Field(description="The greatest of the gateways")
    rejects_ps: float
    camp_ons_ps: float
    ports: list[HippiPort]
    gateways: list[HippiGateway]
    counters: list[FabricCounter]
