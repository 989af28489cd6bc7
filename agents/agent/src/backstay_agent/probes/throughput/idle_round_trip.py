"""Round trip of the idle path: small echoes to the peer while a client waits for its start.

A busy stream's round trip includes its own queueing; only the idle one distinguishes a window that is too
small from one that is merely full. Nothing waits for it: a result that is not ready in time is not
reported.
"""

import asyncio
import json
import logging

from pydantic import ValidationError

from backstay_agent.host.clock import Clock
from backstay_agent.host.throughput.child import Child, Ended
from backstay_agent.logs import event
from backstay_wire import PingResult, TestAssignment

_log = logging.getLogger(__name__)
_ASKED = {"size": 64, "rate": 50.0, "count": 8, "wait_s": 1.0}
"""In terms of `PingSpec`: eight echoes of 64 octets, 20 ms apart."""
_AHEAD_NS = 2_800_000_000
"""Echoes start this long before the test: they finish before the ports are first read."""
_CLEAR_NS = 200_000_000
"""No echo of ours is in flight during this time before the start."""
_SECOND = 1_000_000_000


async def least_round_trip(assignment: TestAssignment, moment_ns: int, clock: Clock) -> int | None:
    """Microseconds; None: no answer, echoes are not permitted, or there was no time.

    `moment_ns`: start of the test, monotonic. After a cancellation no process is left.
    """
    now = clock.monotonic_ns()
    left_s = (moment_ns - _CLEAR_NS - now) / _SECOND
    if left_s <= 0:
        return None
    asked = {**_ASKED, "local": str(assignment.local or ""), "peer": str(assignment.peer)}
    try:
        child = await Child.spawn_own("echoes", max(now, moment_ns - _AHEAD_NS), (json.dumps(asked),))
    except OSError as error:
        event(_log, logging.WARNING, "no echoes before a test", error=error.strerror)
        return None
    try:
        async with asyncio.timeout(left_s):
            return least(await child.ended())
    except TimeoutError:
        return None
    finally:
        await child.end()


def least(ended: Ended) -> int | None:
    """The result of the echo program, microseconds; None with any status but 0."""
    if ended.status:
        return None
    try:
        latency = PingResult.model_validate_json(ended.out).latency
    except ValidationError:
        return None
    return latency.least if latency else None
