"""Paths, their gateways and moves, and the policies behind them."""

from __future__ import annotations

from datetime import datetime

from backstay_cli.shapes.base import Shape


class MoveOut(Shape):
    """A path kept on a gateway on purpose."""

    id: int
    gateway: str
    state: str
    until: datetime | None
    detail: str


class GatewayState(Shape):
    """One gateway of a path."""

    name: str
    alive: bool | None


class PathOut(Shape):
    """How a node reaches a prefix."""

    id: int
    name: str
    policy: str
    node: str
    prefix: str
    active: str
    preferred: str
    on_fallback: bool
    state: str
    state_text: str
    age_s: float | None
    rtt_ms: float | None
    last_outage_ms: float | None
    standby_dead: list[str]
    engine: str | None
    saved: str
    move: MoveOut | None
    gateways: list[GatewayState]


class PolicyProgress(Shape):
    """How far a policy is brought about."""

    text: str


class PolicyOut(Shape):
    """A policy as wanted."""

    id: int
    name: str
    prefix: str
    gateways: list[str]
    detection: str
    nodes: list[str]
    origin: str
    note: str
    progress: PolicyProgress
