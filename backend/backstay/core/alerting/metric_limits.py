"""A limit on a device metric as somebody states it, and what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

LONGEST_S = 86_400.0
MOST_LIMITS, MOST_OVERRIDES = 200, 200
"""Of one site; of one rule at a site."""


class NumericMeaning(Protocol):
    """Registry entry of a metric."""

    @property
    def kind(self) -> str: ...


@dataclass(frozen=True, slots=True)
class MetricLimitSpec:
    """One limit: as the columns of `alerts.MetricLimit`."""

    name: str
    metric: str
    above: bool
    raise_at: float
    clear_at: float
    subject: str = ""
    role: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    for_s: float = 60.0
    severity: str = "warning"
    enabled: bool = True


def wrong_limit(spec: MetricLimitSpec, meaning: NumericMeaning | None) -> dict[str, str]:
    """Field -> what is expected, of every field that is not acceptable."""
    found = {}
    if meaning is None:
        found["metric"] = "the name of a metric, as GET /metrics lists them"
    elif meaning.kind == "state":
        found["metric"] = "a metric with numbers; unhealthy states have the rule device_state"
    for name in ("raise_at", "clear_at"):
        if not math.isfinite(getattr(spec, name)):
            found[name] = "a finite number"
    if spec.above and spec.clear_at > spec.raise_at:
        found["clear_at"] = f"at most raise_at, {spec.raise_at:g}"
    if not spec.above and spec.clear_at < spec.raise_at:
        found["clear_at"] = f"at least raise_at, {spec.raise_at:g}"
    if not 0 <= spec.for_s <= LONGEST_S:
        found["for_s"] = f"a number from 0 to {LONGEST_S:g} s"
    return found
