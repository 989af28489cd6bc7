"""Forecasts: when links are full."""

from datetime import date, datetime

from pydantic import BaseModel, Field

from backstay.api.http.schemas import Page, State
from backstay.core.planning.forecast.exhaustion import ForecastState


class ForecastListed(BaseModel):
    """One direction of a link."""

    id: int
    link: int
    name: str = Field(description="Of the link: `grf1:ga031-router:at0`")
    is_back: bool = Field(description="From the link's end b to its end a")
    start: str = Field(description="Node or shared medium that sends")
    end: str
    day: date = Field(description="Newest day on which the forecast rests (UTC)")
    is_stale: bool = Field(description="Whether newer days are complete: too old to rely on")
    forecast: ForecastState = Field(
        description="saturated: the last week's median is at 90 % of the usable rate; within_year,"
        " not_within_year: when the trend reaches the usable rate; unknown: see `reason`"
    )
    state: State
    reason: str = Field(description="Why there is no forecast; empty: there is one")
    current_bps: int | None = Field(description="Median of the last week's daily 95th percentiles")
    usable_rate: int | None = Field(description="bit/s; null: unknown")
    utilisation: float | None = Field(description="`current_bps` as a share of the usable rate")
    full_on: date | None = Field(description="Saturated: `day`; null: not within a year, or unknown")
    earliest: date | None = Field(description="Start of the 80 % interval; null: not within a year")
    latest: date | None = Field(description="End of the 80 % interval; null: there is no date")
    error: float | None = Field(
        description="Of the back-test, the newest quarter of the days: mean absolute percentage error, 0..1"
    )
    naive_error: float | None = Field(description="The same of the last week's median, carried forward")
    url: str


class ForecastOut(ForecastListed):
    """`GET /capacity/forecast/{id}`: with its chart, parallel lists of one entry per day."""

    days: list[date]
    values: list[int | None] = Field(
        description="95th percentile of the day's 5-minute means, bit/s; null: unknown, or in the future"
    )
    trend: list[int | None] = Field(description="Without the weekly pattern, bit/s; null: no forecast")
    low: list[int | None] = Field(description="80 % interval of the trend, bit/s")
    high: list[int | None]


class ForecastCounts(BaseModel):
    """Link directions by forecast."""

    saturated: int
    within_year: int
    not_within_year: int
    unknown: int


class ForecastStatus(BaseModel):
    """All forecasts of a site."""

    site: str
    headline: str = Field(
        description="`2 of 14 link directions will be full within a year, 3 without a forecast`"
    )
    day: date | None = Field(description="Newest day of all forecasts (UTC); null: not all were computed yet")
    computed_at: datetime | None
    is_stale: bool
    error: str = Field(description="Why the last attempt failed; empty: it succeeded")
    failing_since: datetime | None
    counts: ForecastCounts


class Forecasts(Page[ForecastListed]):
    """`GET /capacity/forecast`: all forecasts, and one page of them."""

    status: ForecastStatus
