"""Compares the state reached with the desired state, after every action of an actuator."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from ipaddress import IPv4Address, IPv6Address

from backstay_agent.actuators.actuator import ActuatorError, Prefix
from backstay_agent.host.kernel import kernel_state
from backstay_agent.host.kernel.forwarding import ForwardingState
from backstay_wire import Hop, NodeRouting, RunningHop, RunningRoute

_SETTLED_S = 3.0
_POLL_S = 0.02
_FORWARDED_S = 1.0
_SOON_S = 0.002
_MOST_HOPS = 64
"""Of one prefix in a report, see `RunningRoute`."""

Address = IPv4Address | IPv6Address
Hops = dict[Prefix, list[tuple[Address, str, int]]]
"""Prefix -> (gateway, port, preference)."""
Running = Callable[[Collection[Prefix]], Awaitable[list[RunningRoute]]]
Wanted = Sequence[tuple[Prefix, Sequence[Hop]]]


def running_routes(
    found: Mapping[Prefix, Sequence[tuple[Address, str, int]]], kernel: ForwardingState
) -> list[RunningRoute]:
    """Routes of these prefixes in their order, hops by preference; a prefix without hops is left out.

    A gateway listed twice is active only at its best preference.
    """
    return [_running_route(prefix, hops, kernel.gateways(prefix)) for prefix, hops in found.items() if hops]


def with_overrides(found: Hops, kernel: ForwardingState) -> Hops:
    """A daemon's hops, and those of a hand-set route that the kernel prefers to the daemon's.

    The daemon's own configuration does not show that route; packets take it.
    """
    for prefix, hops in found.items():
        route = kernel.routes.get(prefix)
        if hops and route is not None and route.is_hand_set:
            hops += [(gateway, "", route.metric) for gateway in route.gateways]
    return found


def _running_route(
    prefix: Prefix, hops: Iterable[tuple[Address, str, int]], gateways: Iterable[Address]
) -> RunningRoute:
    left = list(gateways)
    found = []
    for address, port, preference in sorted(hops, key=lambda hop: (hop[2], str(hop[0]))):
        active = address in left
        if active:
            left.remove(address)
        found.append(RunningHop(address=address, port=port, preference=preference, active=active))
    return RunningRoute(prefix=prefix, hops=found[:_MOST_HOPS])


def static_hops(routing: NodeRouting) -> Wanted:
    """The hops that must run, of every route whose gateways do not come and go with a protocol."""
    return [(route.prefix, route.hops) for route in routing.routes if route.detection != "protocol"]


def differences(wanted: Wanted, running: Iterable[RunningRoute]) -> dict[Prefix, str]:
    """Prefix -> what runs instead of the desired hops with their preferences."""
    by_prefix = {route.prefix: {(hop.address, hop.preference) for hop in route.hops} for route in running}
    found = {}
    for prefix, hops in wanted:
        runs = by_prefix.get(prefix, set())
        intended = {(hop.address, hop.preference) for hop in hops}
        if runs != intended:
            found[prefix] = f"{prefix} should run {_format_hops(intended)}, but runs {_format_hops(runs)}"
    return found


def check(wanted: Wanted, running: Iterable[RunningRoute]) -> None:
    """Raises ActuatorError unless exactly the desired hops run, with their preferences."""
    for difference in differences(wanted, running).values():
        raise ActuatorError(difference)


async def lead(wanted: Wanted, read: Running) -> None:
    """Wait until the kernel forwards by the first hops and the engine has the rest. Raises ActuatorError."""
    loop = asyncio.get_running_loop()
    end = loop.time() + _FORWARDED_S
    while True:
        kernel = await asyncio.to_thread(kernel_state.forwarding)
        missing = [
            (prefix, hops[0]) for prefix, hops in wanted if hops[0].address not in kernel.gateways(prefix)
        ]
        if not missing:
            break
        if loop.time() > end:
            prefix, hop = missing[0]
            raise ActuatorError(f"{prefix}: the kernel does not forward by {hop.address}")
        await asyncio.sleep(_SOON_S)
    await settled(read, [prefix for prefix, _ in wanted], wanted)


async def settled(read: Running, prefixes: Collection[Prefix], wanted: Wanted) -> list[RunningRoute]:
    """The running routes once they match: a daemon continues to work after it has answered. Raises
    ActuatorError."""
    loop = asyncio.get_running_loop()
    end = loop.time() + _SETTLED_S
    while True:
        try:
            running = await read(prefixes)
            check(wanted, running)
        except ActuatorError:
            if loop.time() > end:
                raise
            await asyncio.sleep(_POLL_S)
        else:
            return running


async def forwarded(prefix: Prefix, *addresses: Address) -> bool:
    """Whether the kernel forwards a prefix by one of these, now or shortly: daemons update it later."""
    loop = asyncio.get_running_loop()
    end = loop.time() + _FORWARDED_S
    while not set(addresses) & set((await asyncio.to_thread(kernel_state.forwarding)).gateways(prefix)):
        if loop.time() > end:
            return False
        await asyncio.sleep(_SOON_S)
    return True


def _format_hops(hops: Iterable[tuple[Address, int]]) -> str:
    return (
        ", ".join(f"{address} ({place})" for address, place in sorted(hops, key=lambda hop: hop[1])) or "none"
    )
