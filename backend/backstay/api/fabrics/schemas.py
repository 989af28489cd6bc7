"""Fabrics: the networks of a cluster."""

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.api.metrics.schemas import FabricCounter
from backstay.core.model.arp import DeclaredArp
from backstay.core.rollups.levels import SourceName


class FabricOut(BaseModel):
    """One network technology instance at a site."""

    id: int
    name: str
    title: str
    kind: str
    media_rate: int
    usable_rate: int = Field(description="Rate after encoding and framing, scaled by the site's rate_scale")
    mtu: int
    arp: DeclaredArp
    ports: int
    url: str


class FabricDetail(FabricOut):
    """A fabric with its load and metrics."""

    state: State
    state_text: str
    nodes: int
    links: int
    ports_up: int
    ports_down: int
    ports_unknown: int
    in_bps: int = Field(description="Sum of its ports' receive rates")
    out_bps: int
    errors_ps: float
    contradicted_links: int
    counters: list[FabricCounter]
    report: str | None = Field(description="Page with the report of this technology")


class FabricHistoryOut(BaseModel):
    """A fabric's traffic over time: parallel lists, one entry per bin, oldest first.

    The sums of its ports' mean rates. A null value is a gap without reports; nothing is interpolated. Drawn
    from roll-ups, and from samples where there are none yet. Large fabrics have fewer bins than asked for.
    """

    step_s: float
    at: list[float] = Field(description="Start of each bin, Unix seconds")
    in_mean: list[int | None] = Field(description="Received by its ports, bit/s")
    out_mean: list[int | None] = Field(description="Sent by its ports, bit/s")
    devices: list[int] = Field(description="Devices with a value; the sums are without the others")
    devices_total: int
    level: SourceName = Field(
        description="Coarsest source of a bin: samples, or roll-ups of 5 minutes, 1 hour or 1 day"
    )
    coverage: float = Field(description="Observed fraction of the range, the mean of all devices, 0..1")
