"""What is wanted of failover, as values: policies, their groups of nodes, stripes, return paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backstay.core.model.routing import DEFAULT_TIMERS, Address, Detection, Prefix, Timers

Balance = Literal["count", "weight", "load"]


@dataclass(frozen=True, slots=True)
class Group:
    """Which nodes: those that fit every part that is given. An empty group fits none."""

    names: tuple[str, ...] = ()
    """Names or shell patterns, `sp*`; one of them must fit."""
    role: str = ""
    numbers: tuple[int, int] | None = None
    """Node numbers from, to, both included."""
    labels: tuple[tuple[str, str], ...] = ()
    """All must be carried, e.g. ("quadrant", "2")."""


@dataclass(frozen=True, slots=True)
class Stripe:
    """Nodes spread over parallel gateways; each gateway's nodes have the others as backups."""

    gateways: tuple[int, ...]
    backups: int = 1
    """How many further gateways each node gets."""
    balance: Balance = "count"
    weights: tuple[float, ...] = ()
    """One a gateway, for balance `weight`."""
    by_label: str = ""
    """Nodes with one value of this label stay together (SDSC's quadrants); empty: each by itself."""


@dataclass(frozen=True, slots=True)
class ReturnPath:
    """The way back: these routers reach `prefix`, the nodes' network, by the same gateways in order."""

    routers: tuple[int, ...]
    prefix: Prefix
    target: Address | None = None


@dataclass(frozen=True, slots=True)
class FailoverIntent:
    """One failover policy, by node ids. `gateways` are in order; a stripe gives each node its own order."""

    id: int
    name: str
    nodes: tuple[int, ...]
    prefix: Prefix
    gateways: tuple[int, ...]
    detection: Detection
    timers: Timers = DEFAULT_TIMERS
    target: Address | None = None
    stripe: Stripe | None = None
    back: ReturnPath | None = None
    note: str = ""
