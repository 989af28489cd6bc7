"""The live route view: events and dumps in, differences out."""

from ipaddress import ip_address, ip_network

from backstay_agent.failover.routes import Drop, Put, RouteTable, gateway_in_use
from backstay_wire import NextHop, Route

PREFIX = "10.9.0.0/16"


def route(via: str, *, metric: int = 0, protocol: str = "bird", prefix: str = PREFIX) -> Route:
    hops = [NextHop(via=one, port="css0") for one in via.split()]
    return Route(prefix=prefix, protocol=protocol, metric=metric, next_hops=hops)


def test_added_route_is_in_the_difference_and_in_the_table() -> None:
    table = RouteTable()
    delta = table.apply([Put(route("10.1.0.1"))])
    assert delta.added == table.all() == [route("10.1.0.1")]
    assert delta.removed == []


def test_replacement_overrides_another_protocols_route_of_equal_metric() -> None:
    table = RouteTable()
    table.apply([Put(route("10.1.0.1", protocol="static"))])
    delta = table.apply([Put(route("10.1.0.2"), replaces=True)])
    assert delta.added == [route("10.1.0.2")]
    assert delta.removed == [route("10.1.0.1", protocol="static")]


def test_routes_of_different_metric_coexist_and_the_lowest_is_best() -> None:
    table = RouteTable()
    table.apply([Put(route("10.1.0.2", metric=60)), Put(route("10.1.0.1", metric=20))])
    assert table.best(ip_network(PREFIX)) == route("10.1.0.1", metric=20)
    table.apply([Drop(ip_network(PREFIX), 20, "bird")])
    assert table.best(ip_network(PREFIX)) == route("10.1.0.2", metric=60)


def test_route_removed_and_restored_in_one_burst_changes_nothing() -> None:
    table = RouteTable()
    table.apply([Put(route("10.1.0.1"))])
    assert not table.apply([Drop(ip_network(PREFIX), 0, "bird"), Put(route("10.1.0.1"))])


def test_watched_prefix_follows_the_longest_covering_route() -> None:
    table = RouteTable()
    table.apply([Put(route("10.1.0.9", prefix="0.0.0.0/0")), Put(route("10.1.0.1"))])
    assert table.best(ip_network("10.9.5.0/24")) == route("10.1.0.1")
    assert table.best(ip_network("10.8.0.0/16")) == route("10.1.0.9", prefix="0.0.0.0/0")
    assert table.best(ip_network("2001:db8::/32")) is None


def test_dump_reports_only_differences() -> None:
    table = RouteTable()
    table.apply([Put(route("10.1.0.1")), Put(route("10.1.0.1", prefix="10.8.0.0/16"))])
    delta = table.replace_all([route("10.1.0.2"), route("10.1.0.1", prefix="10.8.0.0/16")])
    assert delta.added == [route("10.1.0.2")]
    assert delta.removed == []
    assert not table.replace_all(table.all())


def test_active_gateway_is_the_first_preferred_next_hop() -> None:
    gateways = [("grf1", ip_address("10.1.0.1")), ("atmgw", ip_address("10.1.0.2"))]
    assert gateway_in_use(route("10.1.0.2 10.1.0.1"), gateways) == "grf1"
    assert gateway_in_use(route("10.1.0.2"), gateways) == "atmgw"
    assert gateway_in_use(route("10.1.0.77"), gateways) == ""
    assert gateway_in_use(None, gateways) == ""
