"""Fabrics: the networks of a cluster."""

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.api.metrics.schemas import FabricCounter
from backstay.core.model.arp import DeclaredArp


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
