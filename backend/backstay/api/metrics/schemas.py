"""Device metrics. Clients show texts from devices without interpreting them."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.core.model import device_metric
from backstay.core.rollups.levels import SourceName

MetricKind = Literal[device_metric.MetricKind, "unknown"]


class MetricOut(BaseModel):
    """The meaning of one metric."""

    name: str = Field(description="`family.metric`")
    title: str
    kind: MetricKind = Field(
        description="growth: a counter's increase; level: the current value; state: one of several names"
    )
    unit: str
    sentence: str = Field(description="Description for an operator")
    source: str = Field(description="MIB object, counter or manual that it is read from")
    error: bool = Field(description="A value above zero is an error")
    good: list[str] = Field(description="Healthy values of a state")


class DeviceMetricOut(BaseModel):
    """One metric of one port or part of a device, as last reported."""

    id: str
    name: str = Field(description="The metric's title; its name if unknown")
    kind: MetricKind
    metric: str
    subject: str = Field(description="Port or part; empty: the device as a whole")
    collector: str
    unit: str
    sentence: str
    state: State = Field(description="warning: an error above zero, or a state that is not healthy")
    value: float | None = Field(description="A counter's growth in the last interval; null: unknown")
    reported_state: str | None = Field(description="Text of a state metric; null: not a state")
    per_s: float | None = Field(description="A counter's growth per second")
    outcome: Literal["ok", "wrapped", "reset", "gap", "absurd", "saturated", "missing"]
    port_id: int | None
    since: datetime | None = Field(None, description="Unknown for a metric")
    at: datetime
    age_s: float
    url: str


class DeviceMetricHistory(BaseModel):
    """One metric over time: parallel lists, one entry per bin, oldest first; null is a gap.

    Long ranges, and ranges older than the stored reports, are drawn from roll-ups; then there may be fewer
    bins than asked for.
    """

    metric: str
    subject: str
    title: str
    unit: str
    kind: MetricKind
    per_second: bool = Field(description="Whether values are rates; always true for counters")
    step_s: float
    at: list[float] = Field(description="Start of each bin, Unix seconds")
    mean: list[float | None]
    min: list[float | None]
    max: list[float | None]
    p95: float | None = Field(description="Nearest rank over 5-minute means of the range")
    level: SourceName = Field(
        description="Coarsest source of a bin: samples, or roll-ups of 5 minutes, 1 hour or 1 day"
    )
    coverage: float = Field(
        description="Observed fraction of the range, 0..1; a report without an interval covers the time"
        " since the one before, at most 150 s"
    )
    p95_exact: bool = Field(
        description="False if p95 is partly estimated from coarser bins, as older 5-minute bins are dropped"
    )


class DeviceMetricPart(BaseModel):
    """A part with a high value or an unhealthy state."""

    node: str
    node_id: int
    subject: str
    value: float | None
    reported_state: str | None
    url: str


class FabricCounter(MetricOut):
    """One metric aggregated over a fabric."""

    state: State
    parts: int = Field(description="Ports and parts that have it")
    affected: int = Field(description="Number of parts above zero, or with an unhealthy state")
    total: float | None = Field(description="Sum of the counters' growth in each part's last interval")
    per_s: float | None
    states: dict[str, int] = Field(description="Number of parts by reported state")
    worst: list[DeviceMetricPart]
