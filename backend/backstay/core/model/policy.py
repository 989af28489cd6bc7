"""Failover policies as values, with their node groups, stripes and return paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backstay.core.model.routing import DEFAULT_TIMERS, Address, Detection, Prefix, Timers

Balance = Literal["count", "weight", "load"]


@dataclass(frozen=True, slots=True)
class Group:
    """A node filter: a node must match every given field. An empty group matches no node."""

    names: tuple[str, ...] = ()
    """Names or shell patterns, `sp*`; one must match."""
    role: str = ""
    numbers: tuple[int, int] | None = None
    """Node numbers from and to, inclusive."""
    labels: tuple[tuple[str, str], ...] = ()
    """All must be present, e.g. ("quadrant", "2")."""


@dataclass(frozen=True, slots=True)
class Stripe:
    """Nodes distributed over parallel gateways; each gateway's nodes have the others as backups."""

    gateways: tuple[int, ...]
    backups: int = 1
    """Number of backup gateways per node."""
    balance: Balance = "count"
    weights: tuple[float, ...] = ()
    """One per gateway, for balance `weight`."""
    by_label: str = ""
    """Nodes with the same value of this label stay together (SDSC's quadrants); empty: no grouping."""


@dataclass(frozen=True, slots=True)
class ReturnPath:
    """Return path: these routers reach `prefix`, the nodes' network, via the same gateways in order."""

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
