#!/usr/bin/env python3
"""`make bench-plan`: a plan for 1,000 nodes striped over 8 gateways, with every single failure analysed.

The site is synthetic: racks of 25 on a shared fabric, eight gateways with a link each to two routers, a
default route with two backups on every node, rack by rack, and the return path on both routers. Every node
has a BIRD boot file with its own router ID, runs a route that the plan replaces, and has traffic. Measures
processor seconds of this process.

    plan      from policies and observations to the sealed plan: routes, file texts, the checker's texts,
              failures, checks and digest. The floor renders only the texts.
    failures  only the failures. The peer forwards every node's packet again for every failure, the direct
              implementation; a sample is measured and scaled up. The floor forwards each packet once.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TypeVar

BACKEND = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BACKEND))

from backstay.core import rendering  # noqa: E402
from backstay.core.model.plan import Observation, Plan  # noqa: E402
from backstay.core.model.policy import FailoverIntent, ReturnPath, Stripe  # noqa: E402
from backstay.core.model.routing import (  # noqa: E402
    Detection,
    Engine,
    EngineKind,
    ObservedRouting,
    RunningHop,
    RunningRoute,
    SavedFile,
)
from backstay.core.model.search import Component  # noqa: E402
from backstay.core.model.topology import Fabric, Link, Node, Port, Topology  # noqa: E402
from backstay.core.planning.drafts import Drafts  # noqa: E402
from backstay.core.planning.plan import make_plan  # noqa: E402
from backstay.core.planning.whatif.failure import analyse  # noqa: E402
from backstay.core.planning.whatif.forwarding_sim import FailureScenario, NetworkState  # noqa: E402

NODES, GATEWAYS, ROUTERS, BACKUPS, RACK = 1000, 8, 2, 2, 25
GOAL_S = 2.0
SAMPLE = 4
"""Failures that the peer walks."""
LAN, WAN = 1, 2
BOOT_FILE = (
    "log syslog all;\nprotocol device { }\n"
    "protocol kernel { ipv4 { export all; }; }\nprotocol direct { ipv4; }\n"
)
T = TypeVar("T")
DEFAULT = ip_network("0.0.0.0/0")


class Cluster:
    """The synthetic site; node IDs from 1: hosts, then gateways, then routers."""

    def __init__(self, hosts: int, gateways: int = GATEWAYS) -> None:
        self.hosts = range(1, hosts + 1)
        self.gateways = range(hosts + 1, hosts + 1 + gateways)
        self.routers = range(hosts + 1 + gateways, hosts + 1 + gateways + ROUTERS)
        self._ports: list[Port] = []
        self._links: list[Link] = []
        for at, node in enumerate((*self.hosts, *self.gateways)):
            self._link(self._port(node, "e0", LAN, f"10.1.{at // 250}.{at % 250 + 1}/16"), None, LAN)
        for one, gateway in enumerate(self.gateways):
            for other, router in enumerate(self.routers):
                net = f"10.2.{one * ROUTERS + other}"
                here = self._port(gateway, f"w{other}", WAN, f"{net}.1/30")
                self._link(here, self._port(router, f"w{one}", WAN, f"{net}.2/30"), WAN)

    def topology(self) -> Topology:
        """As values."""
        kinds = dict.fromkeys(self.hosts, "host") | dict.fromkeys(self.gateways, "gateway")
        kinds |= dict.fromkeys(self.routers, "router")
        return Topology(
            site="bench",
            fabrics={
                LAN: Fabric(LAN, "lan", "infiniband", 10**10, 8 * 10**9, 65520, "on"),
                WAN: Fabric(WAN, "wan", "ethernet", 4 * 10**10, 4 * 10**10, 9000, "on"),
            },
            nodes={
                node: Node(
                    node, f"{kind[0]}{node:04}", kind, "", "", node, (("rack", str((node - 1) // RACK)),)
                )
                for node, kind in kinds.items()
            },
            ports={port.id: port for port in self._ports},
            links={link.id: link for link in self._links},
        )

    def policy(self) -> FailoverIntent:
        """Every host over its own gateway and two backups, and the return path."""
        return FailoverIntent(
            id=1,
            name="striped",
            nodes=tuple(self.hosts),
            prefix=DEFAULT,
            gateways=(),
            detection=Detection.CHECKER,
            target=ip_address("10.9.0.1"),
            stripe=Stripe(tuple(self.gateways), BACKUPS, by_label="rack"),
            back=ReturnPath(tuple(self.routers), ip_network("10.1.0.0/16"), ip_address("10.1.0.1")),
        )

    def observed(self) -> dict[int, ObservedRouting]:
        """Running routes: hosts use the first gateway."""
        first = next(port for port in self._ports if port.node_id == self.gateways[0])
        hop = RunningHop(ip_address(first.addresses[0].split("/")[0]), "e0", 60, active=True)
        routes = (RunningRoute(DEFAULT, (hop,)),)
        return {
            node: ObservedRouting(
                node, 0, f"{node:064x}", EngineKind.BIRD, True,
                routes if node in self.hosts else (),
                (_saved(node),),
            )
            for node in (*self.hosts, *self.routers)
        }  # fmt: skip

    def _port(self, node: int, name: str, fabric: int, address: str) -> Port:
        self._ports.append(Port(len(self._ports) + 1, node, name, fabric, False, (address,)))
        return self._ports[-1]

    def _link(self, a: Port, b: Port | None, fabric: int) -> None:
        self._links.append(Link(len(self._links) + 1, a.id, None if b is None else b.id, fabric, ""))


def _saved(node: int) -> SavedFile:
    own = f"router id 10.8.{node // 250}.{node % 250 + 1};\n"
    return SavedFile("/etc/bird.conf", f"{node:064x}", BOOT_FILE + own)


def main() -> None:
    """Measure, print a table and one line `BENCH {...}`."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    cluster = Cluster(options.nodes)
    engines = {node: Engine(EngineKind.BIRD, "/etc/bird.conf") for node in (*cluster.hosts, *cluster.routers)}
    load = Observation(demand=dict.fromkeys(cluster.hosts, (30_000_000, 10_000_000)))
    observed, policy = cluster.observed(), cluster.policy()

    def plan() -> Plan:
        return make_plan(
            cluster.topology(), [policy], observed, engines, load, confirmed={}, wave_limit=options.nodes
        )

    made = [_timed(plan) for _ in range(options.rounds)]
    found = made[0][1]
    if found.blocked or len({item.digest for _, item in made}) != 1:
        raise RuntimeError("\n".join(finding.text for finding in found.findings if finding.level == "failed"))
    routings = {node.routing.node_id: node.routing for node in found.nodes}
    drafts = Drafts(cluster.topology(), observed, {}, rendering, {})
    texts, _ = _timed(lambda: drafts.make(routings))
    walked, _ = _timed(lambda: analyse(cluster.topology(), routings, observed, load))
    failures = [(impact.kind, impact.ident) for impact in found.impacts[1:]]
    chosen = failures[:: max(len(failures) // SAMPLE, 1)]
    anew, _ = _timed(lambda: [_walk(cluster.topology(), found, failed) for failed in chosen])
    once, _ = _timed(lambda: _walk(cluster.topology(), found, None))
    _print_site(found)
    whole = _figure(min(seconds for seconds, _ in made), texts, GOAL_S)
    alone = _figure(walked, once, GOAL_S) | {
        "peer": round(anew * len(failures) / len(chosen), 2),
        "peer_name": "every node walked anew for every failure",
    }
    _print({"plan_1000_nodes_8_gateways": whole, "failures_1000_nodes_8_gateways": alone})


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    begun = time.process_time()
    done = work()
    return time.process_time() - begun, done


def _walk(topology: Topology, plan: Plan, failed: Component | None) -> int:
    """Forward every node's packet singly; returns how many arrive."""
    world = NetworkState(topology, {item.routing.node_id: item.routing for item in plan.nodes})
    scene = FailureScenario(world, *([failed] if failed else []))
    arrived = 0
    for item in plan.nodes:
        for route in item.routing.routes:
            node = item.routing.node_id
            steps = world.steps(node, route)
            choice, _ = scene.choose(node, steps, world.goal(route), world.probed(route))
            arrived += choice.beyond.delivered
    return arrived


def _figure(ours: float, floor: float, goal: float) -> dict[str, object]:
    return {
        "ours": round(ours, 2), "floor": round(floor, 3), "goal": goal, "unit": "CPU-s", "met": ours <= goal,
    }  # fmt: skip


def _print_site(plan: Plan) -> None:
    routes = sum(len(node.routing.routes) for node in plan.nodes)
    print(f"{len(plan.nodes)} nodes, {routes} routes, {GATEWAYS} gateways: {len(plan.impacts) - 1} failures,")
    shapes = len({node.shape for node in plan.nodes})
    print(f"{shapes} shapes, waves of {', '.join(str(len(wave)) for wave in plan.waves)}")


def _print(figures: dict[str, dict[str, object]]) -> None:
    print(f"{'':32}{'ours':>8}{'peer':>10}{'floor':>8}{'goal':>6}  CPU-s")
    for name, row in figures.items():
        met = "met" if row["met"] else "NOT met"
        print(f"{name:32}{row['ours']:>8}{row.get('peer', '-'):>10}{row['floor']:>8}{row['goal']:>6}  {met}")
    print(
        f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; above 1 each, all is slower"
    )
    print("BENCH " + json.dumps({"name": "plan", "figures": figures}))


if __name__ == "__main__":
    main()
