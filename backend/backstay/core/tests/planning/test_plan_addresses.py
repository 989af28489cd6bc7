"""Next hops that are not addresses of their gateway: out of date, another node's, or in an unknown
network.
"""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address

from backstay.core.model.plan import Plan
from backstay.core.model.policy import FailoverIntent
from backstay.core.model.routing import NodeRouting
from backstay.core.tests.planning.plan_sites import Site, argonne, intent, levels, planned, texts

PAIR = ("grf1", "atmgw")


def confirmed(site: Site, *nodes: str) -> dict[int, NodeRouting]:
    """`sp-default` deployed on these nodes as in the site file."""
    plan = planned(site, intent(site, nodes, PAIR))
    return {node.routing.node_id: node.routing for node in plan.nodes}


def renumbered(site: Site, port: str, address: str) -> None:
    """A changed address of a port in the site file."""
    site.ports[port] = replace(site.ports[port], addresses=(address,))


def another(site: Site, *nodes: str) -> FailoverIntent:
    return intent(site, nodes, ["grf1"], "10.9.0.0/16", "archive")


def leads_to(routings: dict[int, NodeRouting], place: int, address: str) -> dict[int, NodeRouting]:
    """The same with another address of one gateway in the only route."""
    found = {}
    for node, routing in routings.items():
        hops = list(routing.routes[0].hops)
        hops[place] = replace(hops[place], address=ip_address(address))
        found[node] = replace(routing, routes=(replace(routing.routes[0], hops=tuple(hops)),))
    return found


def text(plan: Plan) -> str:
    return texts(plan, "known_address")


def test_confirmed_routes_to_a_former_address_are_out_of_date() -> None:
    site = argonne()
    before = confirmed(site, "sp01", "sp02")
    renumbered(site, "grf1:gt000", "10.1.0.217/24")
    plan = planned(site, another(site, "sp01", "sp02"), confirmed=before)
    assert levels(plan)["known_address"] == "failed"
    assert text(plan) == (
        "sp01 and sp02 reach grf1 for sp-default at 10.1.0.216, which no known port has: "
        "grf1 has 10.1.0.217 there now, so these routes are out of date. Plan sp-default again for these "
        "nodes."
    )
    assert "No link joins" not in texts(plan, "gateway_on_link")


def test_new_plan_uses_the_new_address() -> None:
    site = argonne()
    before = confirmed(site, "sp01", "sp02")
    renumbered(site, "grf1:gt000", "10.1.0.217/24")
    plan = planned(site, intent(site, ["sp01", "sp02"], PAIR), confirmed=before)
    assert levels(plan)["known_address"] == levels(plan)["gateway_on_link"] == "passed"
    assert str(plan.nodes[0].routing.routes[0].hops[0].address) == "10.1.0.217"


def test_out_of_date_routes_of_unchanged_nodes_are_reported() -> None:
    site = argonne()
    before = leads_to(leads_to(confirmed(site, "sp03"), 0, "10.1.0.99"), 1, "10.1.0.98")
    plan = planned(site, another(site, "sp01"), confirmed=before)
    assert text(plan).startswith("sp03 reaches grf1 for sp-default at 10.1.0.99, which no known port has")
    assert "sp03" not in texts(plan, "forwarding")
    assert plan.blocked


def test_wrong_standby_address_blocks() -> None:
    site = argonne()
    before = leads_to(confirmed(site, "sp01"), 1, "10.1.0.99")
    plan = planned(site, another(site, "sp01"), confirmed=before)
    assert levels(plan)["known_address"] == "failed"
    assert "sp01 reaches atmgw for sp-default at 10.1.0.99" in text(plan)


def test_address_of_another_node_names_the_owner() -> None:
    site = argonne()
    before = leads_to(confirmed(site, "sp01"), 1, "10.1.0.2")
    plan = planned(site, another(site, "sp01"), confirmed=before)
    assert "sp01 reaches atmgw for sp-default at 10.1.0.2, which is an address of sp02: " in text(plan)
    assert levels(plan)["known_address"] == "failed"


def test_address_in_an_undescribed_network_warns() -> None:
    site = argonne()
    before = leads_to(confirmed(site, "sp01"), 1, "192.0.2.7")
    plan = planned(site, another(site, "sp01"), confirmed=before)
    assert levels(plan)["known_address"] == "warning"
    assert "at 192.0.2.7, in a network that the site file does not describe: add its ports there." in text(
        plan
    )


def test_gateway_without_address_must_be_replaced() -> None:
    site = argonne()
    before = confirmed(site, "sp01")
    renumbered(site, "atmgw:css0", "10.77.0.1/24")
    plan = planned(site, another(site, "sp01"), confirmed=before)
    assert "sp-default needs another gateway, or the site file an address of atmgw there." in text(plan)
