"""Agents and their enrolment."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import Body, State


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
    reports_refused: int = Field(description="Reports refused since enrolment; a repeated report counts once")
    reports_sanitised: int = Field(
        description="Reports since enrolment in which characters were replaced or long text was cut"
    )
    sources: list[str]
    revoked: bool
    url: str


class EnrolmentTokenIn(Body):
    """Body of `POST /enrolment-tokens`: the node whose agent may enrol."""

    site: str
    node: str


class EnrolmentTokenOut(BaseModel):
    """A new token, which is shown only once."""

    token: str
    node: str
    expires_at: datetime
