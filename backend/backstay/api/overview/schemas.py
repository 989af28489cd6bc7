"""The first page: what needs somebody."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.api.links.schemas import LinkOut
from backstay.api.sites.schemas import SiteOut


class OverviewItem(BaseModel):
    """One line of one of the five answers."""

    title: str
    detail: str
    state: State
    since: datetime | None
    confirm_by: datetime | None = Field(None, description="Of a change: when it is too late to confirm")
    url: str


class OverviewAnswer(BaseModel):
    """One of the five questions, its answer and where to see all of it."""

    question: Literal["broken", "nearly_full", "just_changed", "to_confirm", "out_of_sight"]
    total: int
    items: list[OverviewItem]
    url: str


class Overview(BaseModel):
    """The first page in one request."""

    site: SiteOut
    at: datetime
    headline: str
    answers: list[OverviewAnswer]
    top_links: list[LinkOut]
    paths_total: int
    paths_on_fallback: int
    open_incidents: int
