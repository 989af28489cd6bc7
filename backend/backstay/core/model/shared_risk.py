"""Shared risks: components that fail together, because they share a chassis, a supply, a fibre or a card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from backstay.core.model.search import Failure

RiskKind = Literal["chassis", "power", "fibre", "card"]
RISK_KINDS: tuple[RiskKind, ...] = get_args(RiskKind)


@dataclass(frozen=True, slots=True)
class SharedRiskGroup:
    """One group of a site."""

    name: str
    kind: RiskKind
    members: Failure
    missing: tuple[str, ...] = ()
    """Members that the topology no longer has, as `fabric:sp-switch`: what their failure does is unknown."""
