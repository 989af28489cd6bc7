"""The overview page: items that need attention, all read at one point in time."""

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
    until: datetime | None = Field(
        None, description="End of a recent change; null: ongoing, or a single point in time"
    )
    confirm_by: datetime | None = Field(None, description="Confirmation deadline of a change")
    refusal: str = Field(
        "",
        description="Why you cannot take the action that a change awaits; empty: you can",
    )
    url: str


class OverviewTile(BaseModel):
    """One tile: count, first items, and the page that lists all."""

    kind: TileKind
    total: int
    items: list[OverviewItem]
    url: str
    as_of: datetime | None = Field(description="Time of its source; null: its source has never reported")
    lag: str = Field(description="Why the tile is older than the page, or incomplete; empty: it is current")


class ActiveGateway(BaseModel):
    """A gateway and the number of nodes that use it."""

    name: str = Field(description="Empty: no route")
    nodes: int


class PolicyPathsOut(BaseModel):
    """The paths of one policy, each counted once: dead, rerouted, unknown or on its preferred gateway."""

    policy: str
    policy_id: int
    prefix: str
    preferred: str
    nodes: int
    dead: int
    rerouted: int = Field(description="Paths that deliver through a gateway other than the preferred one")
    unknown: int
    active: list[ActiveGateway] = Field(description="Most used first")
    state: State
    state_text: str
    url: str


class PolicyOutcomeOut(PolicyPathsOut):
    """The paths of one policy with their standbys."""

    without_standby: int = Field(description="Nodes whose other gateways are all dead")
    verified: int = Field(description="Nodes whose target also answers through a standby")


FAILED_DELIVERIES = "Messages about incidents of the last 24 hours whose delivery was given up"
EVALUATION_LATE = (
    "Seconds since the alert rules were last evaluated, if three rounds were missed; null: on time"
)


class FallbacksOut(BaseModel):
    """The tile "n of m fallbacks hold", from the newest stored study (`capacity/n-1`)."""

    headline: str = Field(description="`2 of 14 fallbacks would not hold`")
    state: State = Field(description="unknown: stale, never computed, or some cannot be judged")
    total: int
    holds: int
    would_not_hold: int
    unknown: int
    items: list[OverviewItem] = Field(description="The worst fallbacks that would not hold")
    as_of: datetime | None = Field(description="When its inputs were read last; null: never")
    age_s: float | None
    is_stale: bool
    error: str = Field(description="Why the last attempt failed; empty: it succeeded")
    url: str


class Overview(BaseModel):
    """The overview page: one database snapshot."""

    site: SiteOut
    nodes_total: int = Field(description="Nodes of the site, whatever their state")
    at: datetime = Field(description="Time of the snapshot")
    headline: str
    tiles: list[OverviewTile]
    top_links: list[LinkOut]
    policies: list[PolicyOutcomeOut]
    fallbacks: FallbacksOut
    paths_total: int = Field(
        description="Paths of deployed policies; the following numbers also count only these"
    )
    paths_on_fallback: int = Field(
        description="Paths that deliver through a gateway other than the preferred one"
    )
    paths_dead: int
    paths_unknown: int = Field(description="Not observed, or their nodes are not reporting")
    open_incidents: int
    root_causes: int = Field(description="Open incidents that no other open incident causes")
    awaiting: int = Field(description="Changes that await confirmation, approval or start")
    held_nodes: int = Field(
        description="Held nodes: their routes are left to an operator and failover is paused"
    )
    failed_deliveries: int = Field(description=FAILED_DELIVERIES)
    evaluation_late_s: float | None = Field(description=EVALUATION_LATE)


class OverviewCountsOut(BaseModel):
    """The overview's counts, for the navigation of every page: `GET /overview/counts`."""

    at: datetime
    open_incidents: int
    root_causes: int
    awaiting: int
    failed_deliveries: int = Field(description=FAILED_DELIVERIES)
    evaluation_late_s: float | None = Field(description=EVALUATION_LATE)


PastTileKind = Literal[
    "problems", "worst_paths", "failovers", "outages", "nearly_full", "recent_changes", "not_measured"
]


class PastTile(BaseModel):
    """One tile of a past moment: count, first items, and the page that lists all."""

    kind: PastTileKind
    total: int
    items: list[OverviewItem]
    url: str
    lag: str = Field(description="What of it is not kept; empty: nothing is known to be missing")


class PastOverview(BaseModel):
    """The overview at a past moment, from stored history. Nothing in it is of the present but the names."""

    site: SiteOut
    nodes_total: int = Field(description="Nodes of the site, whatever their state")
    at: datetime
    start: datetime = Field(
        description="Start of the range of failovers, outages and recent changes; it ends at `at`"
    )
    headline: str
    tiles: list[PastTile]
    top_links: list[LinkOut] = Field(description="Loads are means of five minutes")
    policies: list[PolicyPathsOut] = Field(description="Drafts too: which were deployed is not kept")
    paths_total: int
    paths_on_fallback: int
    paths_dead: int
    paths_unknown: int
    open_incidents: int
    root_causes: int = Field(description="Open incidents that no other open incident causes")
    held_nodes: int
    not_kept: list[str] = Field(description="What the overview of the present has and history does not keep")
