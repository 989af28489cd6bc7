"""A node's routing while fallbacks are active: the same gateways, another one first."""

from collections.abc import Mapping

from backstay_agent.actuators.actuator import ActuatorError
from backstay_agent.actuators.order import led_by
from backstay_agent.parsers.routing import blocks
from backstay_wire import FileIntent, NodeRouting, PolicyRoute

Leads = Mapping[str, str]
"""`policy prefix` -> the gateway that is first now; a route that is missing has its planned order."""


def key_of(route: PolicyRoute) -> str:
    """Key under which a policy's route on this node is stored."""
    return f"{route.policy} {route.prefix}"


def led_routing(routing: NodeRouting, leads: Leads) -> NodeRouting:
    """Hops in the order in force, and the boot file with the planned variant in each such route's block.

    Raises ActuatorError if a variant was not planned.
    """
    moved = {
        key_of(route): lead
        for route in routing.routes
        if (lead := leads.get(key_of(route), "")) and lead != route.hops[0].gateway
    }
    if not moved:
        return routing
    routes = [
        route.model_copy(update={"hops": led_by(route, moved[key_of(route)])})
        if key_of(route) in moved
        else route
        for route in routing.routes
    ]
    files = [
        _led_file(file, routing, moved) if file.path == routing.engine.config else file
        for file in routing.files
    ]
    return routing.model_copy(update={"routes": routes, "files": files})


def _led_file(file: FileIntent, routing: NodeRouting, moved: Leads) -> FileIntent:
    text = file.text
    for route in routing.routes:
        lead = moved.get(key_of(route))
        if lead is not None:
            text = with_variant(text, route, lead)
    return file.model_copy(update={"text": text})


def variant(route: PolicyRoute, gateway: str) -> str:
    """The planned content of the route's block with one gateway first. Raises ActuatorError without one."""
    if gateway not in route.variants:
        raise ActuatorError(f"{route.policy} {route.prefix}: no text with {gateway} first was planned")
    return route.variants[gateway]


def with_variant(text: str, route: PolicyRoute, gateway: str) -> str:
    """A configuration with the planned variant in the route's block. Raises ActuatorError."""
    content = variant(route, gateway)
    try:
        return blocks.replace(text, route.policy, route.prefix, content)
    except ValueError as error:
        raise ActuatorError(str(error)) from error
