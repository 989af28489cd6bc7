"""The values of a benchmark's last line, `BENCH {...}`, which docs/benchmarks.md records."""

import json
from typing import Any


def figure(ours: float | None, goal: float | None, unit: str, *, met: bool) -> dict[str, Any]:
    """One value without a peer and a floor."""
    return {
        "ours": ours,
        "peer": None,
        "peer_name": None,
        "floor": None,
        "goal": goal,
        "unit": unit,
        "met": met,
    }


def bench_line(name: str, figures: dict[str, Any]) -> str:
    """The line for programs."""
    return "BENCH " + json.dumps({"name": name, "figures": figures})
