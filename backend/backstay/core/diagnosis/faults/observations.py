"""What is observed of a site at one moment: the input of `find_faults`.

Only nodes in `reporting` count as observers: the last values of the others describe the past.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

from backstay.core.diagnosis.faults.fault import EvidenceSource
from backstay.core.diagnosis.faults.routes import RouteIndex, onward_views
from backstay.core.model.search import ForwardingPath, destination
from backstay.core.model.topology import Link, Port, Topology, Vertex

STANDBY_SETTLED = timedelta(seconds=20)
"""A probe through a standby is up to ten seconds old, so it counts this long after a change."""


@dataclass(frozen=True, slots=True)
class PortCarrier:
    """A port as its device last reported it."""

    is_up: bool | None
    since: datetime | None
    is_enabled: bool = True
    """False: administratively down."""


@dataclass(frozen=True, slots=True)
class GatewayProbe:
    """What one node's probes show about one gateway."""

    is_alive: bool | None
    """Whether the gateway itself answers."""
    forwards: bool | None = None
    """Whether the path's target answers through it; a probe every 10 s, so it is late."""
    since: datetime | None = None
    """Last change of `is_alive`."""


@dataclass(frozen=True, slots=True)
class PathObservation:
    """One node's path under one policy."""

    id: int
    node_id: int
    policy_id: int
    prefix: str
    gateways: tuple[int, ...]
    """In order of preference, if `is_assigned`."""
    active: int | None
    """The gateway in use; None: no route, or one that the policy does not name."""
    has_route: bool
    is_assigned: bool = True
    """False: a stripe has not assigned an order of gateways to the node, so none of them is preferred."""
    active_since: datetime | None = None
    at: datetime | None = None
    """Time of the newest report; None: never observed."""
    target: str | None = None
    target_alive: bool | None = None
    target_since: datetime | None = None
    probes: Mapping[int, GatewayProbe] = field(default_factory=dict)
    is_deliberate: bool = False
    """Whether an operator moved or holds the path."""
    is_healthy: bool = field(init=False, compare=False)
    """Whether the path works on its preferred gateway and no probe of it fails: it shows no fault."""

    def __post_init__(self) -> None:
        """Decide once: rounds keep observations, and nearly all paths are healthy."""
        is_healthy = (
            self.at is not None
            and not self.is_dead
            and self.preferred in {None, self.active}
            and all(p.is_alive is not False and p.forwards is not False for p in self.probes.values())
        )
        object.__setattr__(self, "is_healthy", is_healthy)

    @property
    def preferred(self) -> int | None:
        """The first gateway; None while a stripe has not assigned one."""
        return next(iter(self.gateways), None) if self.is_assigned else None

    @property
    def is_dead(self) -> bool:
        """Whether the path was observed and carries no traffic."""
        return self.at is not None and (not self.has_route or self.target_alive is False)

    @property
    def dead_since(self) -> datetime | None:
        """Since when the path is dead, or None."""
        if not self.is_dead:
            return None
        return (self.target_since if self.has_route else self.active_since) or self.at

    @property
    def is_rerouted(self) -> bool:
        """Whether the path left its preferred gateway by itself."""
        return (
            self.active is not None and self.preferred not in {None, self.active} and not self.is_deliberate
        )


