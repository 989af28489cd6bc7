"""Verification: every probe of the plan answered and the controller reached, each in time; before saving also
that the node still runs what was applied."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from backstay_agent.actuators.actuator import Prefix
from backstay_agent.host.kernel.host_state import ArpBaseline, part
from backstay_wire import ChangeProbe, Evidence, RunningRoute

Echo = Callable[[ChangeProbe], Awaitable[float | None]]
"""Sends one echo; returns the round trip in milliseconds, None if unanswered."""
Reach = Callable[[], Awaitable[bool]]
"""Sends a request to the controller over a new connection; returns whether it answered."""

_AGAIN_S = 0.2
_CONTROLLER_S = 8.0
"""It needs a new connection over the new path, so it gets longer than an echo."""
_ATTEMPT_S = 2.5
"""Each attempt opens a connection of its own."""
_MOST_AT_ONCE = 64
"""Echoes; each has sockets of its own, and a gateway may limit its rate of replies."""
_USED, _UNUSED = " in use", " not in use"
_MOST_LISTED = 32
"""Probes of one result that have evidence of their own; the others are counted."""


async def verify(
    probes: Sequence[ChangeProbe], echo: Echo, reach: Reach, *, probe_s: float, left_s: float
) -> list[Evidence]:
    """One piece of evidence per probe, of many the first ones and a count, and one for the controller; all
    run concurrently."""
    controller_s = min(left_s, max(probe_s, _CONTROLLER_S))
    slots = asyncio.Semaphore(_MOST_AT_ONCE)
    *probed, controller = await asyncio.gather(
        *(_probe(probe, echo, min(probe_s, left_s), slots) for probe in probes),
        reach_controller(reach, controller_s),
    )
    return [item.model_copy(update={"stage": "probed"}) for item in [*_listed(probed), controller]]


def _listed(results: Sequence[Evidence]) -> list[Evidence]:
    """Of many probes, those that failed first: a report has a limited number of pieces of evidence."""
    if len(results) <= _MOST_LISTED:
        return list(results)
    failed, passed = ([one for one in results if one.ok is ok] for ok in (False, True))
    return [*_cut(failed, "not answered"), *_cut(passed, "answered")]


def _cut(results: Sequence[Evidence], found: str) -> list[Evidence]:
    if len(results) <= _MOST_LISTED:
        return list(results)
    others = f"{len(results) - _MOST_LISTED} other probes"
    return [*results[:_MOST_LISTED], Evidence(what=others, ok=results[0].ok, found=found)]


async def _probe(probe: ChangeProbe, echo: Echo, within_s: float, slots: asyncio.Semaphore) -> Evidence:
    """Send until it is answered; each attempt waits for its turn, so that lost ones delay no others."""
    loop = asyncio.get_running_loop()
    end, sent = loop.time() + within_s, 0
    while True:
        rtt = None
        try:
            async with asyncio.timeout(max(0.05, end - loop.time())), slots:
                sent += 1
                rtt = await echo(probe)
        except TimeoutError:
            pass
        except OSError as error:
            return Evidence(what=probe.name, ok=False, found=f"cannot be sent: {error.strerror or error}")
        if rtt is not None:
            return Evidence(what=probe.name, ok=True, found=f"answered in {rtt:.2g} ms")
        if loop.time() + _AGAIN_S >= end:
            lost = f"{sent} of {sent} lost" if sent else "no turn to send it"
            return Evidence(what=probe.name, ok=False, found=f"{lost} in {within_s:.1f} s")
        await asyncio.sleep(_AGAIN_S)


def managed_lines(
    running: Sequence[RunningRoute], arp: ArpBaseline | None, prefixes: Sequence[Prefix]
) -> list[str]:
    """What a change manages, as lines to compare: routes of these prefixes, and ARP of the change's ports.

    Each hop has its preference: the checker is paused from the first phase after preparing to the end of the
    change, so nothing of ours reorders them meanwhile.
    """
    managed = set(prefixes)
    routes = [route for route in running if route.prefix in managed]
    lines = [line for route in routes for line in _route_lines(route)]
    if arp is not None:
        lines += [f"{port} ARP {'on' if flag else 'off'}" for port, flag in arp.flags.items()]
        lines += [str(row) for row in arp.neighbours]
        lines += arp.lines()
    return lines


def _route_lines(route: RunningRoute) -> list[str]:
    used = any(hop.active for hop in route.hops)
    return [
        f"{route.prefix}{_USED if used else _UNUSED}",
        *(f"{route.prefix} via {hop.address} preference {hop.preference}" for hop in route.hops),
    ]


def compare_running(applied: Sequence[str], now: Sequence[str]) -> Evidence:
    """Whether the node still runs what was applied, by their `managed_lines`.

    A daemon may put a route in use after it was read: BIRD waits for a new BFD session of its gateway. That
    is what was applied; a route that is not in use any more is not.
    """
    running = set(now)
    awaited = [
        used if line.endswith(_UNUSED) and (used := line.removesuffix(_UNUSED) + _USED) in running else line
        for line in applied
    ]
    compared = part("running state", awaited, now)
    found = (
        f"{len(applied)} lines as applied"
        if compared.ok
        else f"differs from what was applied: {compared.found}"
    )
    return Evidence(what=compared.what, ok=compared.ok, found=found[:1024])


async def reach_controller(reach: Reach, within_s: float) -> Evidence:
    """Try until the controller answers over a new connection, for `within_s` at most."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    while True:
        left = began + within_s - loop.time()
        try:
            async with asyncio.timeout(min(_ATTEMPT_S, max(0.05, left))):
                answered = await reach()
        except TimeoutError:
            answered = False
        if answered:
            took = (loop.time() - began) * 1000
            return Evidence(what="controller", ok=True, found=f"answered after {took:.0f} ms")
        if loop.time() + _AGAIN_S >= began + within_s:
            return Evidence(what="controller", ok=False, found=f"no answer within {within_s:.1f} s")
        await asyncio.sleep(_AGAIN_S)
