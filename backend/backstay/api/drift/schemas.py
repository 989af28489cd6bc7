"""Drift: nodes whose intended, running and saved routing are not one."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.core.model.routing import EngineKind


class DriftItem(BaseModel):
    """One prefix, file or ARP setting in which intended, running and saved are not one."""

    what: str = Field(description="A prefix, or a file's path")
    kind: Literal["route", "file", "arp", "setting", "neighbour", "arp_file"]
    intended: str
    running: str
    saved: str
    reboot: bool = Field(description="What runs would change on reboot")
    on_fallback: bool = Field(description="The checker has a fallback first: known, and no drift in itself")
    text: str


class DriftOut(BaseModel):
    """One node that differs.

    A checker on its fallback is no drift: with nothing else the state is ok, and the node is listed because a
    reboot would change what it runs.
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
    text: str = Field(description="All of it in sentences")
    intended_by: int | None = Field(description="The change that deployed the intended state")
    items: list[DriftItem]
    url: str
