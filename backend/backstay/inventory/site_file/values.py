"""The result of parsing a site file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from backstay.inventory.site_file.circuits import CircuitItem, ShapeItem
from backstay.inventory.site_file.reader import Located
from backstay.inventory.site_file.rules import MetricLimitItem, RuleItem
from backstay.inventory.site_file.schema import (
    FabricItem,
    LinkItem,
    NodeItem,
    PolicyItem,
    SharedRiskItem,
    SiteItem,
)


@dataclass(frozen=True, slots=True)
class PolicyIntent:
    """A failover policy of the file: patterns resolved to node names, gateways by preference."""

    name: str
    prefix: str
    nodes: list[str]
    gateways: list[str]
    detection: str
    target: str | None
    probe_interval_ms: int
    note: str
    stripe: dict[str, Any] | None = None
    return_path: dict[str, Any] | None = None
    """Both refer to nodes by name, as the policy's columns."""
    is_deployed: bool = True


@dataclass(slots=True)
class SiteFile:
    """A valid site file. Keys of the lists are positions in the file, for messages."""

    located: Located
    head: SiteItem
    fabrics: dict[int, FabricItem] = field(default_factory=dict)
    nodes: dict[int, NodeItem] = field(default_factory=dict)
    links: dict[int, LinkItem] = field(default_factory=dict)
    policies: dict[int, PolicyItem] = field(default_factory=dict)
    shapes: dict[int, ShapeItem] = field(default_factory=dict)
    circuits: dict[int, CircuitItem] = field(default_factory=dict)
    shared_risks: dict[int, SharedRiskItem] = field(default_factory=dict)
    rules: dict[int, RuleItem] = field(default_factory=dict)
    metric_limits: dict[int, MetricLimitItem] = field(default_factory=dict)
    intents: list[PolicyIntent] = field(default_factory=list)
