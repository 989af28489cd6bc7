"""Track record: failovers of gateways compared with the loads that the capacity study had predicted."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.capacity.schemas import LaneLoadOut
from backstay.api.http.schemas import Page
from backstay.core.planning.whatif.fallback_verdict import FallbackVerdict

CheckState = Literal["pending", "measured", "not_measured"]


class ComparedLoad(LaneLoadOut):
    """One direction of a link that was predicted to gain load."""

    measured_bps: int | None = Field(description="After the traffic had settled; null: unknown")
    error_share: float | None = Field(
        description="(measured - predicted) / usable rate; positive: more load than predicted; null: unknown"
    )
    error_relative: float | None = Field(description="(measured - predicted) / predicted; null: unknown")


class PredictionCheckOut(BaseModel):
    """One failover of a gateway."""

    id: int
    gateway: str
    cause: Literal["failover", "drill"]
    drill: int | None = Field(description="Id of the drill that caused it")
    started_at: datetime = Field(description="First switch of a node away from the gateway")
    last_switch_at: datetime
    ended_at: datetime | None = Field(description="First return of a node; null: none is known")
    moved_nodes: int = Field(description="Paths that moved away from the gateway")
    predicted_at: datetime | None = Field(description="Time of the study's loads; null: no prediction")
    verdict: FallbackVerdict | None = Field(description="Of the prediction; null: no prediction")
    state: CheckState = Field(description="pending: the traffic has not settled, or its loads are awaited")
    reason: str = Field(description="Why it was not measured; empty: it was, or it is pending")
    measured_at: datetime | None = Field(description="Time of the newest sample that was compared")
    median_error: float | None = Field(description="Over its links: share of the usable rate, without sign")
    worst_error: float | None = Field(description="Share of the usable rate, without sign")
    worst: ComparedLoad | None = Field(description="The link with the greatest error")
    links: list[ComparedLoad] = Field(description="Links that were predicted to gain load, the fullest first")


class TrackRecordStatus(BaseModel):
    """All failovers of a site that are kept."""

    site: str
    headline: str = Field(
        description="`3 failovers measured: median error 2 %, worst 9 % of the usable rate`"
    )
    measured: int
    not_measured: int
    pending: int
    median_error: float | None = Field(description="Median of the failovers' medians; null: none is measured")
    worst_error: float | None


class TrackRecord(Page[PredictionCheckOut]):
    """`GET /capacity/track-record`: the errors of all failovers, and one page of them."""

    status: TrackRecordStatus