@dataclass(frozen=True)
class Observations:
    """A site at `now`."""

    topology: Topology
    now: datetime
    paths: tuple[PathObservation, ...] = ()
    ports: Mapping[int, PortCarrier] = field(default_factory=dict)
    """By port id."""
    reported_at: Mapping[int, datetime | None] = field(default_factory=dict)
    """Node id -> last report, of the nodes that an agent collects from."""
    reporting: frozenset[int] = frozenset()
    silent: frozenset[int] = frozenset()
    """Nodes that have not reported for so long that it is an incident."""
    reporters: Mapping[int, int] = field(default_factory=dict)
    """Node id -> the node whose agent reports it."""
    known_routes: RouteIndex | None = field(default=None, compare=False)
    """Routes that were computed for earlier observations of the same topology and onward gateways."""

    @cached_property
    def late(self) -> frozenset[int]:
        """Nodes that have reported, and do not report now; `silent` ones are among them."""
        known = (node for node, at in self.reported_at.items() if at is not None)
        return self.silent | (frozenset(known) - self.reporting)

    @cached_property
    def observers(self) -> tuple[PathObservation, ...]:
        """Paths of reporting nodes, by id."""
        known = (path for path in self.paths if path.node_id in self.reporting and path.at is not None)
        return tuple(sorted(known, key=lambda path: path.id))

    @cached_property
    def down_ports(self) -> frozenset[int]:
        """Ports without carrier, of reporting nodes."""
        return frozenset(port for port in self._down if self.topology.ports[port].node_id in self.reporting)

    @cached_property
    def last_down_ports(self) -> frozenset[int]:
        """Ports without carrier in the last report of nodes that do not report now."""
        return self._down - self.down_ports

    @cached_property
    def _down(self) -> frozenset[int]:
        known = self.topology.ports
        return frozenset(port for port, item in self.ports.items() if item.is_up is False and port in known)

    @cached_property
    def unhealthy(self) -> tuple[PathObservation, ...]:
        """Paths of reporting nodes that may show a fault, by id."""
        return tuple(path for path in self.observers if not path.is_healthy)

    @cached_property
    def routes(self) -> RouteIndex:
        """The paths through the topology."""
        if self.known_routes is not None:
            return self.known_routes
        return RouteIndex(self.topology, onward_views(self.paths))

    @cached_property
    def gateways(self) -> tuple[int, ...]:
        """Gateways of any policy, by id."""
        return tuple(sorted({gateway for path in self.paths for gateway in path.gateways}))

    @cached_property
    def probed(self) -> frozenset[int]:
        """Gateways that any reporting node probes."""
        return frozenset().union(*(path.probes for path in self.observers))

    def route(self, path: PathObservation, gateway: int) -> ForwardingPath:
        """The path's hops and links through `gateway`."""
        return self.routes.route(path, gateway)

    def has_settled(self, path: PathObservation) -> bool:
        """Whether the path's target answers for so long that its standbys have been probed since."""
        return path.target_since is None or self.now - path.target_since >= STANDBY_SETTLED

    def is_destination(self, node_id: int, path: PathObservation) -> bool:
        """Whether the path ends at this node."""
        key = (path.target, path.prefix)
        if key not in self._known_destinations:
            self._known_destinations[key] = destination(self.topology, *key)
        return ("node", node_id) in self._known_destinations[key]

    @cached_property
    def _known_destinations(self) -> dict[tuple[str | None, str], frozenset[Vertex]]:
        return {}

    @cached_property
    def address_ports(self) -> dict[str, Port]:
        """Address -> the port that has it."""
        return {str(address): port for address, port in self.topology.addresses}

    def name(self, node_id: int) -> str:
        return self.topology.nodes[node_id].name

    def names(self, nodes: Iterable[int], shown: int = 4) -> str:
        """`sp01, sp02 and 3 more`, by name."""
        names = sorted(self.name(node) for node in set(nodes))
        rest = len(names) - shown
        return ", ".join(names[:shown]) + (f" and {rest} more" if rest > 0 else "")

    def reporter(self, node_id: int) -> str:
        """Name of the node whose agent reports this one."""
        return self.name(self.reporters.get(node_id, node_id))

    def is_polled(self, node_id: int) -> bool:
        """Whether another node's agent reports it, by SNMP."""
        return self.reporters.get(node_id, node_id) != node_id

    def carrier_source(self, node_id: int) -> EvidenceSource:
        """How carriers of the node's ports are known."""
        return "snmp" if self.is_polled(node_id) else "carrier"

    def data_links(self, node_id: int) -> list[Link]:
        """The node's links except on management ports, by id."""
        links = {link for _, link in self.topology.neighbours.get(("node", node_id), ())}
        return [self.topology.links[link] for link in sorted(links) if not self._is_management(link)]

    def _is_management(self, link_id: int) -> bool:
        link = self.topology.links[link_id]
        ends = (link.a,) if link.b is None else (link.a, link.b)
        return any(self.topology.ports[port].management for port in ends)

    def link_name(self, link: Link) -> str:
        """`grf1:ga030-origin1:at0`; the far end of a shared medium is its fabric."""
        far = self.topology.fabrics[link.fabric_id].name if link.b is None else self.port_name(link.b)
        return f"{self.port_name(link.a)}-{far}"

    def port_name(self, port_id: int) -> str:
        """`grf1:ga030`."""
        port = self.topology.ports[port_id]
        return f"{self.name(port.node_id)}:{port.name}"
