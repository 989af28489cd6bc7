"""Small sites for planner tests, written as names, addresses and links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_interface, ip_network

from backstay.core.model.host_network import ControllerSession, HostNetwork, KernelRoute, PortNetwork
from backstay.core.model.plan import Observation, Plan
from backstay.core.model.policy import FailoverIntent, ReturnPath, Stripe
from backstay.core.model.routing import (
    DEFAULT_TIMERS,
    Detection,
    Engine,
    EngineKind,
    NodeRouting,
    ObservedRouting,
    PolicyRoute,
    RunningHop,
    RunningRoute,
    SavedFile,
    Timers,
)
from backstay.core.model.topology import Fabric, Link, Node, Port, Topology
from backstay.core.planning.plan import make_plan

MEGA = 1_000_000


@dataclass
class Site:
    """A topology under construction. Ports are `node:port`."""

    name: str = "small"
    fabrics: dict[str, Fabric] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    ports: dict[str, Port] = field(default_factory=dict)
    links: dict[str, Link] = field(default_factory=dict)

    def fabric(self, name: str, rate: int = 1000 * MEGA, mtu: int = 1500) -> None:
        number = len(self.fabrics) + 1
        self.fabrics[name] = Fabric(number, name, "ethernet", rate, rate, mtu, "on")

    def node(self, name: str, kind: str = "host", role: str = "", **labels: str) -> int:
        ident = len(self.nodes) + 1
        number = int("".join(c for c in name if c.isdigit()) or 0) if kind == "host" else None
        self.nodes[name] = Node(ident, name, kind, role, "", number, tuple(sorted(labels.items())))
        return ident

    def port(self, name: str, fabric: str, *addresses: str) -> None:
        node, port = name.split(":")
        known = self.fabrics[fabric].id
        number = len(self.ports) + 101
        self.ports[name] = Port(number, self.nodes[node].id, port, known, False, addresses)

    def link(self, a: str, b: str | None = None) -> None:
        number = len(self.links) + 1001
        end = None if b is None else self.ports[b].id
        self.links[a] = Link(number, self.ports[a].id, end, self.ports[a].fabric_id or 0, "")

    def on(self, name: str, fabric: str, *addresses: str) -> None:
        """A port on a shared fabric, and its link."""
        self.port(name, fabric, *addresses)
        self.link(name)

    def between(self, a: str, b: str, fabric: str, one: str, other: str) -> None:
        """Two connected ports."""
        self.port(a, fabric, one)
        self.port(b, fabric, other)
        self.link(a, b)

    def topology(self) -> Topology:
        return Topology(
            self.name,
            fabrics={fabric.id: fabric for fabric in self.fabrics.values()},
            nodes={node.id: node for node in self.nodes.values()},
            ports={port.id: port for port in self.ports.values()},
            links={link.id: link for link in self.links.values()},
        )

    def ids(self, *names: str) -> tuple[int, ...]:
        return tuple(self.nodes[name].id for name in names)


def argonne(hosts: int = 4) -> Site:
    """SP nodes behind the GigaRouter and the ATM gateway node, with the division router beyond."""
    site = Site("argonne")
    site.fabric("sp-switch", 960 * MEGA, 65520)
    site.fabric("atm-oc12", 538 * MEGA, 9180)
    site.fabric("atm-oc3", 134_500_000, 9180)
    for number in range(1, hosts + 1):
        site.node(f"sp{number:02}", role="compute")
        site.on(f"sp{number:02}:css0", "sp-switch", f"10.1.0.{number}/24", f"2001:db8:1::{number}/64")
    site.node("grf1", "gateway", "gateway")
    site.node("atmgw", "gateway", "gateway")
    site.node("router", "router", "router")
    site.on("grf1:gt000", "sp-switch", "10.1.0.216/24", "2001:db8:1::216/64")
    site.on("atmgw:css0", "sp-switch", "10.1.0.215/24")
    site.between("grf1:ga031", "router:at0", "atm-oc12", "10.3.0.5/30", "10.3.0.6/30")
    site.between("atmgw:at0", "router:at1", "atm-oc3", "10.3.0.9/30", "10.3.0.10/30")
    return site


def sdsc(hosts: int = 144) -> Site:
    """Clients in quadrants on one switch, four gateways to a Gigabit Ethernet with eight movers."""
    site = Site("sdsc")
    site.fabric("colony", 3600 * MEGA, 65520)
    site.fabric("gbe", 990 * MEGA, 9000)
    for number in range(hosts):
        quadrant = 1 + number * 4 // hosts
        site.node(f"bh{number + 1:03}", role="compute", quadrant=str(quadrant))
        site.on(f"bh{number + 1:03}:css0", "colony", f"10.1.{quadrant}.{number + 1}/16")
    for number in range(1, 5):
        site.node(f"gw{number}", "gateway", "gateway")
        site.on(f"gw{number}:css0", "colony", f"10.1.0.{number}/16")
        site.on(f"gw{number}:en1", "gbe", f"10.2.0.{number}/24")
    for number in range(1, 9):
        site.node(f"mover{number}", role="server")
        site.on(f"mover{number}:en1", "gbe", f"10.2.0.{10 + number}/24")
    return site


def intent(
    site: Site,
    nodes: Sequence[str],
    gateways: Sequence[str] = (),
    prefix: str = "0.0.0.0/0",
    name: str = "sp-default",
    *,
    detection: Detection = Detection.CHECKER,
    target: str | None = None,
    timers: Timers = DEFAULT_TIMERS,
    stripe: Stripe | None = None,
    back: tuple[Sequence[str], str] | None = None,
    back_target: str | None = None,
) -> FailoverIntent:
    return FailoverIntent(
        id=1,
        name=name,
        nodes=site.ids(*nodes),
        prefix=ip_network(prefix),
        gateways=site.ids(*gateways),
        detection=detection,
        timers=timers,
        target=None if target is None else ip_address(target),
        stripe=stripe,
        back=None
        if back is None
        else ReturnPath(
            site.ids(*back[0]),
            ip_network(back[1]),
            None if back_target is None else ip_address(back_target),
        ),
    )


class PlainRendering:
    """One line per hop between marks; all other text is kept. A file that contains BROKEN cannot be read."""

    def render(self, routing: NodeRouting, current: str) -> str:
        if "BROKEN" in current:
            raise ValueError("line 1 is no statement")
        kept, inside = [], False
        for line in current.splitlines():
            inside = inside or line.startswith("# BEGIN backstay")
            if not inside:
                kept.append(line)
            inside = inside and not line.startswith("# END backstay")
        blocks = [
            f"# BEGIN backstay {route.policy} {route.prefix}\n{self._content(route)}"
            f"# END backstay {route.policy} {route.prefix}"
            for route in routing.routes
        ]
        return "".join(f"{line}\n" for line in [*kept, *blocks])

    def contents(self, routing: NodeRouting, routes: Iterable[PolicyRoute]) -> list[str]:
        return [self._content(route) for route in routes]

    def _content(self, route: PolicyRoute) -> str:
        hops = sorted(route.hops, key=lambda hop: hop.preference)
        return "".join(f"route {route.prefix} {hop.address} {hop.port} {hop.preference}\n" for hop in hops)

    def advice(self, routing: NodeRouting, current: str) -> list[str]:
        if routing.engine.kind is not EngineKind.GATED or current.startswith("redirect no"):
            return []
        return [f"{routing.node} believes redirects: add `redirect no;`."]

    def saved_routes(self, engine: EngineKind, text: str) -> tuple[RunningRoute, ...]:
        if "BROKEN" in text:
            raise ValueError("line 1 is no statement")
        found: dict[str, list[RunningHop]] = {}
        for line in text.splitlines():
            if line.startswith("route "):
                _, prefix, address, port, preference = line.split()
                hop = RunningHop(ip_address(address), port, int(preference))
                found.setdefault(prefix, []).append(hop)
        return tuple(RunningRoute(ip_network(prefix), tuple(hops)) for prefix, hops in found.items())


RENDERING = PlainRendering()


def engine(kind: EngineKind = EngineKind.BIRD, version: str = "") -> Engine:
    return Engine(kind, f"/etc/{kind.value}.conf", "", "", version)


def seen(
    node: int,
    running: Mapping[str, Sequence[tuple[str, int]]] | None = None,
    text: str = "",
    kind: EngineKind = EngineKind.BIRD,
    *,
    alive: bool = True,
    active: str = "",
) -> ObservedRouting:
    """Running routes of a node: prefix -> (next hop, preference)."""
    routes = tuple(
        RunningRoute(
            ip_network(prefix),
            tuple(RunningHop(ip_address(via), "", pref, via == active) for via, pref in hops),
        )
        for prefix, hops in (running or {}).items()
    )
    return ObservedRouting(
        node_id=node,
        revision=0,
        digest=f"{node:064x}",
        engine=kind,
        alive=alive,
        routes=routes,
        files=(SavedFile(f"/etc/{kind.value}.conf", f"{len(text):064x}", text),),
    )


def planned(
    site: Site,
    *intents: FailoverIntent,
    engines: Mapping[str, Engine] | None = None,
    observed: Mapping[int, ObservedRouting] | None = None,
    observation: Observation | None = None,
    confirmed: Mapping[int, NodeRouting] | None = None,
    wave_limit: int = 1000,
    wave_size: int | None = None,
) -> Plan:
    """A plan in which every node runs BIRD and has reported no routes, unless given otherwise."""
    kinds = {name: engine() for name in site.nodes} if engines is None else engines
    by_id = {site.nodes[name].id: kind for name, kind in kinds.items()}
    reported = {node: seen(node, kind=item.kind) for node, item in by_id.items()}
    return make_plan(
        site.topology(),
        intents,
        {**reported, **(observed or {})},
        by_id,
        observation or Observation(),
        confirmed=confirmed or {},
        wave_limit=wave_limit,
        wave_size=wave_size,
        rendering=RENDERING,
    )


def levels(plan: Plan) -> dict[str, str]:
    """Check -> its worst level."""
    worst = ("passed", "warning", "failed")
    found: dict[str, str] = {}
    for finding in plan.findings:
        before = found.get(finding.check, "passed")
        found[finding.check] = max(before, finding.level, key=worst.index)
    return found


def texts(plan: Plan, check: str) -> str:
    """All texts of a check."""
    return "\n".join(finding.text for finding in plan.findings if finding.check == check)


def own_address(site: Site, port: str) -> str:
    """The first address of a port."""
    return str(ip_interface(site.ports[port].addresses[0]).ip)


def hosts(site: Site, *routes: tuple[str, str], controller: str = "10.255.0.1") -> dict[int, HostNetwork]:
    """Every node with an agent that forwards, its connected routes and these (prefix, via or empty)."""
    session = ControllerSession(ip_address(controller), None)
    return {node.id: host(site, name, *routes, session=session) for name, node in site.nodes.items()}


def host(site: Site, name: str, *routes: tuple[str, str], session: ControllerSession) -> HostNetwork:
    ports = [port for port in site.ports.values() if port.node_id == site.nodes[name].id]
    connected = [
        KernelRoute(ip_interface(address).network, 0, ((None, port.name),))
        for port in ports
        for address in port.addresses
    ]
    given = [
        KernelRoute(ip_network(prefix), 20, ((ip_address(via) if via else None, "en0"),))
        for prefix, via in routes
    ]
    return HostNetwork(
        controllers=(session,),
        ports={port.name: PortNetwork("", True, True, 0) for port in ports},
        routes=(*connected, *given),
    )
