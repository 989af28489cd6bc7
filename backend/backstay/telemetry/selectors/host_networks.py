"""Networks of hosts for the planner: the newest reports, with the routes that cover given destinations."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from ipaddress import ip_address, ip_network
from typing import Any

from backstay.core.model.freshness import is_fresh
from backstay.core.model.host_network import (
    ControllerSession,
    HostNetwork,
    KernelRoute,
    PolicyRule,
    PortNetwork,
)
from backstay.core.model.routing import Address, Prefix
from backstay.inventory.models import Site
from backstay.inventory.sql import fetch_rows
from backstay.telemetry.models import HostNetwork as Row
from backstay.telemetry.models import NodeState

_ROUTES = """
SELECT node_id, prefix, metric, protocol, via, port FROM telemetry_route
WHERE node_id = ANY(%s) AND prefix::inet >>= ANY(%s::inet[])
ORDER BY node_id, prefix, metric, id
"""


def host_networks(site: Site, now: datetime) -> dict[int, HostNetwork]:
    """Node id -> its network without routes. One query."""
    rows = Row.objects.filter(node__site=site).select_related("node__state").order_by("node_id")
    return {
        row.node_id: _host(row, fresh=is_fresh(row.node.state.last_reported_at, now, site.interval_s))
        for row in rows
    }


def covering_routes(
    nodes: Collection[int], wanted: Iterable[Address | Prefix]
) -> dict[int, tuple[KernelRoute, ...]]:
    """Node id -> its routes that cover a destination. A node that never reported its table is missing."""
    reported = NodeState.objects.filter(node__in=nodes, routes_at__isnull=False)
    found: dict[int, dict[tuple[str, int, str], list[tuple[Address | None, str]]]] = {
        node: {} for node in reported.values_list("node_id", flat=True)
    }
    destinations = sorted({str(item) for item in wanted})
    for node, prefix, metric, protocol, via, port in fetch_rows(_ROUTES, [list(found), destinations]):
        hop = (None if via is None else ip_address(str(via)), port)
        found[node].setdefault((prefix, metric, protocol), []).append(hop)
    return {
        node: tuple(
            KernelRoute(ip_network(prefix), metric, tuple(hops), protocol)
            for (prefix, metric, protocol), hops in routes.items()
        )
        for node, routes in found.items()
    }


def _host(row: Row, *, fresh: bool) -> HostNetwork:
    return HostNetwork(
        controllers=tuple(
            ControllerSession(ip_address(item["address"]), _address(item["source"]))
            for item in row.controllers
        ),
        resolvers=tuple(ip_address(item) for item in row.resolvers),
        ports={item["port"]: _port(item) for item in row.ports},
        rules=tuple(_rule(item) for item in row.rules),
        fresh=fresh,
    )


def _address(text: str | None) -> Address | None:
    return None if text is None else ip_address(text)


def _port(item: dict[str, Any]) -> PortNetwork:
    return PortNetwork(item["vrf"], item["forwards_ipv4"], item["forwards_ipv6"], item["rp_filter"])


def _rule(item: dict[str, Any]) -> PolicyRule:
    return PolicyRule(
        version=item["family"],
        priority=item["priority"],
        source=None if item["source"] is None else ip_network(item["source"]),
        destination=None if item["destination"] is None else ip_network(item["destination"]),
        selector=item["selector"],
        action=item["action"],
    )
