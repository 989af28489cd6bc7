"""Links and their loads."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.core.model.state import Carrier, LinkUse
from backstay.core.rollups.levels import SourceName


class Load(BaseModel):
    """Traffic in one direction, from the newest sample of either end."""

    bps: int
    utilisation: float = Field(description="0..1 of the usable rate; may exceed 1 by measurement error")
    peak_bps: int | None = Field(None, description="Peak (1 s) of the interval, if the source measures it")
    at: datetime = Field(description="End of the interval")
    fresh: bool = Field(description="False when older than two intervals")


class LinkLoad(BaseModel):
    """One link's load in a live message."""

    id: int
    forward: Load | None
    back: Load | None


LinkKind = Literal["link", "circuit", "medium"]
Direction = Literal["forward", "back"]
"""Loads of a link: forward is from `source` to `target`."""


class LinkEnd(BaseModel):
    """One end of a link."""

    node: str
    node_id: int | None
    port: str | None
    port_id: int | None
    url: str


class Evidence(BaseModel):
    """A source that reports the link, and when."""

    source: str = Field(description="site file, infiniband, lldp, fdb or subnet")
    by: str = Field(description="The node that reports it; empty: the site file")
    node_id: int | None
    since: datetime = Field(description="When it first reported it")
    at: datetime = Field(description="When it last reported it")


class Conflict(Evidence):
    """A source that reports another end for one of the link's ports."""

    reported_link: str = Field(description="The link reported instead, `node:port-node:port`")


class LinkOut(BaseModel):
    """A link with its ends, load and use.

    Of a past moment (`at`), what history does not keep is null, `unknown` or empty; capacities and ends are
    those of today.
    """

    id: int
    name: str
    kind: LinkKind
    circuit: str
    fabric: str
    media_rate: int
    usable_rate: int
    mtu: int
    source: LinkEnd
    target: LinkEnd
    state: State = Field(
        description="Derived from its carrier, open incidents, and unknown facts about its ends"
    )
    state_text: str
    carrier: Carrier = Field(description="As reported by its ports, regardless of open incidents")
    since: datetime | None
    age_s: float | None
    carries: LinkUse = Field(description="Strongest use by the paths over it")
    forward: Load | None
    back: Load | None
    declared: bool | None = Field(
        description="Whether it is in the site file; otherwise it was discovered from evidence. Null: of a"
        " past moment, not kept"
    )
    evidence: list[Evidence]
    conflicts: list[Conflict] = Field(
        description="For display only: the site file takes precedence, then the most trusted source"
    )
    incidents: int
    url: str


class CapacityStepOut(BaseModel):
    """A usable rate until the next step, or the end of the range."""

    start: float = Field(description="Unix seconds")
    usable_rate: int = Field(description="bit/s")


class HistoryGapOut(BaseModel):
    """Time of which archived samples cannot be read."""

    start: float = Field(description="Unix seconds")
    end: float = Field(description="Unix seconds")
    text: str = Field(description="Which file, and why")


class DirectionBaseline(BaseModel):
    """Usual load of one direction: parallel lists, one entry per bin; null: fewer than 3 weeks are known."""

    median: list[int | None]
    low: list[int | None] = Field(description="10th percentile")
    high: list[int | None] = Field(description="90th percentile")
    weeks: list[int] = Field(description="Number of weeks that it rests on, 0 to 8")


class LinkBaseline(BaseModel):
    """A link's usual load in bit/s by the hour of the week, in UTC.

    It rests on the same hours of the 8 weeks before each bin.
    """

    forward: DirectionBaseline
    back: DirectionBaseline


class LinkHistory(BaseModel):
    """A link's load over time: parallel lists, one entry per bin, oldest first.

    A null value is a gap without reports; nothing is interpolated. `mean` and `max` are in bit/s (`max`: peak
    of 1 s if the source measures it, else of an interval); p95 over 5-minute bins of the range.

    Long ranges, and ranges older than the stored samples, are drawn from roll-ups; then there may be fewer
    bins than asked for.
    """

    usable_rate: int = Field(description="bit/s now")
    capacity: list[CapacityStepOut] = Field(description="The usable rate as it was in the range")
    step_s: float
    at: list[float] = Field(description="Start of each bin, Unix seconds")
    forward_mean: list[int | None]
    forward_max: list[int | None]
    back_mean: list[int | None]
    back_max: list[int | None]
    forward_p95: int | None
    back_p95: int | None
    measured_at: str = Field(description="The port whose counters were used")
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
    baseline: LinkBaseline | None = Field(
        description="From hourly roll-ups of the same port; null unless asked for by `baseline=true`"
    )
