"""No daemon: `ip -batch` sets routes by metric at boot. Nothing monitors them. Pure."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from backstay_lab.blueprint import Blueprint, NodeSpec

FIRST_METRIC = 60
"""Of the first route (lower wins); each following one has 10 more."""


def batch(plan: Blueprint, node: NodeSpec) -> str:
    """The node's boot file."""
    lines = [f"# {node.name} of {plan.site}: {node.title}"]
    for route in node.routes:
        lines += [
            f"route replace {route.prefix} via {hop.address} dev {hop.port} metric {metric}"
            for metric, hop in zip(count(FIRST_METRIC, 10), route.hops, strict=False)
        ]
        lines += [] if route.hops else [f"route replace unreachable {route.prefix}"]
    return "\n".join(lines) + "\n"


def load_argv(batch_path: Path) -> list[str]:
    """Command line that loads the boot file."""
    return ["ip", "-batch", str(batch_path)]
