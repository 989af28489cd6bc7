"""The site file of a cluster with a given number of nodes, and the names and ports in it.

Racks of 25 hosts on a switch, two spine switches, eight gateways between the hosts' network and two routers,
and a management host for each 100 switches, which it polls by SNMP. A host has eight ports: `eth0` on the
hosts' network, `eth1` on the storage network, and six unused ones that only its agent names. Every host
follows one policy: the gateways share the racks, each with two backups, and both routers have the return
path.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

Json = dict[str, Any]
SITE, POLICY = "growth", "outside"
RACK, GATEWAYS, ROUTERS, SPINES, POLLED, BACKUPS = 25, 8, 2, 2, 100, 2
PORTS = [f"eth{number}" for number in range(8)]
USED = frozenset(PORTS[:2])
BROKEN = 3
"""Hosts without carrier on the storage network: a few incidents at any size."""
GATEWAY_PORTS = ["e0", "w0", "w1"]
PREFIX, TARGET, NETWORK, ADDRESS = "0.0.0.0/0", "10.9.0.1", "10.1.0.0/16", "10.1.0.1"
INTERVAL_S = 3600
"""The longest: nothing becomes stale while a slow machine measures."""
CONFIG = "/etc/bird/bird.conf"
"""The default of the site file."""


class Cluster:
    """The site with `size` nodes, or one or two fewer: racks are whole but for the last."""

    def __init__(self, size: int) -> None:
        self.hosts = [f"h{number:05}" for number in range(_hosts(size))]
        self.switches = [f"rack{number:03}" for number in range(_racks(len(self.hosts)))]
        self.spines = [f"spine{number}" for number in range(SPINES)]
        self.gateways = [f"gw{number}" for number in range(GATEWAYS)]
        self.routers = [f"router{number}" for number in range(ROUTERS)]
        self.managers = [f"mgmt{number}" for number in range(_managers(len(self.switches)))]

    @cached_property
    def ports(self) -> Mapping[str, list[str]]:
        """Port names of each node that has any."""
        found = dict.fromkeys(self.hosts, PORTS)
        found |= dict.fromkeys(self.gateways, GATEWAY_PORTS)
        found |= {router: [f"w{number}" for number in range(GATEWAYS)] for router in self.routers}
        found |= {switch: self._switch_ports(rack) for rack, switch in enumerate(self.switches)}
        for number, spine in enumerate(self.spines):
            gateways = (f"g{gateway}" for gateway in range(number, GATEWAYS, SPINES))
            found[spine] = [*(f"r{rack}" for rack in range(len(self.switches))), *gateways]
        return found

    @property
    def addresses(self) -> Mapping[str, list[str]]:
        """Addresses by `node:port`."""
        return {
            f"{node['name']}:{port['name']}": port["addresses"]
            for node in self._nodes()
            for port in node["ports"]
            if port.get("addresses")
        }

    @property
    def up(self) -> frozenset[str]:
        """`node:port` of every port with carrier: of all links but a few of the storage network."""
        linked = {end for link in self._links() for end in link.values()}
        return frozenset(linked - {f"{host}:eth1" for host in self.hosts[:BROKEN]})

    def watcher(self, switch: str) -> str:
        """The management host that polls a switch."""
        known = [*self.spines, *self.switches]
        return self.managers[known.index(switch) // POLLED]

    def site_file(self, title: str = "") -> str:
        """The text, JSON; `title` is that of the first host."""
        fabrics = [
            {"name": "lan", "kind": "ethernet", "media_rate": "25 Gb/s", "mtu": 9000},
            {"name": "san", "kind": "ethernet", "media_rate": "25 Gb/s", "mtu": 9000},
            {"name": "wan", "kind": "ethernet", "media_rate": "100 Gb/s", "mtu": 9000},
        ]
        nodes = list(self._nodes())
        nodes[0]["title"] = title
        return json.dumps(
            {
                "site": SITE,
                "interval_s": INTERVAL_S,
                "wave_limit": 10_000,
                "fabrics": fabrics,
                "nodes": nodes,
                "links": list(self._links()),
                "failover_policies": [self._policy()],
            },
            separators=(",", ":"),
        )

    def _nodes(self) -> Iterator[Json]:
        routed = {"routing": {"engine": "bird"}}
        for number, host in enumerate(self.hosts):
            place = f"{number // 200}.{number % 200 + 1}"
            addresses = {"eth0": ("lan", f"10.1.{place}/16"), "eth1": ("san", f"10.3.{place}/16")}
            labels = {"labels": {"rack": str(number // RACK)}}
            yield {**_linux(host, "host", addresses), **labels, **routed}
        for number, gateway in enumerate(self.gateways):
            addresses = {"e0": ("lan", f"10.1.250.{number + 1}/16")}
            addresses |= {f"w{far}": ("wan", f"10.2.{number * ROUTERS + far}.1/30") for far in range(ROUTERS)}
            yield _linux(gateway, "gateway", addresses)
        for number, router in enumerate(self.routers):
            addresses = {
                f"w{near}": ("wan", f"10.2.{near * ROUTERS + number}.2/30") for near in range(GATEWAYS)
            }
            yield {**_linux(router, "router", addresses), **routed}
        for manager in self.managers:
            yield {**_linux(manager, "host", {}), "role": "management"}
        for number, switch in enumerate([*self.spines, *self.switches]):
            yield self._switch(switch, number)

    def _switch(self, name: str, number: int) -> Json:
        access = {"version": "2c", "community": f"secret of {name}"}
        source = {"kind": "snmp", "address": f"10.255.{number // 250}.{number % 250 + 1}", "access": access}
        ports = [
            {"name": port, "fabric": "san" if port.startswith("s") else "lan"} for port in self.ports[name]
        ]
        return {
            "name": name,
            "kind": "switch",
            "agent": self.watcher(name),
            "sources": [source],
            "ports": ports,
        }

    def _switch_ports(self, rack: int) -> list[str]:
        hosts = range(min(RACK, len(self.hosts) - rack * RACK))
        return [f"{kind}{host}" for kind in "ls" for host in hosts] + [f"u{up}" for up in range(SPINES)]

    def _links(self) -> Iterator[dict[str, str]]:
        for number, host in enumerate(self.hosts):
            switch, place = self.switches[number // RACK], number % RACK
            yield {"a": f"{host}:eth0", "b": f"{switch}:l{place}"}
            yield {"a": f"{host}:eth1", "b": f"{switch}:s{place}"}
        for rack, switch in enumerate(self.switches):
            for up, spine in enumerate(self.spines):
                yield {"a": f"{switch}:u{up}", "b": f"{spine}:r{rack}"}
        for number, gateway in enumerate(self.gateways):
            yield {"a": f"{gateway}:e0", "b": f"{self.spines[number % SPINES]}:g{number}"}
            for far, router in enumerate(self.routers):
                yield {"a": f"{gateway}:w{far}", "b": f"{router}:w{number}"}

    def _policy(self) -> Json:
        return {
            "name": POLICY,
            "nodes": ["h*"],
            "prefix": PREFIX,
            "gateways": self.gateways,
            "detection": "checker",
            "target": TARGET,
            "stripe": {"backups": BACKUPS, "by_label": "rack"},
            "return_path": {"routers": self.routers, "prefix": NETWORK, "target": ADDRESS},
        }


def _linux(name: str, kind: str, addresses: Mapping[str, tuple[str, str]]) -> Json:
    """A node with its own agent; `addresses`: port -> fabric and address."""
    ports = [
        {"name": port, "fabric": fabric, "addresses": [address]}
        for port, (fabric, address) in addresses.items()
    ]
    return {"name": name, "kind": kind, "agent": "self", "sources": [{"kind": "linux"}], "ports": ports}


def _hosts(size: int) -> int:
    """The largest number of hosts with which the whole site has at most `size` nodes."""
    hosts = size
    while hosts + _others(hosts) > size:
        hosts -= 1
    return hosts


def _others(hosts: int) -> int:
    racks = _racks(hosts)
    return racks + SPINES + GATEWAYS + ROUTERS + _managers(racks)


def _racks(hosts: int) -> int:
    return -(-hosts // RACK)


def _managers(racks: int) -> int:
    return -(-(racks + SPINES) // POLLED)
