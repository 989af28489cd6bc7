"""The kernels' routes, and waiting for convergence after `up` or a reboot."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path

from backstay_lab.blueprint import Blueprint, NodeSpec
from backstay_lab.daemons import bird
from backstay_lab.errors import LabError
from backstay_lab.naming import Names
from backstay_lab.programs import run

SETTLE_S = 20.0
COME_BACK_S = 5.0
POLL_S = 0.1


def installed(namespace: str) -> dict[IPv4Network, IPv4Address]:
    """A namespace's kernel routes via gateways, of any origin: prefix to next hop."""
    shown = json.loads(run(["ip", "-n", namespace, "-json", "route", "show"]) or "[]")
    return {
        IPv4Network("0.0.0.0/0" if route["dst"] == "default" else route["dst"]): IPv4Address(route["gateway"])
        for route in sorted(shown, key=lambda route: route.get("metric", 0), reverse=True)
        if "gateway" in route
    }


def unsettled(node: NodeSpec, namespace: str) -> list[IPv4Network]:
    """The node's prefixes whose preferred route is not in the kernel."""
    now = installed(namespace)
    return [
        route.prefix for route in node.routes if route.hops and now.get(route.prefix) != route.hops[0].address
    ]


def has_all_routes(node: NodeSpec, socket: Path) -> bool:
    """Whether the node's BIRD has every route including fallbacks, so that their BFD sessions are up.

    The other engines do not monitor gateways: there is nothing to wait for.
    """
    if not bird.routes(node):
        return True
    try:
        answer = run(bird.count_argv(socket))
    except LabError:
        return False  # still starting
    return bird.routes_in_table(answer) >= bird.routes_expected(node)


def come_back(node: NodeSpec, namespace: str) -> dict[IPv4Network, IPv4Address]:
    """Wait until a booted node has a route for each of its prefixes; return its routes.

    Its files may differ from the blueprint, so a missing route is not an error.
    """
    prefixes = {route.prefix for route in node.routes if route.hops}
    deadline = time.monotonic() + COME_BACK_S
    while prefixes - (found := installed(namespace)).keys() and time.monotonic() < deadline:
        time.sleep(POLL_S)
    return found


def settle(plan: Blueprint, names: Names, socket: Callable[[str], Path], check: Callable[[], None]) -> None:
    """Wait until every node uses its preferred route, with its fallback ready.

    LabError names a node that does not. `socket` returns a node's BIRD control socket by name; `check` is
    called between polls and may raise to stop waiting.
    """
    waiting = [node for node in plan.spaces if node.routes]
    deadline = time.monotonic() + SETTLE_S
    while waiting := [
        node
        for node in waiting
        if unsettled(node, names.node(node.name)) or not has_all_routes(node, socket(node.name))
    ]:
        if time.monotonic() > deadline:
            raise LabError(
                f"{waiting[0].name} did not get all its routes within {SETTLE_S:g} s.",
                f"Read the logs of {waiting[0].name}; a machine too busy for BFD may need a larger --bfd-ms.",
            )
        check()
        time.sleep(POLL_S)
