"""Drills and what they measured."""

from __future__ import annotations

from datetime import datetime

from backstay_cli.shapes.base import Shape


class DrillNodeOut(Shape):
    """One node in a drill."""

    node: str
    gateway: str
    state: str
    detail: str
    outage_out_ms: float | None
    outage_back_ms: float | None
    rtt_ms: float | None


class DrillOut(Shape):
    """A drill."""

    id: int
    name: str
    policy: str
    gateway: str
    state: str
    state_text: str
    at: datetime
    author: str
    reason: str
    seconds: float
    every_days: int | None
    refused_because: list[str]
    members: list[DrillNodeOut]
    worst_outage_ms: float | None
    fallback_bps: int | None
