"""Ports."""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.api.links.schemas import CapacityStepOut, HistoryGapOut
from backstay.core.model.state import Carrier
from backstay.core.rollups.levels import SourceName


class PortOut(BaseModel):
    """One attachment of a node to a fabric."""

    id: int
    name: str
    kind: str = Field(description="The fabric's technology, or `management`")
    node: str
    node_id: int
    fabric: str | None
    link_id: int | None
    state: State
    state_text: str
    carrier: Carrier
    since: datetime | None
    age_s: float | None
    if_type: int
    speed: int = Field(description="Reported by the device, bit/s; 0 if unknown or contradicted")
    contradicted_speed: int | None = Field(
        description="Stated by the device, bit/s, but exceeded by its own counters; null if they agree"
    )
    usable_rate: int
    mtu: int
    mac: str
    addresses: list[str]
    measured_at: datetime | None = Field(description="End of the measured interval")
    measured_s: float | None = Field(description="Length of the measured interval")
    in_bps: int | None
    out_bps: int | None
    in_pps: float | None = Field(description="Packets per second")
    out_pps: float | None
    in_utilisation: float | None
    out_utilisation: float | None
    utilisation: float | None = Field(description="The larger of the two directions")
    in_errors_ps: float | None
    out_errors_ps: float | None
    url: str


class PortTrendOut(BaseModel):
    """Mean rates of one port, bit/s, one entry per bin; null is a gap without reports."""

    port_id: int
    in_mean: list[int | None]
    out_mean: list[int | None]


class PortTrendsOut(BaseModel):
    """Trends of several ports in the same bins, oldest first."""

    step_s: float
    at: list[float] = Field(description="Start of each bin, Unix seconds")
    level: SourceName = Field(
        description="Coarsest source of a bin: samples, or roll-ups of 5 minutes, 1 hour or 1 day"
    )
    ports: list[PortTrendOut] = Field(description="Ascending by id; ports of other sites are left out")


class PortHistoryOut(BaseModel):
    """A port's load and counters over time: parallel lists, one entry per bin, oldest first.

    A null value is a gap without reports; nothing is interpolated. `mean` and `max` are in bit/s (`max`: peak
    of 1 s if the source measures it, else of an interval); p95 over 5-minute bins of the range. Packets,
    errors and discards are per second, from samples or roll-ups in the database.

    Long ranges, and ranges older than the stored samples, are drawn from roll-ups; then there may be fewer
    bins than asked for.
    """

    usable_rate: int = Field(description="bit/s now")
    capacity: list[CapacityStepOut] = Field(description="The usable rate as it was in the range")
    step_s: float
    at: list[float] = Field(description="Start of each bin, Unix seconds")
    in_mean: list[int | None]
    in_max: list[int | None]
    out_mean: list[int | None]
    out_max: list[int | None]
    in_p95: int | None
    out_p95: int | None
    in_packets: list[float | None]
    out_packets: list[float | None]
    in_errors: list[float | None]
    out_errors: list[float | None]
    in_discards: list[float | None]
    out_discards: list[float | None]
    in_shares: list[float] = Field(
        description="Share of the 5-minute means in each tenth of the usable rate of now, 0..1; the last one"
        " includes everything above; empty if nothing is known"
    )
    out_shares: list[float]
    resets: list[float] = Field(
        description="Times at which a counter restarted, Unix seconds; the end of its bin in roll-ups"
    )
    level: SourceName = Field(
        description="Coarsest source of a bin: samples, or roll-ups of 5 minutes, 1 hour or 1 day"
    )
    coverage: float = Field(description="Observed fraction of the range, 0..1")
    p95_exact: bool = Field(
        description="False if p95 is partly estimated from coarser bins, as older 5-minute bins are dropped"
    )
    gaps: list[HistoryGapOut] = Field(description="Days whose archived samples cannot be read")
