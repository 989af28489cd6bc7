"""What the nodes' kernels route by, and the wait until routing has settled after `up` or `restore`."""

from __future__ import annotations

import json
import time
from ipaddress import IPv4Address, IPv4Network

from backstay_lab.blueprint import Blueprint, Node
from backstay_lab.errors import LabError
from backstay_lab.naming import Names
from backstay_lab.programs import run

SETTLE_S = 20.0
POLL_S = 0.1


def installed(namespace: str) -> dict[IPv4Network, IPv4Address]:
    """The routes that BIRD has put into a namespace's kernel: prefix to next hop."""
    shown = run(["ip", "-n", namespace, "-json", "route", "show", "proto", "bird"])
    return {
        IPv4Network("0.0.0.0/0" if route["dst"] == "default" else route["dst"]): IPv4Address(route["gateway"])
        for route in json.loads(shown or "[]")
        if "gateway" in route
    }


def unsettled(node: Node, namespace: str) -> list[IPv4Network]:
    """The node's prefixes whose preferred route is not in the kernel."""
    now = installed(namespace)
    return [
        route.prefix for route in node.routes if route.hops and now.get(route.prefix) != route.hops[0].address
    ]


def settle(plan: Blueprint, names: Names) -> None:
    """Wait until every node routes by its first choice; LabError names a node that does not."""
    waiting = [node for node in plan.nodes if node.routes]
    deadline = time.monotonic() + SETTLE_S
    while waiting:
        waiting = [node for node in waiting if unsettled(node, names.node(node.name))]
        if waiting and time.monotonic() > deadline:
            node = waiting[0]
            prefix = unsettled(node, names.node(node.name))
            raise LabError(
                f"{node.name} did not get its preferred route to {prefix} within {SETTLE_S:g} s.",
                f"Read {node.name}-bird.log; a machine that is too busy for BFD may need a larger --bfd-ms.",
            )
        if waiting:
            time.sleep(POLL_S)
