"""What differs at a site between two moments."""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.api.events.schemas import EventOut
from backstay.api.http.schemas import State

FIRST = "The first 100"


class DifferentIncident(BaseModel):
    """A root cause that is new, or that ended."""

    id: int
    title: str
    state: State = Field(description="Its severity")
    since: datetime
    resolved_at: datetime | None
    url: str


class DifferentObject(BaseModel):
    """A node or port whose state differs."""

    name: str = Field(description="`grf1`, `grf1:ga030`")
    before: str = Field(description="`up`, `not reporting`")
    after: str
    at: datetime = Field(description="Its last change in the range")
    url: str | None = Field(description="Null: it does not exist any more")


class DifferentPaths(BaseModel):
    """Paths of one policy that use another gateway."""

    policy: str
    before: str = Field(description="Gateway; empty: none")
    after: str = Field(description="Gateway; empty: none")
    paths: int
    nodes: list[str] = Field(description="The first 5")
    at: datetime = Field(description="The last switch in the range")
    url: str


class SiteDifferences(BaseModel):
    """`end` compared with `start`: net differences. What changed and returned is only counted."""

    start: datetime
    end: datetime
    known_since: datetime = Field(
        description="Older events are removed: before that, differences are missing"
    )
    headline: str = Field(description="`Different: 2 new incidents, 4 ports and 12 paths.`")
    opened: list[DifferentIncident] = Field(description=f"{FIRST} root causes that are new at the end")
    opened_total: int
    resolved: list[DifferentIncident] = Field(
        description=f"{FIRST} root causes that have ended since the start"
    )
    resolved_total: int
    passed: int = Field(description="Root causes that opened and were resolved in between")
    nodes: list[DifferentObject] = Field(description=f"{FIRST}, by name")
    nodes_total: int
    ports: list[DifferentObject] = Field(description=f"{FIRST}, by name")
    ports_total: int
    paths: list[DifferentPaths] = Field(description=f"{FIRST} groups, the largest first")
    paths_total: int = Field(description="Number of paths in all groups")
    returned: int = Field(description="Nodes, ports and paths that changed and are as they were")
    actions: list[EventOut] = Field(description=f"{FIRST} changes, edits and repairs, newest first")
    actions_total: int
