"""Order of a route's gateways while one of them leads, and their preferences."""

from backstay_wire import Hop, PolicyRoute


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
