"""Probes after a change: every gateway, and the target via every gateway and via the route.

A standby gateway that was already dead is not probed: the plan warns about it, and it must not block the
repair of a node.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

from backstay.core.model.routing import Hop, NodeRouting, PolicyRoute

MOST = 1_024
"""Maximum number of probes of one node in a change (`backstay_wire.change.MAX_PROBES`)."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One echo request of a node; the wire's `ChangeProbe`."""

    name: str
    address: str
    via: str | None = None
    port: str = ""


def probes(routing: NodeRouting, dead: Container[int]) -> list[Probe]:
    """For one node, most important first: via the routes, through the gateways in use, then through standby
    gateways; `dead`: ids of gateways that do not respond to it. An assignment takes the first `MOST`.
    """
    by_route = (item for route in routing.routes for item in _by_route(route))
    by_gateway = (
        item
        for place in range(max((len(route.hops) for route in routing.routes), default=0))
        for route in routing.routes
        for item in _through(route, route.hops[place : place + 1], dead)
    )
    return list({(item.address, item.via, item.port): item for item in (*by_route, *by_gateway)}.values())


def _by_route(route: PolicyRoute) -> Iterator[Probe]:
    if route.target is not None:
        yield Probe(str(route.target), str(route.target))


def _through(route: PolicyRoute, hops: tuple[Hop, ...], dead: Container[int]) -> Iterator[Probe]:
    for hop in hops:
        if hop.gateway_id in dead:
            continue
        yield Probe(f"{hop.gateway} at {hop.address}", str(hop.address), port=hop.port)
        if route.target is not None:
            name = f"{route.target} through {hop.gateway}"
            yield Probe(name, str(route.target), via=str(hop.address), port=hop.port)
