"""Random small sites: the planner's impact of each failure equals a packet simulation.

The oracle shares only data types with the planner, without folding or caching: for every failure it forwards
every node's packet over the remaining links.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.model.plan import Impact
from backstay.core.model.routing import Detection, PolicyRoute
from backstay.core.planning.whatif.forwarding_sim import FailureScenario, NetworkState
from backstay.core.tests.planning.plan_sites import Site, intent, own_address, planned


@st.composite
def sites(draw: st.DrawFn) -> tuple[Site, list[str], list[str], dict[str, list[str]]]:
    """Hosts and gateways on one LAN; routers behind it on their own links; some gateways point back."""
    site = Site()
    site.fabric("lan")
    site.fabric("wan")
    hosts = [f"h{number}" for number in range(1, draw(st.integers(1, 3)) + 1)]
    gateways = [f"g{number}" for number in range(1, draw(st.integers(1, 4)) + 1)]
    for at, host in enumerate(hosts, start=1):
        site.node(host)
        site.on(f"{host}:e0", "lan", f"10.1.0.{at}/24")
    for at, gateway in enumerate(gateways, start=1):
        site.node(gateway, "gateway")
        site.on(f"{gateway}:e0", "lan", f"10.1.0.{100 + at}/24")
    routers = [f"r{number}" for number in range(1, draw(st.integers(1, 2)) + 1)]
    for router in routers:
        site.node(router, "router")
    for at, gateway in enumerate(gateways):
        for other, router in enumerate(routers):
            if draw(st.booleans()):
                net = f"10.2.{at * 4 + other}"
                site.between(f"{gateway}:w{other}", f"{router}:w{at}", "wan", f"{net}.1/30", f"{net}.2/30")
    inward = {
        gateway: draw(st.permutations([item for item in gateways if item != gateway]))[
            : draw(st.integers(1, 2))
        ]
        for gateway in gateways
        if len(gateways) > 1 and draw(st.integers(0, 3)) == 0
    }
    return site, hosts, draw(st.permutations(gateways)), inward


class Oracle:
    """One failure, with packets forwarded singly."""

    def __init__(self, site: Site, routes: dict[str, PolicyRoute], impact: Impact) -> None:
        self._routes = routes
        self._nodes = {item.id: item for item in site.nodes.values()}
        self._by_name = site.nodes
        self._dead_node = impact.ident if impact.kind == "node" else None
        self._dead_fabric = impact.ident if impact.kind == "fabric" else None
        self._edges: dict[int, list[tuple[int, int]]] = {}
        self._all: dict[int, list[tuple[int, int]]] = {}
        for link in site.links.values():
            ports = {port.id: port for port in site.ports.values()}
            one = ports[link.a].node_id
            if link.b is None:
                members = [
                    (ports[item.a].node_id, item.id)
                    for item in site.links.values()
                    if item.b is None and item.fabric_id == link.fabric_id and item.id != link.id
                ]
                for node, far in members:
                    self._all.setdefault(one, []).append((node, 2))
                    dead = self._dead_fabric == link.fabric_id
                    broken = impact.kind == "link" and impact.ident in (link.id, far)
                    if not (dead or broken):
                        self._edges.setdefault(one, []).append((node, 2))
            else:
                other = ports[link.b].node_id
                for a, b in ((one, other), (other, one)):
                    self._all.setdefault(a, []).append((b, 1))
                    if not (impact.kind == "link" and impact.ident == link.id):
                        self._edges.setdefault(a, []).append((b, 1))

    def neighbours(self, node: int, other: int) -> bool:
        if self._dead_node in (node, other):
            return False
        return other in [item for item, _ in self._edges.get(node, ())]

    def _distance(self, start: int) -> float:
        """Links to the nearest router without a failure, forwarding nodes only."""
        best = {start: 0}
        queue = [start]
        while queue:
            here = queue.pop(0)
            if here != start and self._nodes[here].kind == "host":
                continue
            for there, cost in self._all.get(here, ()):
                if best[here] + cost < best.get(there, 10**6):
                    best[there] = best[here] + cost
                    queue.append(there)
        ends = [cost for node, cost in best.items() if self._nodes[node].kind == "router"]
        return min(ends, default=float("inf"))

    def ends(self, start: str) -> set[str]:
        """Every possible outcome of a packet: equally short paths may be chosen either way."""
        return self._from(self._by_name[start].id, ())

    def _from(self, here: int, passed: tuple[int, ...]) -> set[str]:
        if here in passed:
            return {"loop"}
        node = self._nodes[here]
        if node.kind == "router":
            return {"delivered"}
        route = self._routes.get(node.name)
        if route is not None:
            alive = [hop.gateway_id for hop in route.hops if self.neighbours(here, hop.gateway_id)]
            return self._from(alive[0], (*passed, here)) if alive else {"lost"}
        distance = self._distance(here)
        if distance == float("inf"):
            return {"lost"}
        found = set()
        for there, cost in self._all.get(here, ()):
            forwards = self._nodes[there].kind != "host"
            if forwards and self._distance(there) + cost == distance:
                found |= self._from(there, (*passed, here)) if self.neighbours(here, there) else {"lost"}
        return found


@settings(max_examples=30, deadline=None)
@given(sites())
def test_failure_analysis_matches_packet_simulation(
    drawn: tuple[Site, list[str], list[str], dict[str, list[str]]],
) -> None:
    site, hosts, gateways, inward = drawn
    intents = [intent(site, hosts, gateways, detection=Detection.BFD)]
    intents += [
        intent(site, [gateway], others, name=f"of-{gateway}", detection=Detection.BFD)
        for gateway, others in inward.items()
    ]
    plan = planned(site, *intents)
    routes = {item.routing.node: item.routing.routes[0] for item in plan.nodes}
    assert plan.impacts[0].kind == "none"
    for impact in plan.impacts:
        oracle = Oracle(site, routes, impact)
        reported = {
            node: "loop" if node in impact.looping else "lost" if node in impact.cut_off else "delivered"
            for node in routes
        }
        for node, end in reported.items():
            if impact.kind != "node" or site.nodes[node].id != impact.ident:
                assert end in oracle.ends(node), (node, impact.failure)


@settings(max_examples=30, deadline=None)
@given(sites())
def test_folding_and_incremental_evaluation_are_exact(
    drawn: tuple[Site, list[str], list[str], dict[str, list[str]]],
) -> None:
    """With checkers that probe a target: each node evaluated separately in a new world for each failure."""
    site, hosts, gateways, inward = drawn
    target = next((own_address(site, name) for name in site.ports if name.startswith("r")), "192.0.2.1")
    intents = [intent(site, hosts, gateways, target=target)]
    intents += [
        intent(site, [gateway], others, name=f"of-{gateway}", target=target)
        for gateway, others in inward.items()
    ]
    plan = planned(site, *intents)
    routings = {item.routing.node_id: item.routing for item in plan.nodes}
    for impact in plan.impacts:
        failed = None if impact.kind == "none" else (impact.kind, impact.ident)
        world = NetworkState(site.topology(), routings)
        for node, routing in routings.items():
            if failed == ("node", node):
                continue
            route = routing.routes[0]
            steps, probed = world.steps(node, route), world.probed(route)
            scene = FailureScenario(world, *([failed] if failed else []))
            choice, _ = scene.choose(node, steps, world.goal(route), probed)
            reported = (
                "loop"
                if routing.node in impact.looping
                else "lost"
                if routing.node in impact.cut_off
                else "delivered"
            )
            assert reported == choice.beyond.outcome, (routing.node, impact.failure)


@settings(max_examples=30, deadline=None)
@given(sites())
def test_every_used_gateway_and_link_fails_once(
    drawn: tuple[Site, list[str], list[str], dict[str, list[str]]],
) -> None:
    site, hosts, gateways, _ = drawn
    plan = planned(site, intent(site, hosts, gateways, detection=Detection.BFD))
    failures = {(impact.kind, impact.ident) for impact in plan.impacts}
    assert {("node", site.nodes[name].id) for name in gateways} <= failures
    assert {("link", site.links[f"{name}:e0"].id) for name in (*hosts, gateways[0])} <= failures
    assert ("fabric", site.fabrics["lan"].id) in failures


def test_oracle_detects_a_loop() -> None:
    site = Site()
    site.fabric("lan")
    for at, name in enumerate(("h1", "g1", "g2"), start=1):
        site.node(name, "host" if name == "h1" else "gateway")
        site.on(f"{name}:e0", "lan", f"10.1.0.{at}/24")
    site.node("r1", "router")
    pair = [intent(site, ["g1"], ["g2"], name="one"), intent(site, ["g2"], ["g1"], name="other")]
    plan = planned(site, intent(site, ["h1"], ["g1"]), *pair)
    routes = {node.routing.node: node.routing.routes[0] for node in plan.nodes}
    assert Oracle(site, routes, plan.impacts[0]).ends("h1") == {"loop"}
    assert plan.impacts[0].looping == ("g1", "g2", "h1")
