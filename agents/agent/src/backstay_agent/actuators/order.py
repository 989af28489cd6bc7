"""A route's gateways in order: which comes first when one of them leads, and what that means to each."""

from backstay_wire import Hop, PolicyRoute


def led_by(route: PolicyRoute, gateway: str) -> list[Hop]:
    """The hops with `gateway` first and the others after it in their order; preferences go by place.

    Raises ValueError when the route has no such gateway.
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
