"""Probes after a change: every gateway, and the target via every gateway and via the route.

A standby gateway that was already dead is not probed: the plan warns about it, and it must not block the
repair of a node.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from backstay.core.model.routing import Hop, NodeRouting, PolicyRoute

MOST = 32
"""Max probes per assignment."""
Probe = dict[str, Any]
"""The wire's `ChangeProbe`."""


def probes(routing: NodeRouting, dead: Container[int]) -> list[Probe]:
    """For one node; `dead`: ids of gateways that do not respond to it.

    Probes via routes come first; beyond the maximum, standby gateways are left out.
    """
    by_route = (item for route in routing.routes for item in _by_route(route))
    by_gateway = (
        item
        for place in range(max((len(route.hops) for route in routing.routes), default=0))
        for route in routing.routes
        for item in _through(route, route.hops[place : place + 1], dead)
    )
    found = {(item["address"], item["via"], item["port"]): item for item in (*by_route, *by_gateway)}
    return list(found.values())[:MOST]


def _by_route(route: PolicyRoute) -> Iterator[Probe]:
    if route.target is not None:
        yield _probe(str(route.target), str(route.target))


def _through(route: PolicyRoute, hops: tuple[Hop, ...], dead: Container[int]) -> Iterator[Probe]:
    for hop in hops:
        if hop.gateway_id in dead:
            continue
        yield _probe(f"{hop.gateway} at {hop.address}", str(hop.address), port=hop.port)
        if route.target is not None:
            name = f"{route.target} through {hop.gateway}"
            yield _probe(name, str(route.target), via=str(hop.address), port=hop.port)


def _probe(name: str, address: str, *, via: str | None = None, port: str = "") -> Probe:
    return {"name": name, "address": address, "via": via, "port": port}
