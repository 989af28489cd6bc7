"""ARP peers of a port, and the permanent entries that replace ARP."""

from __future__ import annotations

import json

from backstay_lab.blueprint import Blueprint, End
from backstay_lab.errors import LabError
from backstay_lab.naming import Names
from backstay_lab.programs import run


def peers_of(plan: Blueprint, target: End) -> list[End]:
    """The ports that a port resolves by ARP: all others of a shared fabric, else the other end of its link.

    LabError for a port without an address or on a fabric without ARP.
    """
    node = plan.node(target.node)
    port = next((port for port in node.ports if port.name == target.port), None)
    if port is None or port.address is None or not plan.has_device(node, port):
        names = ", ".join(port.name for port in node.ports if port.address is not None)
        raise LabError(f"{target.node} has no port {target.port} with an address.", f"It has: {names}.")
    fabric = plan.fabric(port.fabric)
    if fabric.wiring != "veth":
        raise LabError(
            f"{target.node}:{target.port} is on {fabric.name}, which has no ARP.", "Name another port."
        )
    if fabric.shared:
        return [
            End(other.name, item.name)
            for other in plan.nodes
            for item in other.ports
            if item.fabric == fabric.name and other.name != node.name and plan.has_device(other, item)
        ]
    ends = [(link.a, link.b) for link in plan.links if link.fabric == fabric.name and link.b is not None]
    return [b if a == target else a for a, b in ends if target in {a, b}]


def enter(plan: Blueprint, names: Names, target: End, *, forget: bool) -> int:
    """Set or remove permanent entries of all peers on a port; the number of peers."""
    peers = [end for end in peers_of(plan, target) if plan.node(end.node).port(end.port).address is not None]
    of_node = ["ip", "-n", names.node(target.node)]
    if forget:
        run([*of_node, "neigh", "flush", "dev", target.port, "nud", "permanent"])
        return len(peers)
    lines = [
        f"neigh replace {plan.node(end.node).port(end.port).interface.ip}"
        f" lladdr {_hardware_address(names, end)} dev {target.port} nud permanent"
        for end in peers
    ]
    run([*of_node, "-batch", "-"], text="\n".join(lines) + "\n")
    return len(peers)


def _hardware_address(names: Names, end: End) -> str:
    output = run(["ip", "-json", "-n", names.node(end.node), "link", "show", "dev", end.port])
    return str(json.loads(output)[0]["address"])
