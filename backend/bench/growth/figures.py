"""Exponents of cost over size, goals, and the printed table."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Sizes = dict[int, dict[str, dict[str, Any]]]
"""Nodes -> operation -> figures, as `size_process.py` prints them."""
GOAL_NODES = 10_000
FLAT = 0.2
"""Largest exponent of a cost that should not depend on the size of the site."""
FLAT_KINDS = frozenset({"page", "object"})
GOALS_S: Mapping[str, float] = {
    "page": 0.1,
    "object": 0.05,
    "round": 0.3,
    "import": 20.0,
    "import_one_word": 1.0,
    "plan": 10.0,
    "live": 0.005,
    "live_second": 0.2,
}
"""Kind -> CPU-s with `GOAL_NODES` nodes."""
SMALLEST_S = 1e-4
"""Less than what can be measured."""


@dataclass(frozen=True, slots=True)
class Growth:
    """One operation over all sizes."""

    name: str
    kind: str
    costs: Mapping[int, float | None]
    """Nodes -> CPU-s; None: over the limit."""
    again: float | None
    """CPU-s of the second, identical request at the largest size."""
    exponent: float | None

    @property
    def goal_s(self) -> float | None:
        return GOALS_S.get(self.kind)

    @property
    def is_met(self) -> bool | None:
        """Whether exponent and cost are within the goals; None: nothing is known or demanded."""
        known = []
        if self.kind in FLAT_KINDS and self.exponent is not None:
            known.append(self.exponent <= FLAT)
        if self.goal_s is not None and GOAL_NODES in self.costs:
            cost_s = self.costs[GOAL_NODES]
            known.append(cost_s is not None and cost_s <= self.goal_s)
        return all(known) if known else None


def exponent(costs: Mapping[int, float | None]) -> float | None:
    """Slope of log cost over log nodes by least squares; None with fewer than two sizes."""
    known = [
        (math.log(size), math.log(max(cost, SMALLEST_S))) for size, cost in costs.items() if cost is not None
    ]
    if len(known) < 2:
        return None
    sizes, values = zip(*known, strict=True)
    return statistics.linear_regression(sizes, values).slope


def growths(found: Sizes) -> list[Growth]:
    """Operations that were measured at any size, the fastest growing of each kind first."""
    names = dict.fromkeys(name for one in found.values() for name, item in one.items() if "cost_s" in item)
    return sorted((_growth(name, found) for name in names), key=_place)


def _growth(name: str, found: Sizes) -> Growth:
    mine = {size: one[name] for size, one in found.items() if "cost_s" in one.get(name, {})}
    costs = {size: item["cost_s"] for size, item in mine.items()}
    last = mine[max(mine)]
    return Growth(name, last["kind"], costs, last.get("again_s"), exponent(costs))


_KINDS = (
    "import",
    "import_one_word",
    "plan",
    "round",
    "live_first",
    "live",
    "live_second",
    "page",
    "object",
    "whole",
)


def _place(item: Growth) -> tuple[int, float]:
    return _KINDS.index(item.kind), -(item.exponent or 0.0)


def table(found: Sizes) -> Iterator[str]:
    """Lines to print: costs in ms of processor time."""
    sizes = sorted(found)
    heads = "".join(f"{size:>11,}" for size in sizes)
    yield f"{'ms of processor time, nodes:':34}{heads}{'again':>9}{'exponent':>10}{'goal':>22}"
    for item in growths(found):
        costs = "".join(f"{_ms(item.costs[size]) if size in item.costs else '-':>11}" for size in sizes)
        again = "-" if item.again is None else _ms(item.again)
        slope = "-" if item.exponent is None else f"{item.exponent:.2f}"
        yield f"{item.name:34}{costs}{again:>9}{slope:>10}{_goal(item):>22}  {_met(item.is_met)}"
    missing = {name: one[name]["missing"] for one in found.values() for name in one if "missing" in one[name]}
    for name, why in missing.items():
        yield f"{name:34} not measured: {why}"


def _ms(cost_s: float | None) -> str:
    if cost_s is None:
        return "over"
    return f"{cost_s * 1000:,.1f}" if cost_s < 1 else f"{cost_s * 1000:,.0f}"


def _goal(item: Growth) -> str:
    parts = [f"<= {FLAT}"] if item.kind in FLAT_KINDS else []
    parts += [] if item.goal_s is None else [f"{item.goal_s * 1000:,.0f} ms"]
    return ", ".join(parts)


def _met(met: bool | None) -> str:
    return "" if met is None else "met" if met else "NOT met"


def figures(found: Sizes) -> dict[str, dict[str, Any]]:
    """For the line `BENCH`: one figure for each operation."""
    extra = found[max(found)] if found else {}
    known = {"kind", "cost_s", "again_s", "missing"}
    return {
        item.name: {
            "ours": None if item.exponent is None else round(item.exponent, 3),
            "goal": FLAT if item.kind in FLAT_KINDS else None,
            "unit": "exponent",
            "met": item.is_met,
            "cpu_s": {
                str(size): None if cost is None else round(cost, 5) for size, cost in item.costs.items()
            },
            "again_cpu_s": None if item.again is None else round(item.again, 5),
            "goal_cpu_s": item.goal_s,
            **{key: value for key, value in extra.get(item.name, {}).items() if key not in known},
        }
        for item in growths(found)
    }
