"""Drift: nodes whose intended, running and saved routing differ."""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.core.model.routing import EngineKind
from backstay.core.planning.drift import DriftKind


class DriftItem(BaseModel):
    """One prefix, file or ARP setting whose intended, running and saved values differ."""

    what: str = Field(description="A prefix, or a file's path")
    kind: DriftKind
    intended: str
    running: str
    saved: str
    reboot: bool = Field(description="A reboot would change the running state")
    on_fallback: bool = Field(description="The checker prefers a fallback: expected, not drift")
    text: str


class DriftOut(BaseModel):
    """One node with drift.

    A checker on its fallback is not drift: the state stays ok, and the node is listed because a reboot
    would change its running state.
    """

    node: str
    node_id: int
    engine: EngineKind | None = Field(description="Null: only its ARP is intended")
    state: State
    since: datetime
    age_s: float
    running_differs: bool
    saved_differs: bool
    reboot: bool
    on_fallback: bool
    text: str = Field(description="All differences, as sentences")
    intended_by: int | None = Field(description="The change that deployed the intended state")
    items: list[DriftItem]
    url: str
