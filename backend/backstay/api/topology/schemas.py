"""The map: nodes and links with their states and loads."""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.api.links.schemas import LinkKind, Load
from backstay.api.nodes.schemas import GatewayOut
from backstay.api.sites.schemas import SiteOut
from backstay.core.model.state import Carrier, LinkUse


class TopologyNode(BaseModel):
    """A node, or a shared fabric drawn as a node."""

    key: str = Field(description="`node:<id>` or `fabric:<id>`, the end points of links")
    id: int
    name: str
    title: str
    kind: str = Field(description="host, switch, router, gateway, or fabric")
    role: str = Field(description="compute, server, gateway, router; a fabric's technology")
    tier: int = Field(description="Left to right: 0 cluster, 1 fabric, 2 gateways, 3 outside")
    state: State
    state_text: str = Field(description="Text of the state: `last seen 1 s ago`, `not reporting for 40 s`")
    since: datetime | None
    age_s: float | None = Field(description="Seconds since its last report; null: never")
    incidents: int
    gateway: GatewayOut | None = Field(description="Its role as a gateway; null: not a gateway of any policy")
    url: str


class TopologyLink(BaseModel):
    """Two ports joined, or a port and its fabric's shared medium."""

    id: int
    name: str
    source: str
    target: str
    source_port: str
    target_port: str | None
    fabric: str
    kind: LinkKind
    circuit: str
    usable_rate: int
    state: State
    state_text: str
    carrier: Carrier = Field(description="As reported by its ports, regardless of open incidents")
    carries: LinkUse = Field(description="Strongest use by the paths over it")
    forward: Load | None
    back: Load | None
    incidents: int
    url: str


class Topology(BaseModel):
    """The site as a graph with live load."""

    site: SiteOut
    at: datetime
    version: str = Field(description="Changes when nodes or links change, not when the load changes")
    nodes: list[TopologyNode]
    links: list[TopologyLink]
