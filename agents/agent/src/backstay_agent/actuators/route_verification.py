"""Compares the state reached with the desired state, after every action of an actuator."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from ipaddress import IPv4Address, IPv6Address

from backstay_agent.actuators.actuator import ActuatorError, Prefix
from backstay_agent.host.kernel import kernel_state
from backstay_wire import Hop, PolicyRoute, RunningHop, RunningRoute

_SETTLED_S = 3.0
_POLL_S = 0.02
_FORWARDED_S = 1.0
_SOON_S = 0.002

Address = IPv4Address | IPv6Address
Forwarding = Mapping[Prefix, tuple[Address, ...]]
Running = Callable[[Collection[Prefix]], Awaitable[list[RunningRoute]]]
Wanted = Sequence[tuple[Prefix, Sequence[Hop]]]


def running_route(
    prefix: Prefix, hops: Iterable[tuple[Address, str, int]], forwarding: Forwarding
) -> RunningRoute | None:
    """Route from hops (address, port, preference) in order of preference; None without hops.

    A gateway listed twice is active only at its best preference.
    """
    left = list(forwarding.get(prefix, ()))
    found = []
    for address, port, preference in sorted(hops, key=lambda hop: (hop[2], str(hop[0]))):
        active = address in left
        if active:
            left.remove(address)
        found.append(RunningHop(address=address, port=port, preference=preference, active=active))
    return RunningRoute(prefix=prefix, hops=found[:64]) if found else None


def check(wanted: Wanted, running: Sequence[RunningRoute]) -> None:
    """Raises ActuatorError unless exactly the desired hops run, with their preferences."""
    by_prefix = {route.prefix: route for route in running}
    for prefix, hops in wanted:
        found = (
            {(hop.address, hop.preference) for hop in by_prefix[prefix].hops}
            if prefix in by_prefix
            else set()
        )
        intended = {(hop.address, hop.preference) for hop in hops}
        if found != intended:
            raise ActuatorError(
                f"{prefix} should run {_format_hops(intended)}, but runs {_format_hops(found)}"
            )


async def lead(wanted: Wanted, read: Running) -> None:
    """Wait until the kernel forwards by the first hop and the engine has the others. Raises ActuatorError."""
    for prefix, hops in wanted:
        if not await forwarded(prefix, hops[0].address):
            raise ActuatorError(f"{prefix}: the kernel does not forward by {hops[0].address}")
    await settled(read, [prefix for prefix, _ in wanted], wanted)


async def settled(read: Running, prefixes: Collection[Prefix], wanted: Wanted) -> list[RunningRoute]:
    """The running routes once they match: a daemon continues to work after it has answered. Raises
    ActuatorError."""
    loop = asyncio.get_running_loop()
    end = loop.time() + _SETTLED_S
    while True:
        running = await read(prefixes)
        try:
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
    while not set(addresses) & set((await asyncio.to_thread(kernel_state.forwarding)).get(prefix, ())):
        if loop.time() > end:
            return False
        await asyncio.sleep(_SOON_S)
    return True


def by_static(route: PolicyRoute) -> bool:
    """Whether the route's hops are static, so that their number is known; those of a protocol come and go."""
    return route.detection != "protocol"


def _format_hops(hops: Iterable[tuple[Address, int]]) -> str:
    return (
        ", ".join(f"{address} ({place})" for address, place in sorted(hops, key=lambda hop: hop[1])) or "none"
    )
