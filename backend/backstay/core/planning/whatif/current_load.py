"""Current load of the managed flows, by the gateways that the nodes use now rather than the planned ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from backstay.core.model.onlink import on_link
from backstay.core.model.routing import Address, Hop, ObservedRouting, PolicyRoute
from backstay.core.planning.whatif.flows import Flow
from backstay.core.planning.whatif.forwarding_sim import Choice, FailureScenario, ForwardingStep
from backstay.core.planning.whatif.loads import Loads, Shift


def current_load(
    loads: Loads,
    scene: FailureScenario,
    flows: Sequence[Flow],
    intact: Sequence[Choice],
    observed: Mapping[int, ObservedRouting],
) -> Shift:
    """Load of the flows. A node that has not reported its active gateway is assumed to use the
    planned one.
    """
    owners = {address: port.node_id for address, port in scene.world.topology.addresses}
    found: Shift = {}
    for at, flow in enumerate(flows):
        if not loads.carries(at):
            continue
        choices = []
        for member in flow.members:
            hop = _active(observed.get(member.node), member.route, owners)
            choice = intact[at]
            if hop is not None and not _is(choice, flow, hop.gateway_id):
                choice = _by(scene, flow, member.node, hop)
            choices.append(choice)
        _add(loads, found, at, choices)
    return found


def _add(loads: Loads, found: Shift, at: int, choices: Sequence[Choice]) -> None:
    if loads.answers(at):
        loads.add(found, at, choices[0])
        return
    for place, choice in enumerate(choices):
        loads.add_member(found, at, place, choice)


def _is(choice: Choice, flow: Flow, gateway: int) -> bool:
    return choice.place is not None and flow.steps[choice.place].gateway == gateway


def _active(seen: ObservedRouting | None, route: PolicyRoute, owners: Mapping[Address, int]) -> Hop | None:
    for running in () if seen is None else seen.routes:
        for hop in running.hops if running.prefix == route.prefix else ():
            if hop.active and hop.address in owners:
                return Hop("", owners[hop.address], hop.address, hop.port, hop.preference)
    return None


def _port(scene: FailureScenario, node: int, hop: Hop) -> Hop:
    """The hop with the node's port to the gateway, if its engine does not report the port."""
    adjacent = on_link(scene.world.topology, node, hop.gateway_id, hop.address.version)
    return hop if hop.port or adjacent is None else replace(hop, port=adjacent.own.name)


def _by(scene: FailureScenario, flow: Flow, node: int, hop: Hop) -> Choice:
    places = {step.gateway: place for place, step in enumerate(flow.steps)}
    place = places.get(hop.gateway_id)
    if place is None:
        return scene.through(
            node,
            ForwardingStep(hop.gateway_id, scene.world.segments.to_hop(node, _port(scene, node, hop))),
            flow.goal,
        )
    choice = scene.through(node, flow.steps[place], flow.goal)
    return Choice(place, choice.step, choice.beyond) if choice.place is not None else choice
