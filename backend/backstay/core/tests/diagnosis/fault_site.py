"""A small Argonne as values, with the observations of each fault.

Compute nodes, a GigaRouter `grf1` polled by `mgmt1`, and an ATM gateway `atmgw` on one switch; servers and
the division router behind them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from backstay.core.diagnosis.faults.fault import Fault
from backstay.core.diagnosis.faults.observations import (
    GatewayProbe,
    Observations,
    PathObservation,
    PortCarrier,
)
from backstay.core.diagnosis.faults.search import find_faults
from backstay.core.model.topology import Fabric, Link, Node, Port, Topology

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FABRICS = ("sp-switch", "hippi", "atm-oc12", "atm-oc3")
KINDS = {"grf1": "gateway", "atmgw": "gateway", "router": "router"}
PORTS = (
    ("grf1", "gt000", "sp-switch", "10.1.0.16/24"),
    ("grf1", "gh010", "hippi", "10.2.0.1/30"),
    ("grf1", "ga030", "atm-oc12", "10.3.0.1/30"),
    ("grf1", "ga031", "atm-oc12", "10.3.0.5/30"),
    ("atmgw", "css0", "sp-switch", "10.1.0.15/24"),
    ("atmgw", "at0", "atm-oc3", "10.3.0.9/30"),
    ("onyx1", "hip0", "hippi", "10.2.0.2/30"),
    ("origin1", "at0", "atm-oc12", "10.3.0.2/30"),
    ("origin1", "at1", "atm-oc12", "10.3.0.13/30"),
    ("router", "at0", "atm-oc12", "10.3.0.6/30"),
    ("router", "at1", "atm-oc3", "10.3.0.10/30"),
    ("router", "at2", "atm-oc12", "10.3.0.14/30"),
)
CABLES = (
    ("grf1:gh010", "onyx1:hip0"),
    ("grf1:ga030", "origin1:at0"),
    ("grf1:ga031", "router:at0"),
    ("atmgw:at0", "router:at1"),
    ("origin1:at1", "router:at2"),
)


@dataclass
class FaultSite:
    """The topology, and everything that is observed 30 s after a fault; healthy at first."""

    compute: int = 4
    ids: dict[str, int] = field(default_factory=dict)
    down: set[str] = field(default_factory=set)
    """Ports that report no carrier, `node:port`."""
    unreachable: set[tuple[str, str]] = field(default_factory=set)
    """(node, gateway): probes without an answer."""
    blocked: set[tuple[str, str]] = field(default_factory=set)
    """(node, gateway): the target does not answer through it."""
    active: dict[str, str] = field(default_factory=dict)
    """Node -> gateway in use, if not the preferred one."""
    targets: dict[str, str] = field(default_factory=dict)
    """Node -> target, if not that of `policies`."""
    moved: timedelta | None = None
    """Since when the gateways in `active` are in use, if not for `age`."""
    dead: set[str] = field(default_factory=set)
    """Nodes whose target does not answer."""
    silent: set[str] = field(default_factory=set)
    """Nodes that do not report."""
    late: set[str] = field(default_factory=set)
    """Nodes whose newest report is old, and that are not missing yet."""
    age: timedelta = timedelta(seconds=30)
    """Since when all this is so."""

    def __post_init__(self) -> None:
        self.sp = [f"sp{number:02}" for number in range(1, self.compute + 1)]
        nodes = [*self.sp, "grf1", "atmgw", "onyx1", "origin1", "router", "mgmt1"]
        self.ids |= {name: number for number, name in enumerate((*FABRICS, *nodes), start=1)}
        self.topology = self._topology(nodes)

    def _topology(self, nodes: list[str]) -> Topology:
        ports = [(name, "css0", "sp-switch", f"10.1.0.{100 + self.ids[name]}/24") for name in self.sp]
        for number, (node, port, _, _) in enumerate((*ports, *PORTS), start=100):
            self.ids[f"{node}:{port}"] = number
        known = {
            self.ids[f"{node}:{port}"]: Port(
                self.ids[f"{node}:{port}"], self.ids[node], port, self.ids[fabric], False, (address,)
            )
            for node, port, fabric, address in (*ports, *PORTS)
        }
        shared = [port.id for port in known.values() if port.fabric_id == self.ids["sp-switch"]]
        links: list[tuple[int, int | None]] = [(port, None) for port in shared]
        links += [(self.ids[one], self.ids[other]) for one, other in CABLES]
        return Topology(
            site="argonne",
            fabrics={
                self.ids[name]: Fabric(self.ids[name], name, "atm", 10**9, 10**9, 9180, "on")
                for name in FABRICS
            },
            nodes={
                self.ids[name]: Node(self.ids[name], name, KINDS.get(name, "host"), "compute")
                for name in nodes
            },
            ports=known,
            links={
                number: Link(number, a, b, known[a].fabric_id or 0, "")
                for number, (a, b) in enumerate(links, start=300)
            },
        )

    def policies(self) -> list[tuple[str, str, tuple[str, ...], str]]:
        """(node, prefix, gateways, target)."""
        sp01 = self.topology.ports[self.ids["sp01:css0"]].addresses[0].partition("/")[0]
        sp02 = self.topology.ports[self.ids["sp02:css0"]].addresses[0].partition("/")[0]
        return [
            *((node, "0.0.0.0/0", ("grf1", "atmgw"), "10.9.0.1") for node in self.sp),
            ("router", "10.1.0.0/24", ("grf1", "atmgw"), sp02),
            ("origin1", "10.1.0.0/24", ("grf1", "router"), sp01),
        ]

    def observations(self, *, reverse: bool = False) -> Observations:
        """The same observations, the rows in either order."""
        since = NOW - self.age
        paths = [self._path(number, *policy) for number, policy in enumerate(self.policies(), start=500)]
        ports = {
            port.id: PortCarrier(self._name(port) not in self.down, since)
            for port in self.topology.ports.values()
        }
        names = {node.id: node.name for node in self.topology.nodes.values()}
        missing = {node for node, name in names.items() if name in self.silent}
        reported = {node: since if node in missing else NOW for node in names}
        step = -1 if reverse else 1
        return Observations(
            topology=self.topology,
            now=NOW,
            paths=tuple(paths[::step]),
            ports=dict(list(ports.items())[::step]),
            reported_at=dict(list(reported.items())[::step]),
            reporting=frozenset(node for node, name in names.items() if name not in self.silent | self.late),
            silent=frozenset(missing),
            reporters={node: node for node in names} | {self.ids["grf1"]: self.ids["mgmt1"]},
        )

    def _name(self, port: Port) -> str:
        return f"{self.topology.nodes[port.node_id].name}:{port.name}"

    def _path(
        self, number: int, node: str, prefix: str, gateways: tuple[str, ...], target: str
    ) -> PathObservation:
        since = NOW - self.age
        active = self.active.get(node, gateways[0])
        return PathObservation(
            id=number,
            node_id=self.ids[node],
            policy_id=1,
            prefix=prefix,
            gateways=tuple(self.ids[name] for name in gateways),
            active=self.ids[active],
            has_route=True,
            active_since=NOW - self.moved if self.moved and node in self.active else since,
            at=NOW,
            target=self.targets.get(node, target),
            target_alive=node not in self.dead,
            target_since=since,
            probes={
                self.ids[name]: GatewayProbe(
                    (node, name) not in self.unreachable,
                    (node, name) not in self.unreachable | self.blocked,
                    since if (node, name) in self.unreachable else NOW - timedelta(hours=1),
                )
                for name in gateways
            },
        )

    def faults(self) -> list[Fault]:
        """What is found."""
        return list(find_faults(self.observations()))

    def roots(self) -> list[tuple[str, str]]:
        """(kind, subject) of each fault."""
        return [(fault.kind.value, fault.subject) for fault in self.faults()]

    def probers(self, gateway: str) -> list[str]:
        return [node for node, _, gateways, _ in self.policies() if gateway in gateways]

    def path_ids(self, nodes: Iterable[str]) -> tuple[int, ...]:
        names = set(nodes)
        return tuple(number for number, (node, *_) in enumerate(self.policies(), start=500) if node in names)

    def fail(self, gateway: str, *, static: Collection[str] = ()) -> None:
        """Nobody reaches the gateway; nodes fail over, except `static` ones."""
        for node, _, gateways, _ in self.policies():
            if gateway in gateways:
                self.unreachable.add((node, gateway))
                others = [name for name in gateways if name != gateway]
                if node in static:
                    self.dead.add(node)
                elif self.active.get(node, gateways[0]) == gateway and (
                    (node, others[0]) not in self.unreachable
                ):
                    self.active[node] = others[0]

    def cut(self, gateway: str, *, static: Collection[str] = ()) -> None:
        """All its links lose the carrier."""
        for one, other in CABLES:
            if gateway in {one.partition(":")[0], other.partition(":")[0]}:
                self.down |= {one, other}
        self.down |= {f"{node}:{port}" for node, port, _, _ in PORTS if node == gateway}
        self.fail(gateway, static=static)

    def silence(self, gateway: str, *, static: Collection[str] = ()) -> None:
        """Links stay up, nothing answers, and it does not report."""
        self.silent.add(gateway)
        self.fail(gateway, static=static)

    def blackhole(self, gateway: str) -> None:
        """It answers and does not forward: every path through it is dead."""
        for node, _, gateways, _ in self.policies():
            if gateway in gateways:
                self.blocked.add((node, gateway))
                if self.active.get(node, gateways[0]) == gateway:
                    self.dead.add(node)

    def leave(self, gateway: str) -> None:
        """A checker has moved every path off a gateway that answers and does not forward."""
        for node, _, gateways, _ in self.policies():
            if gateways[0] == gateway:
                self.blocked.add((node, gateway))
                self.active[node] = gateways[1]
