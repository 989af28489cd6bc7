"""Verification after applying: every probe of the plan answered and the controller reached, each in time."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from backstay_wire import ChangeProbe, Evidence

Echo = Callable[[ChangeProbe], Awaitable[float | None]]
"""Sends one echo; returns the round trip in milliseconds, None if unanswered."""
Reach = Callable[[], Awaitable[bool]]
"""Sends a request to the controller; returns whether it answered."""

_AGAIN_S = 0.2
_CONTROLLER_S = 8.0
"""It may need a new connection over the new path, so it gets longer than an echo."""
_ATTEMPT_S = 2.5
"""A connection kept open over the old path may be dead: the next attempt opens a new one."""


async def verify(
    probes: Sequence[ChangeProbe], echo: Echo, reach: Reach, *, probe_s: float, left_s: float
) -> list[Evidence]:
    """One piece of evidence per probe and one for the controller; all run concurrently."""
    controller_s = min(left_s, max(probe_s, _CONTROLLER_S))
    found = await asyncio.gather(
        *(_probe(probe, echo, min(probe_s, left_s)) for probe in probes),
        _controller(reach, controller_s),
    )
    return [item.model_copy(update={"stage": "probed"}) for item in found]


async def _probe(probe: ChangeProbe, echo: Echo, within_s: float) -> Evidence:
    loop = asyncio.get_running_loop()
    end, sent = loop.time() + within_s, 0
    while True:
        sent += 1
        try:
            async with asyncio.timeout(max(0.05, end - loop.time())):
                rtt = await echo(probe)
        except TimeoutError:
            rtt = None
        except OSError as error:
            return Evidence(what=probe.name, ok=False, found=f"cannot be sent: {error.strerror or error}")
        if rtt is not None:
            return Evidence(what=probe.name, ok=True, found=f"answered in {rtt:.2g} ms")
        if loop.time() + _AGAIN_S >= end:
            return Evidence(what=probe.name, ok=False, found=f"{sent} of {sent} lost in {within_s:.1f} s")
        await asyncio.sleep(_AGAIN_S)


async def _controller(reach: Reach, within_s: float) -> Evidence:
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
