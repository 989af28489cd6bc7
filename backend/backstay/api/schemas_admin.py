"""The public API's shapes for those who run Backstay itself: agents, enrolment, site files, health.

Conventions are those of `schemas`.
"""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.schemas.body import Body
from backstay.api.schemas.page import Problem
from backstay.api.schemas.state import State


class AgentOut(BaseModel):
    """A host agent."""

    id: str
    name: str
    kind: Literal["agent"] = "agent"
    node: str
    state: State
    state_text: str
    since: datetime | None
    age_s: float | None
    version: str
    clock_offset_s: float | None
    spool_waiting: int
    spool_dropped: int
    sources: list[str]
    revoked: bool
    url: str


class EnrolmentTokenIn(Body):
    """Body of `POST /enrolment-tokens`: which node's agent may enrol."""

    site: str
    node: str


class EnrolmentTokenOut(BaseModel):
    """The token is shown once and never again."""

    token: str
    node: str
    expires_at: datetime


class SiteFileIn(Body):
    """Body of `POST /site-files`: the YAML text itself."""

    text: str = Field(max_length=4_000_000)
    name: str = Field("site.yaml", max_length=255, description="File name used in messages")
    dry_run: bool = False


class SiteFileMistake(BaseModel):
    """One mistake in a site file."""

    file: str
    line: int
    key: str
    expected: str


class SiteFileReport(BaseModel):
    """What an import did, or would do."""

    site: str
    created: int
    changed: int
    removed: int
    unchanged: int


class SiteFileRefused(Problem):
    """A site file with mistakes: nothing was imported."""

    mistakes: list[SiteFileMistake]


class Health(BaseModel):
    """Whether this process can do its work."""

    status: Literal["ok", "degraded"]
    database: bool
    redis: bool
    worker_seen_s: float | None = Field(description="Seconds since a worker last finished a round")
    version: str
