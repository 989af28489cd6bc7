"""Who asks, sites, and what is broken there."""

from __future__ import annotations

from datetime import datetime

from backstay_cli.shapes.base import Shape


class Person(Shape):
    """Who asks."""

    username: str
    name: str
    role: str


class SiteListed(Shape):
    """A site."""

    name: str
    title: str


class SiteOut(SiteListed):
    """A site, with what its rates mean."""

    rate_scale: float


class OverviewItem(Shape):
    """One line of an answer."""

    title: str
    detail: str
    state: str
    since: datetime | None
    confirm_by: datetime | None
    url: str


class OverviewTile(Shape):
    """One tile of the overview."""

    kind: str
    total: int
    items: list[OverviewItem]


class Overview(Shape):
    """The first page."""

    site: SiteOut
    at: datetime
    headline: str
    tiles: list[OverviewTile]
    paths_total: int
    paths_on_fallback: int
    open_incidents: int
