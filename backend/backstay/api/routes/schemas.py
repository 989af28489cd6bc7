"""Path between two nodes, hop by hop, without a failure and under each given one."""

from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.core.planning.whatif.node_routes import HopBasis, RouteOutcome

ComponentKind = Literal["node", "link", "fabric"]


class RouteEnd(BaseModel):
    """A node, or a fabric's shared medium."""

    kind: Literal["node", "fabric"]
    id: int
    name: str
    port: str = Field(description="Its port on the link; empty: a shared medium")


class RouteHopOut(BaseModel):
    """One link of a path."""

    start: RouteEnd
    end: RouteEnd
    link: int
    link_name: str
    state: State = Field(description="Of the link now, as on its page")
    state_text: str
    fabric: str
    usable_rate: int | None = Field(description="bit/s; null: unknown")
    mtu: int | None = Field(description="Bytes, of the fabric; null: unknown")
    arp: str = Field(description="ARP mode of the fabric; unknown: not stated")
    basis: HopBasis = Field(
        description="observed: the node reports this gateway; policy: first working gateway of its policy;"
        " network: both nodes share it; topology: fewest links"
    )
    policy: str = Field(description="Empty: no policy chose this hop")


class NodeRouteOut(BaseModel):
    """The path under one failure, or without one."""

    failed: str | None = Field(description="`node:grf1`; null: no failure")
    failed_name: str = Field(description="What fails: `grf1`; empty: nothing")
    failed_kind: ComponentKind | None = Field(description="Null: no failure")
    outcome: RouteOutcome
    reason: str = Field(description="Why packets do not arrive; empty: they do")
    hops: list[RouteHopOut]
    usable_rate: int | None = Field(
        description="bit/s of the narrowest hop; null: unknown on some hop, or no hop"
    )
    narrowest: RouteHopOut | None = Field(description="The hop with the lowest known rate")
    mtu: int | None = Field(
        description="Largest packet of the whole path, bytes; null: unknown on some hop, or no hop"
    )
    is_moved: bool = Field(description="Whether it uses other links than without the failure")


class RoutesBetween(BaseModel):
    """`GET /routes/between`."""

    site: str
    source: str
    destination: str
    routes: list[NodeRouteOut] = Field(
        description="Without a failure first, then each given failure, then those of `each_failure`"
    )
