#!/usr/bin/env python3
"""`make bench-arp`: the ARP address rule over 10,000 nodes of one switch.

Measures processor seconds of this process, from the site's wiring as values to a line for every node. The
floor reads every address and number once and subtracts.
"""

from __future__ import annotations

import json
import sys
import time
from ipaddress import ip_interface
from pathlib import Path

BACKEND = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BACKEND))

from backstay.core.model.topology import Fabric, Node, Port, Topology  # noqa: E402
from backstay.core.planning.arp.members import Known, members  # noqa: E402
from backstay.core.planning.arp.rule import AddressRule, rule  # noqa: E402

NODES, RUNS = 10_000, 5
GOAL_S = 1.0
SWITCH = 1
WRONG = {77, 4_242, 9_999}
"""Nodes whose address does not fit their number."""


def site() -> Topology:
    """10,000 nodes in a row on 10.0.0.0/8; three have a wrong address."""
    nodes = {n: Node(n, f"sp{n:05}", "host", "compute", switch_number=n - 1) for n in range(1, NODES + 1)}
    ports = {n: Port(n, n, "css0", SWITCH, False, (_address(n),)) for n in nodes}
    fabric = Fabric(SWITCH, "sp-switch", "sp_switch", 960_000_000, 960_000_000, 65520, "off")
    return Topology("bench", {SWITCH: fabric}, nodes, ports, {})


def _address(number: int) -> str:
    second = 9 if number in WRONG else 1
    return f"10.{second}.{number // 256}.{number % 256}/8"


def checked(topology: Topology) -> AddressRule:
    """The computation of `GET /arp-policies/rule`."""
    return rule(members(topology, SWITCH, Known()))


def floor(topology: Topology) -> int:
    """The minimum work of any such check."""
    found = set()
    for port in topology.ports.values():
        interface = ip_interface(port.addresses[0])
        number = topology.nodes[port.node_id].switch_number or 0
        found.add(int(interface.ip) - int(interface.network.network_address) - number)
    return len(found)


def main() -> int:
    """Print one BENCH line; returns 1 if the goal is missed or the wrong nodes are not found."""
    times, floors = [], []
    for _ in range(RUNS):
        topology = site()
        began = time.process_time()
        result = checked(topology)
        times.append(time.process_time() - began)
        topology = site()
        began = time.process_time()
        floor(topology)
        floors.append(time.process_time() - began)
        if {line.member.node for line in result.broken} != WRONG:
            print("the rule did not find the nodes that break it")
            return 1
    ours, least = min(times), min(floors)
    row = {"ours": round(ours, 2), "floor": round(least, 3), "goal": GOAL_S, "unit": "CPU-s"}
    print(f"{NODES} nodes: {ours:.2f} CPU-s, the floor {least:.2f}, at most {GOAL_S:g} wanted")
    figures = {"arp_rule_10000_nodes": {**row, "met": ours <= GOAL_S}}
    print("BENCH " + json.dumps({"name": "arp", "figures": figures}))
    return 0 if ours <= GOAL_S else 1


if __name__ == "__main__":
    sys.exit(main())
