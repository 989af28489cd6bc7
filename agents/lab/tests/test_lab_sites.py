"""Every site as a value: common invariants, and the facts of the papers."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from ipaddress import IPv4Address
from pathlib import Path

import pytest
import yaml

from backstay_lab import site_file, sites
from backstay_lab.blueprint import Blueprint, NodeSpec
from backstay_lab.credentials import Credentials
from backstay_lab.daemons import bird
from backstay_lab.errors import LabError
from backstay_lab.naming import Names
from backstay_lab.node_files import Home
from backstay_lab.sites import SITES, cern_crossbar

CREDENTIALS = Credentials("c", "backstay", "a" * 32, "p" * 32, "t")
SIZES = [("sdsc", 4), ("sdsc", 16), ("sdsc", 144), ("cern", 4), ("cern", 16)]


def of(name: str, nodes: int | None = None) -> Blueprint:
    return sites.site(name, sites.parameters(name, nodes=nodes))


@pytest.fixture(params=SITES)
def plan(request: pytest.FixtureRequest) -> Blueprint:
    return of(request.param)


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}-{size[1]}")
def routed(request: pytest.FixtureRequest) -> Blueprint:
    return of(*request.param)


def addresses_of(node: NodeSpec) -> set[IPv4Address]:
    own = {port.interface.ip for port in node.ports if port.address is not None}
    return own | ({node.loopback} if node.loopback else set())


def test_every_address_and_every_name_is_used_once(plan: Blueprint) -> None:
    addresses = [address for node in plan.nodes for address in addresses_of(node)] + [plan.relay.ip]
    assert len(set(addresses)) == len(addresses)
    assert len({node.name for node in plan.nodes}) == len(plan.nodes)


def test_agents_find_the_backend_at_the_same_address_at_every_site(plan: Blueprint) -> None:
    assert str(plan.relay.ip) == "10.255.0.1"


def test_both_ends_of_a_link_are_ports_of_its_fabric(plan: Blueprint) -> None:
    for link in plan.links:
        for end in filter(None, (link.a, link.b)):
            assert plan.node(end.node).port(end.port).fabric == link.fabric


def test_every_data_port_has_exactly_one_link(plan: Blueprint) -> None:
    ends = [(end.node, end.port) for link in plan.links for end in (link.a, link.b) if end]
    ports = {(node.name, port.name) for node in plan.nodes for port in plan.data_ports(node)}
    assert len(set(ends)) == len(ends)
    assert set(ends) <= ports


def test_every_node_without_agent_is_watched_by_one_with_an_agent(plan: Blueprint) -> None:
    for node in plan.nodes:
        if not plan.own_agent(node):
            assert node.watcher is not None
            assert plan.own_agent(plan.node(node.watcher))


def test_node_without_namespace_belongs_to_an_existing_service(plan: Blueprint) -> None:
    for node in plan.nodes:
        if node.simulated_by is not None:
            assert plan.service_named(node.simulated_by).name == node.simulated_by
        else:
            assert plan.in_namespace(node)


def home(node: str) -> Home:
    return Home(Path("/state") / node, Path("/run/lab") / node)


def test_site_file_references_only_declared_objects(plan: Blueprint) -> None:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    document = yaml.load(site_file.render(plan, CREDENTIALS, home), Loader=loader)
    ports = {f"{node['name']}:{port['name']}" for node in document["nodes"] for port in node["ports"]}
    fabrics = {fabric["name"] for fabric in document["fabrics"]}
    used = {port["fabric"] for node in document["nodes"] for port in node["ports"] if "fabric" in port}
    names = {node["name"] for node in document["nodes"]}
    assert {end for link in document["links"] for end in (link["a"], link["b"])} <= ports
    assert used == fabrics
    assert {gateway for policy in document["failover_policies"] for gateway in policy["gateways"]} <= names
    assert {node["agent"] for node in document["nodes"]} <= names | {"self"}


def test_every_next_hop_is_the_gateways_own_address_on_the_same_network(routed: Blueprint) -> None:
    for node in routed.nodes:
        for hop in (hop for route in node.routes for hop in route.hops):
            assert hop.address in addresses_of(routed.node(hop.gateway))
            assert hop.address in node.port(hop.port).interface.network


def test_bird_itself_accepts_every_bird_conf(tmp_path: Path) -> None:
    for name in ("sdsc", "cern"):
        small = of(name, 4)
        for node in filter(bird.routes, small.nodes):
            path = tmp_path / f"{node.name}.conf"
            path.write_text(bird.config(small, node))
            done = subprocess.run(["bird", "-p", "-c", path], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr


def hops(plan: Blueprint, source: NodeSpec, target: IPv4Address, dead: str | None) -> Iterator[str]:
    """The nodes visited by a packet; BFD removes a dead next hop if there is another."""
    node = source
    for _ in range(2 * len(plan.nodes)):
        if node.name == dead:
            return
        yield node.name
        if target in addresses_of(node):
            return
        following = next_node(plan, node, target, dead)
        if following is None:
            return
        node = plan.node(following)


def next_node(plan: Blueprint, node: NodeSpec, target: IPv4Address, dead: str | None) -> str | None:
    """The longest prefix wins; a connected network precedes a route of the same length."""
    paths: list[tuple[int, int, str | None]] = []
    for port in node.ports:
        if port.address is not None and target in port.interface.network:
            owner = next((other.name for other in plan.nodes if target in addresses_of(other)), None)
            paths.append((port.interface.network.prefixlen, 1, owner))
    for route in node.routes:
        if target in route.prefix:
            alive = [hop.gateway for hop in route.hops if hop.gateway != dead]
            paths.append((route.prefix.prefixlen, 0, alive[0] if alive else None))
    return max(paths, key=lambda path: path[:2])[2] if paths else None


@pytest.mark.parametrize("name", ["sdsc", "cern"])
def test_every_flow_arrives_without_loops_if_any_node_is_dead(name: str) -> None:
    plan = of(name, 8)
    for dead in (None, *(node.name for node in plan.nodes)):
        for flow in plan.flows:
            target = plan.node(flow.target).service
            assert target is not None
            path = list(hops(plan, plan.node(flow.source), target, dead))
            assert len(set(path)) == len(path), (dead, path)
            if dead is None:
                assert path[-1] == flow.target


def quadrant(node: NodeSpec) -> str:
    return dict(node.labels)["quadrant"]


def test_quadrant_boots_with_its_own_gateway_and_gateways_back_each_other() -> None:
    plan = of("sdsc")
    clients = [node for node in plan.nodes if node.role == "compute"]
    assert {node.engine for node in clients} == {"kernel"}
    paths = {(quadrant(node), *(hop.gateway for hop in node.routes[0].hops)) for node in clients}
    assert paths == {("1", "gw1", "gw2"), ("2", "gw2", "gw3"), ("3", "gw3", "gw4"), ("4", "gw4", "gw1")}


def test_sdsc_stripe_covers_all_clients_and_the_movers_return_path() -> None:
    plan = of("sdsc", 144)
    (policy,) = plan.policies
    assert policy.stripe is not None
    assert policy.gateways == ("gw1", "gw2", "gw3", "gw4")
    concerned = {node.name for node in plan.nodes if policy.concerns(node.name)}
    assert concerned == {node.name for node in plan.nodes if node.role in {"compute", "server"}}
    assert {node.name for node in plan.nodes if plan.managed(node)} == concerned


@pytest.mark.parametrize("count", [4, 5, 143, 144])
def test_quadrants_differ_by_at_most_one_client(count: int) -> None:
    clients = [node for node in of("sdsc", count).nodes if node.role == "compute"]
    sizes = [sum(quadrant(node) == str(number) for node in clients) for number in range(1, 5)]
    assert sum(sizes) == count
    assert max(sizes) - min(sizes) <= 1


def test_large_labs_report_and_probe_less_often() -> None:
    times = [(plan.interval_s, plan.policies[0].probe_interval_ms) for plan in map(sdsc, (4, 24, 72, 144))]
    assert times == [(5, 200), (5, 200), (15, 600), (30, 1200)]


def sdsc(count: int) -> Blueprint:
    return of("sdsc", count)


def test_any_two_quadrants_fit_through_one_gateway() -> None:
    plan = of("sdsc")
    rate = plan.wire_rate(plan.fabric("gbe"))
    outward = sum(flow.rate for flow in plan.flows if flow.target.startswith("mover"))
    assert outward / 2 < 0.3 * rate


def test_cern_tapes_fail_over_from_hippi_to_the_gigaswitch() -> None:
    plan = of("cern")
    tape = plan.node("dlt01").service
    assert tape is not None
    assert list(hops(plan, plan.node("shift7"), tape, None)) == ["shift7", "gr1", "dlt01"]
    assert list(hops(plan, plan.node("shift7"), tape, "gr1")) == ["shift7", "gigaswitch", "dlt01"]


def test_sp023_fails_over_from_sp041_to_fddi() -> None:
    plan = of("cern")
    tape = plan.node("sp023").service
    assert tape is not None
    assert list(hops(plan, plan.node("shift7"), tape, None)) == ["shift7", "sp041", "sp023"]
    assert list(hops(plan, plan.node("shift7"), tape, "sp041")) == ["shift7", "sp023"]


@pytest.mark.parametrize(("name", "count"), [("sdsc", 3), ("sdsc", 145), ("cern", 3), ("cern", 17)])
def test_invalid_number_of_nodes_is_refused(name: str, count: int) -> None:
    with pytest.raises(LabError, match="Choose 4 to"):
        of(name, count)


def test_omitted_parameters_have_the_sites_defaults() -> None:
    assert sites.parameters("sdsc").nodes == 16
    assert sites.parameters("sdsc", nodes=8, bfd_ms=50).nodes == 8
    assert sites.parameters("casa", settings={"hold_ms": 10}).setting("hold_ms") == 10
    assert sites.parameters("casa").setting("hold_ms") == 0


def test_unknown_setting_is_refused_with_the_sites_settings() -> None:
    with pytest.raises(LabError, match="hold_ms"):
        sites.parameters("casa", settings={"hold": 1})
    with pytest.raises(LabError, match="none"):
        sites.parameters("sdsc", settings={"hold_ms": 1})


def test_full_packet_to_a_challenge_and_its_ack_take_3_ms_as_in_the_paper() -> None:
    fabric = cern_crossbar.fabric_config(sites.parameters("cern", rate_scale=0.1), Names("0000"))
    hosts = {host.name: host for host in fabric.hosts}
    one, other = hosts["shift3"], hosts["shift7"]
    packet_ns = 65280 * 8 * 1_000_000_000 // one.rate
    assert packet_ns + one.delay_ns + other.delay_ns == pytest.approx(30_000_000, rel=0.01)
    assert hosts["gr1"].delay_ns == 0
