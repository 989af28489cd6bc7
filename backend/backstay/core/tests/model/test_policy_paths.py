"""Policy paths through the Argonne complex, and the role of each link."""

from __future__ import annotations

import itertools

from backstay.core.model.policy_paths import PathView, PolicyPaths
from backstay.core.model.search import shortest
from backstay.core.model.topology import Fabric, Link, Node, Port, Topology

SP, OC12, OC3, HIPPI = 1, 2, 3, 4
NODES = {"sp01": "host", "sp02": "host", "grf1": "gateway", "atmgw": "gateway", "onyx1": "host",
         "origin1": "host", "router": "router"}  # fmt: skip
IDS = {name: number for number, name in enumerate(NODES, start=1)}
PORTS = {
    "sp01:css0": (SP, "10.1.0.1/24"),
    "sp02:css0": (SP, "10.1.0.2/24"),
    "grf1:gt000": (SP, "10.1.0.16/24"),
    "atmgw:css0": (SP, "10.1.0.15/24"),
    "grf1:gh010": (HIPPI, "10.2.0.1/30"),
    "onyx1:hip0": (HIPPI, "10.2.0.2/30"),
    "grf1:ga030": (OC12, "10.3.0.1/30"),
    "origin1:at0": (OC12, "10.3.0.2/30"),
    "grf1:ga031": (OC12, "10.3.0.5/30"),
    "router:at0": (OC12, "10.3.0.6/30"),
    "atmgw:at0": (OC3, "10.3.0.9/30"),
    "router:at1": (OC3, "10.3.0.10/30"),
    "origin1:at1": (OC12, "10.3.0.13/30"),
    "router:at2": (OC12, "10.3.0.14/30"),
}
PAIRS = [
    ("sp01:css0", None), ("sp02:css0", None), ("grf1:gt000", None), ("atmgw:css0", None),
    ("grf1:gh010", "onyx1:hip0"), ("grf1:ga030", "origin1:at0"), ("grf1:ga031", "router:at0"),
    ("atmgw:at0", "router:at1"), ("origin1:at1", "router:at2"),
]  # fmt: skip
PORT_IDS = {name: number for number, name in enumerate(PORTS, start=100)}
LINK_IDS = {pair: number for number, pair in enumerate(PAIRS, start=200)}


def topology() -> Topology:
    ports = {
        PORT_IDS[name]: Port(
            PORT_IDS[name], IDS[name.split(":")[0]], name.split(":")[1], fabric, False, (address,)
        )
        for name, (fabric, address) in PORTS.items()
    }
    links = {
        number: Link(number, PORT_IDS[a], PORT_IDS[b] if b else None, PORTS[a][0], "")
        for (a, b), number in LINK_IDS.items()
    }
    fabrics = {
        number: Fabric(number, f"f{number}", "atm", 10, 10, 1500, "on") for number in (SP, OC12, OC3, HIPPI)
    }
    nodes = {IDS[name]: Node(IDS[name], name, kind, "") for name, kind in NODES.items()}
    return Topology("argonne", fabrics, nodes, ports, links)


_numbers = itertools.count(1)


def path(
    node: str,
    active: str,
    *,
    prefix: str = "0.0.0.0/0",
    target: str | None = "10.9.0.1",
    gateways: tuple[str, ...] = ("grf1", "atmgw"),
) -> PathView:
    return PathView(
        id=next(_numbers),
        node_id=IDS[node],
        prefix=prefix,
        gateways=tuple(IDS[name] for name in gateways),
        active=IDS.get(active),
        target=target,
    )


def names(hops: tuple[tuple[str, int], ...]) -> list[str]:
    by_id = {number: name for name, number in IDS.items()}
    return [by_id[ident] if kind == "node" else "switch" for kind, ident in hops]


def test_path_leads_via_switch_and_gateway_to_the_router() -> None:
    mine = path("sp01", "grf1")
    route = PolicyPaths(topology(), [mine]).active(mine)
    assert names(route.hops) == ["sp01", "switch", "grf1", "router"]
    assert [LINK_IDS[pair] for pair in (PAIRS[0], PAIRS[2], PAIRS[6])] == list(route.links)


def test_standby_links_are_used_only_by_inactive_gateways() -> None:
    mine = path("sp01", "grf1")
    assert PolicyPaths(topology(), [mine]).standby_links(mine) == [LINK_IDS[PAIRS[3]], LINK_IDS[PAIRS[7]]]


