"""Routing engines of nodes."""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.core.model.routing import EngineKind


class NodeEngine(BaseModel):
    """How a node's routes are installed, from the site file; null: Backstay does not manage them."""

    node: str
    engine: EngineKind | None
    config: str | None


class NodeOut(BaseModel):
    """A node: anything with ports."""

    id: int
    name: str
    title: str
    kind: str
    role: str
    state: State
    state_text: str
    since: datetime | None
    age_s: float | None
    node_number: int | None
    switch_node_number: int | None
    management_address: str | None
    agent: str | None = Field(description="Name of the agent that watches it")
    sys_name: str
    sys_descr: str
    uptime_s: float | None
    clock_offset_s: float | None = Field(description="Its clock minus ours")
    clock_text: str = Field(
        description="`clock 31 d behind`: its own times mislead, its data is placed by ours; else empty"
    )
    labels: dict[str, str]
    engine: EngineKind | None = Field(description="What installs its routes, where Backstay may change them")
    url: str
