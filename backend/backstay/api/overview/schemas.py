"""The overview page: items that need attention."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.api.links.schemas import LinkOut
from backstay.api.sites.schemas import SiteOut

TileKind = Literal["problems", "nearly_full", "recent_changes", "awaiting_confirmation", "not_reporting"]


class OverviewItem(BaseModel):
    """One line of a tile."""

    title: str
    detail: str
    state: State
    since: datetime | None
    confirm_by: datetime | None = Field(None, description="Confirmation deadline of a change")
    url: str


class OverviewTile(BaseModel):
    """One tile: count, first items, and the page that lists all."""

    kind: TileKind
    total: int
    items: list[OverviewItem]
    url: str


class Overview(BaseModel):
    """The overview page in one request."""

    site: SiteOut
    at: datetime
    headline: str
    tiles: list[OverviewTile]
    top_links: list[LinkOut]
    paths_total: int
    paths_on_fallback: int
    open_incidents: int
    held_nodes: int = Field(
        description="Nodes whose routes are left to an operator; failover is paused there"
    )
