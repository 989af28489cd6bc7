"""Impact of a drill: the planner's failure analysis with the drill's gateways first.

Only additional impact counts: a node that is already cut off is not an effect of the drill.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from backstay.core.formatting import listing, rate, share
from backstay.core.model.plan import Impact
from backstay.core.model.routing import NodeRouting
from backstay.core.planning.whatif.failure import analyse
from backstay.rollout.plans.plan_inputs import PlanInputs

Led = Mapping[int, tuple[str, str]]
"""Node id -> (policy, gateway to use first)."""


def check_impact(reading: PlanInputs, led: Led) -> list[str]:
    """Problems while the traffic is moved, one sentence each; empty: none."""
    as_is = reading.confirmed
    moved = {node: _led(routing, *led[node]) if node in led else routing for node, routing in as_is.items()}
    after = _impact(reading, moved)
    if not (after.cut_off or after.looping or after.over):
        return []
    return list(_describe(reading, _impact(reading, as_is), after))


def _led(routing: NodeRouting, policy: str, gateway: str) -> NodeRouting:
    routes = [route.led_by(gateway) if route.policy == policy else route for route in routing.routes]
    return replace(routing, routes=tuple(routes))


def _impact(reading: PlanInputs, routings: Mapping[int, NodeRouting]) -> Impact:
    """With no failure."""
    found = analyse(reading.topology, routings, reading.observed, reading.observation(()))
    return found.consequences[0].impact


def _describe(reading: PlanInputs, before: Impact, after: Impact) -> Iterator[str]:
    lost = [name for name in after.cut_off if name not in before.cut_off]
    if lost:
        yield f"{listing(lost)} would be cut off."
    looping = [name for name in after.looping if name not in before.looping]
    if looping:
        yield f"Packets of {listing(looping)} would loop."
    full = {load.link_id: load.utilisation for load in before.over}
    for load in after.over:
        if load.utilisation > full.get(load.link_id, 0.0):
            name = _link(reading, load.link_id)
            yield f"{name} would carry {rate(load.bps)}, {share(load.utilisation)} of its usable rate."


def _link(reading: PlanInputs, link_id: int) -> str:
    topology = reading.topology
    link = topology.links[link_id]
    ends = [topology.ports[port] for port in (link.a, link.b) if port is not None]
    names = [f"{topology.nodes[port.node_id].name}:{port.name}" for port in ends]
    return "-".join(names if link.b is not None else [*names, topology.fabrics[link.fabric_id].name])
