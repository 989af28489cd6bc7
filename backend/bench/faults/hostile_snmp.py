"""R14: hostile SNMP devices, polled with the agent's real limits next to good ones that must stay on time."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path

from backstay_agent.host.snmp.session import open_session
from backstay_agent.host.snmp.values import SnmpError, SnmpTimeoutError
from backstay_testing.hostile_devices import HOSTILE, NEXT_COLUMN, good_table
from backstay_testing.snmp_responder import honest, serving
from backstay_wire import SnmpSource, SnmpV2c
from bench.faults.environment import World
from bench.faults.row import Score

GOOD = 200
EVERY_S = 5.0
"""A good device is polled at this interval."""
LIMIT_S = 30.0
SLACK_S = 2.0
ON_TIME = 0.1
"""Of the interval."""
GROWTH_MB = 50.0


def run(world: World, tries: int) -> Score:
    """Every behaviour `tries` divided by their number times."""
    server = subprocess.Popen(
        [sys.executable, "-m", "bench.faults.hostile_snmp"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    try:
        assert server.stdout is not None
        places = json.loads(server.stdout.readline())
        return asyncio.run(_measure(places, max(1, round(tries / len(HOSTILE)))))
    finally:
        server.terminate()
        server.wait(10)


async def _measure(places: dict[str, int], times: int) -> Score:
    score, done, late, polls = Score(), asyncio.Event(), list[float](), list[float]()
    good = [port for name, port in places.items() if name.startswith("good ")]
    polling = [asyncio.create_task(_poll(port, place, done, late, polls)) for place, port in enumerate(good)]
    await asyncio.sleep(EVERY_S)
    before = _memory_mb()
    for _ in range(times):
        # In groups, as an agent has a few such devices among its own.
        names = list(HOSTILE)
        for first in range(0, len(names), 15):
            group = names[first : first + 15]
            await asyncio.gather(*(_meet(name, places[name], score) for name in group))
    growth = _memory_mb() - before
    done.set()
    for ended in await asyncio.gather(*polling, return_exceptions=True):
        if isinstance(ended, BaseException):
            score.count(False, f"a good device failed: {ended}")
    ordered = sorted(late)
    p99 = ordered[int(0.99 * (len(ordered) - 1))] if ordered else float("inf")
    score.count(p99 <= ON_TIME * EVERY_S, f"polls of good devices {p99:.2f} s late (p99)")
    score.count(growth <= GROWTH_MB, f"memory grew by {growth:.0f} MB")
    score.remarks.append(
        f"{len(HOSTILE)} behaviours next to {len(good)} good devices: {len(polls)} polls,"
        f" p99 {p99 * 1000:.0f} ms late; memory +{growth:.0f} MB"
    )
    return score


async def _meet(name: str, port: int, score: Score) -> None:
    """One behaviour with the agent's own limits and timeouts: it ends in time and is an error or a value."""
    device = HOSTILE[name]
    given = SnmpSource(device=name, interval_s=30, address="127.0.0.1", port=port, access=device.access)
    session, began, problem = open_session(given), time.monotonic(), ""
    try:
        async with asyncio.timeout(2 * LIMIT_S):
            found = await device.operation(session)
        if device.error is None and found != device.gives:
            problem = "gives something else"
    except TimeoutError:
        problem = "does not end"
    except Exception as caught:
        # With the real limits a slow device may run into another one than in the tests: both are typed.
        expected = (device.error, SnmpError, SnmpTimeoutError) if device.error else ()
        problem = "" if isinstance(caught, expected) else f"{type(caught).__name__}: {caught}"
    finally:
        session.close()
    took = time.monotonic() - began
    if took > LIMIT_S + SLACK_S:
        problem = f"took {took:.0f} s"
    score.count(not problem, f"{name}: {problem}")


async def _poll(port: int, place: int, done: asyncio.Event, late: list[float], polls: list[float]) -> None:
    """Poll at fixed times; note how late each poll was complete."""
    given = SnmpSource(
        device=f"good{place}",
        interval_s=EVERY_S,
        address="127.0.0.1",
        port=port,
        access=SnmpV2c(community="public"),
    )
    session = open_session(given)
    oids = tuple((*NEXT_COLUMN, index) for index in range(1, 50))
    due = time.monotonic() + place / GOOD * EVERY_S
    try:
        while not done.is_set():
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            (readings,) = await session.poll(oids)
            if len(readings) != len(oids):
                raise ValueError(f"{len(readings)} of {len(oids)} values")
            late.append(time.monotonic() - due)
            polls.append(due)
            due += EVERY_S
    finally:
        session.close()


def _memory_mb() -> float:
    for line in Path(f"/proc/{os.getpid()}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise ProcessLookupError(os.getpid())


async def _serve() -> None:
    """The devices, in a process of their own: prints their ports, serves until terminated."""
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    async with AsyncExitStack() as stack:
        places = {}
        for name, device in HOSTILE.items():
            behaviour = serving(device.behave, delay_s=device.delay_s)
            places[name] = await stack.enter_async_context(behaviour)
        for number in range(GOOD):
            places[f"good {number}"] = await stack.enter_async_context(serving(honest(good_table())))
        print(json.dumps(places), flush=True)
        await stopped.wait()


if __name__ == "__main__":
    asyncio.run(_serve())