def test_path_follows_the_gateways_own_policy() -> None:
    inward = {"prefix": "10.1.0.0/24", "target": "10.1.0.1"}
    origin = path("origin1", "router", gateways=("grf1", "router"), **inward)
    router = path("router", "atmgw", **inward)  # type: ignore[arg-type]
    route = PolicyPaths(topology(), [origin, router]).active(origin)
    assert names(route.hops) == ["origin1", "router", "atmgw", "switch", "sp01"]


def test_policy_loop_terminates() -> None:
    one = path("grf1", "atmgw", gateways=("atmgw",))
    other = path("atmgw", "grf1", gateways=("grf1",))
    routes = PolicyPaths(topology(), [one, other])
    assert names(routes.active(one).hops)[:3] == ["grf1", "switch", "atmgw"]


def test_path_without_target_ends_at_the_network() -> None:
    mine = path("origin1", "grf1", prefix="10.1.0.0/24", target=None, gateways=("grf1", "router"))
    assert names(PolicyPaths(topology(), [mine]).active(mine).hops) == ["origin1", "grf1", "switch"]


def test_gateway_without_common_fabric_has_no_path() -> None:
    mine = path("onyx1", "atmgw", gateways=("atmgw",))
    assert PolicyPaths(topology(), [mine]).active(mine).hops == ()


def test_hosts_never_forward() -> None:
    mine = path("sp01", "grf1", gateways=("grf1",))
    route = PolicyPaths(topology(), [mine]).active(mine)
    assert "origin1" not in names(route.hops)


def test_route_of_a_gateway_that_other_paths_pass_does_not_return_to_it() -> None:
    """What lies beyond a gateway is computed once for all nodes, but not for one that lies there itself."""
    known = topology()
    loop = [
        path("sp01", "grf1"),
        path("grf1", "atmgw", gateways=("atmgw",)),
        path("atmgw", "grf1", gateways=("grf1",)),
    ]
    together = PolicyPaths(known, loop)
    for one in loop:
        (gateway, *_) = one.gateways
        assert together.route(one, gateway) == PolicyPaths(known, loop).route(one, gateway)
        nodes = [vertex for vertex in together.route(one, gateway).hops if vertex[0] == "node"]
        assert len(nodes) == len(set(nodes)), nodes


def racks(hosts: int) -> Topology:
    """A switch per two hosts, all on one spine with the gateway; a cable per port, and a host with two."""
    kinds = {1: "gateway", 2: "switch"} | {10 + rack: "switch" for rack in range(hosts // 2)}
    kinds |= {100 + number: "host" for number in range(hosts)}
    cables = [(1, 2)] + [(10 + rack, 2) for rack in range(hosts // 2)]
    cables += [(100 + number, 10 + number // 2) for number in range(hosts)] + [(100, 11)]
    ports, links = {}, {}
    for number, (a, b) in enumerate(cables):
        for place, node in enumerate((a, b)):
            ident = 1000 + 2 * number + place
            ports[ident] = Port(ident, node, f"p{ident}", SP, False, ())
        links[number] = Link(number, 1000 + 2 * number, 1001 + 2 * number, SP, "")
    fabric = Fabric(SP, "lan", "ethernet", 10, 10, 1500, "on")
    return Topology(
        "racks", {SP: fabric}, {n: Node(n, f"n{n}", kind, "") for n, kind in kinds.items()}, ports, links
    )


def test_path_over_switches_with_a_cable_per_port_has_the_fewest_links() -> None:
    site = racks(8)
    for number in range(8):
        view = PathView(1, 100 + number, "0.0.0.0/0", (1,), 1, "10.9.0.1")
        found = PolicyPaths(site, [view]).active(view)
        fewest = shortest(
            site,
            ("node", 100 + number),
            frozenset({("node", 1)}),
            through=lambda at: site.nodes[at[1]].kind == "switch",
        )
        assert len(found.links) == len(fewest.links) == 3
        assert [site.nodes[ident].kind for _, ident in found.hops] == ["host", "switch", "switch", "gateway"]
        joined = [
            {site.ports[site.links[link].a].node_id, site.ports[site.links[link].b or 0].node_id}
            for link in found.links
        ]
        assert joined == [{a[1], b[1]} for a, b in itertools.pairwise(found.hops)]


def test_hosts_are_no_switches() -> None:
    """A host on two racks' switches forwards nothing: without its cable to the spine a rack is cut off."""
    whole = racks(8)
    site = Topology(
        "racks",
        whole.fabrics,
        whole.nodes,
        whole.ports,
        {number: link for number, link in whole.links.items() if number != 2},
    )
    view = PathView(1, 102, "0.0.0.0/0", (1,), 1, "10.9.0.1")
    assert PolicyPaths(site, [view]).active(view).hops == ()
