"""A node's routing while fallbacks are active: the same gateways, another one first."""

from collections.abc import Mapping, Sequence

from backstay_agent.actuators.actuator import ActuatorError
from backstay_agent.actuators.route_verification import Wanted
from backstay_agent.parsers.routing import blocks
from backstay_wire import FileIntent, Hop, NodeRouting, PolicyRoute

RouteLead = tuple[PolicyRoute, str]
"""A route, and the gateway that is first now."""
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
    leads = [(route, moved[key_of(route)]) for route in routing.routes if key_of(route) in moved]
    return file.model_copy(update={"text": with_variants(file.text, leads)})


def led_by(route: PolicyRoute, gateway: str) -> list[Hop]:
    """The hops with `gateway` first and the others after it in their order; preferences follow the position.

    Raises ValueError if the route has no such gateway.
    """
    first = [hop for hop in route.hops if hop.gateway == gateway]
    if not first:
        raise ValueError(f"{route.policy} {route.prefix} has no gateway {gateway}")
    rest = [hop for hop in route.hops if hop.gateway != gateway]
    places = sorted(hop.preference for hop in route.hops)
    return [
        hop.model_copy(update={"preference": place})
        for hop, place in zip([*first, *rest], places, strict=True)
    ]


def led_hops(leads: Sequence[RouteLead]) -> Wanted:
    """(prefix, hops) of each route, with its gateway first."""
    return [(route.prefix, led_by(route, gateway)) for route, gateway in leads]


def variant(route: PolicyRoute, gateway: str) -> str:
    """The planned content of the route's block with one gateway first. Raises ActuatorError without one."""
    if gateway not in route.variants:
        raise ActuatorError(f"{route.policy} {route.prefix}: no text with {gateway} first was planned")
    return route.variants[gateway]


def with_variants(text: str, leads: Sequence[RouteLead]) -> str:
    """A configuration with the planned variants in the routes' blocks. Raises ActuatorError."""
    for route, gateway in leads:
        content = variant(route, gateway)
        try:
            text = blocks.replace(text, route.policy, route.prefix, content)
        except ValueError as error:
            raise ActuatorError(str(error)) from error
    return text
