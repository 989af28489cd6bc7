"""gated on a node, represented by the stand-in labgated (`backstay_lab.labgated`). Pure.

Static routes by preference, as on the paper's nodes: it detects only a port that goes down.
"""

from __future__ import annotations

import sys
from pathlib import Path

from backstay_lab.blueprint import Blueprint, NodeSpec, RouteSpec

FIRST_PREFERENCE = 60
"""Of the first route (lower wins); each following one has 10 more."""


def config(plan: Blueprint, node: NodeSpec) -> str:
    """The whole gated.conf of a node."""
    routes = [f"    {line}" for route in node.routes for line in _statements(route)]
    ports = " ".join(port.name for port in plan.data_ports(node))
    lines = [
        f"# {node.name} of {plan.site}: {node.title}",
        "options syslog upto info ;",
        f"interfaces {{ interface {ports} passive ; }} ;",
        f"routerid {node.service} ;",
        "rip no ;",
        "redirect no ;",
        "static {",
        *routes,
        "} ;",
    ]
    return "\n".join(lines) + "\n"


def _statements(route: RouteSpec) -> list[str]:
    prefix = "default"
    if route.prefix.prefixlen:
        prefix = f"{route.prefix.network_address} masklen {route.prefix.prefixlen}"
    if not route.hops:
        return [f"{prefix} gateway 127.0.0.1 reject ;"]
    return [
        f"{prefix} gateway {hop.address} preference {FIRST_PREFERENCE + 10 * place} retain ;"
        for place, hop in enumerate(route.hops)
    ]


def argv(folder: Path) -> list[str]:
    """Command line; runs in the foreground, so the started process ID is the daemon's."""
    return [sys.executable, "-m", "backstay_lab.labgated", "-N", "--state", str(folder)]
