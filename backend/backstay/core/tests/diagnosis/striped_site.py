"""A small sdsc as values: clients in quadrants, each routed over its own gateway, and movers behind them.

The stripe is not deployed: no client has a preferred gateway, and none leaves a dead one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from backstay.core.diagnosis.faults.observations import (
    GatewayProbe,
    Observations,
    PathObservation,
    PortCarrier,
)
from backstay.core.diagnosis.faults.search import find_faults
from backstay.core.model.topology import Fabric, Link, Node, Port, Topology
from backstay.core.tests.diagnosis.fault_site import NOW

COLONY, GBE = 1, 2
GATEWAYS = ("gw1", "gw2", "gw3", "gw4")
CLIENTS = tuple(f"bh{number:03}" for number in range(1, 9))
MOVERS = ("mover1", "mover2")
TARGET = "10.2.0.11"
FIRST_PATH = 500


def _port(number: int, node: str) -> list[tuple[str, str, int, str]]:
    colony = (node, "css0", COLONY, f"10.1.0.{number}/16")
    gbe = (node, "en1", GBE, f"10.2.0.{number if node in GATEWAYS else number - 2}/24")
    if node in GATEWAYS:
        return [colony, gbe]
    return [colony] if node in CLIENTS else [gbe]


@dataclass
class StripedSite:
    """What is observed 30 s after a fault; healthy at first."""

    down: set[str] = field(default_factory=set)
    """Ports without carrier, `node:port`."""
    unreachable: set[tuple[str, str]] = field(default_factory=set)
    """(client, gateway): probes without an answer."""
    blocked: set[str] = field(default_factory=set)
    """Gateways through which the target does not answer."""
    routeless: set[str] = field(default_factory=set)
    """Clients without a route."""
    dead: set[str] = field(default_factory=set)
    """Clients whose target does not answer."""
    silent: set[str] = field(default_factory=set)
    """Nodes that do not report."""

    def __post_init__(self) -> None:
        names = (*GATEWAYS, *CLIENTS, *MOVERS)
        # gw1 to gw4 have the host numbers 1 to 4, mover1 the target's address.
        self.ids = {name: number for number, name in enumerate(names, start=1)}
        ports = [port for name in names for port in _port(self.ids[name], name)]
        known = {
            number: Port(number, self.ids[node], port, fabric, False, (address,))
            for number, (node, port, fabric, address) in enumerate(ports, start=100)
        }
        kinds = dict.fromkeys(GATEWAYS, "gateway")
        self.topology = Topology(
            site="sdsc",
            fabrics={
                number: Fabric(number, name, "ethernet", 10**9, 10**9, 9000, "on")
                for number, name in ((COLONY, "colony"), (GBE, "gbe"))
            },
            nodes={self.ids[name]: Node(self.ids[name], name, kinds.get(name, "host"), "") for name in names},
            ports=known,
            links={
                200 + port.id: Link(200 + port.id, port.id, None, port.fabric_id or 0, "")
                for port in known.values()
            },
        )

    def home(self, client: str) -> str:
        """The gateway of the client's quadrant."""
        return GATEWAYS[CLIENTS.index(client) * len(GATEWAYS) // len(CLIENTS)]

    def path_ids(self, *gateways: str) -> tuple[int, ...]:
        """Paths of the quadrants of these gateways."""
        return tuple(
            number for number, client in enumerate(CLIENTS, start=FIRST_PATH) if self.home(client) in gateways
        )

    def observations(self) -> Observations:
        names = {node.id: node.name for node in self.topology.nodes.values()}
        since = NOW - timedelta(seconds=30)
        missing = frozenset(node for node, name in names.items() if name in self.silent)
        return Observations(
            topology=self.topology,
            now=NOW,
            paths=tuple(self._path(number, name) for number, name in enumerate(CLIENTS, start=FIRST_PATH)),
            ports={
                port.id: PortCarrier(f"{names[port.node_id]}:{port.name}" not in self.down, since)
                for port in self.topology.ports.values()
            },
            reported_at={node: since if node in missing else NOW for node in names},
            reporting=frozenset(names) - missing,
            silent=missing,
            reporters={node: node for node in names},
        )

    def _path(self, number: int, client: str) -> PathObservation:
        since = NOW - timedelta(seconds=30)
        has_route = client not in self.routeless
        return PathObservation(
            id=number,
            node_id=self.ids[client],
            policy_id=1,
            prefix="10.2.0.0/24",
            gateways=tuple(self.ids[name] for name in GATEWAYS),
            active=self.ids[self.home(client)] if has_route else None,
            has_route=has_route,
            is_assigned=False,
            active_since=since,
            at=NOW,
            target=TARGET,
            target_alive=client not in self.dead,
            target_since=since,
            probes={
                self.ids[name]: GatewayProbe(
                    (client, name) not in self.unreachable,
                    (client, name) not in self.unreachable and name not in self.blocked,
                    since if (client, name) in self.unreachable else NOW - timedelta(hours=1),
                )
                for name in GATEWAYS
            },
        )

    def roots(self) -> list[tuple[str, str, tuple[int, ...]]]:
        """(kind, subject, dead paths) of each fault."""
        return [
            (fault.kind.value, fault.subject, fault.dead_paths) for fault in find_faults(self.observations())
        ]

    def _stop(self, gateway: str) -> None:
        self.dead |= {client for client in CLIENTS if self.home(client) == gateway}

    def cut(self, gateway: str) -> None:
        """Its ports lose the carrier; those of its peers on the shared fabrics do not."""
        self.down |= {f"{gateway}:css0", f"{gateway}:en1"}
        self.mute(gateway)

    def mute(self, gateway: str) -> None:
        """It receives and reports, and sends nothing (one-way loss)."""
        self.unreachable |= {(client, gateway) for client in CLIENTS}
        self._stop(gateway)

    def silence(self, gateway: str) -> None:
        """It answers nobody and does not report."""
        self.silent.add(gateway)
        self.mute(gateway)

    def blackhole(self, gateway: str) -> None:
        """It answers and does not forward."""
        self.blocked.add(gateway)
        self._stop(gateway)

    def cut_colony(self) -> None:
        """Every port of the switch loses the carrier, and the clients their routes."""
        self.down |= {f"{name}:css0" for name in (*CLIENTS, *GATEWAYS)}
        self.unreachable |= {(client, name) for client in CLIENTS for name in GATEWAYS}
        self.routeless |= set(CLIENTS)
        self.dead |= set(CLIENTS)
