"""Restarts an engine's daemons as they were started, if they died.

Another supervisor (systemd, watchfrr) gets a moment to do so first.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence

from backstay_agent.actuators.actuator import EngineGoneError
from backstay_agent.host.daemon_control import daemons

_KEY = "daemons"
_OTHERS_S = 0.4
_STARTED_S = 2.5
_POLL_S = 0.05


def describe(sockets: Sequence[str]) -> dict[str, str]:
    """The processes behind these sockets, as a value of an EngineState."""
    found = {path: daemons.serving(path) for path in sockets}
    return {_KEY: json.dumps({path: item.model_dump() for path, item in found.items() if item})}


async def restart(values: dict[str, str], alive: Callable[[], Awaitable[bool]]) -> list[str]:
    """Start those that do not run, in order; returns their sockets.

    Raises EngineGoneError if that does not help.
    """
    if await _until(alive, _OTHERS_S):
        return []
    started: list[str] = []
    for path, raw in json.loads(values.get(_KEY, "{}")).items():
        now = await asyncio.to_thread(daemons.serving, path)
        if now is not None and not started:
            continue
        # Daemons that depend on a restarted one have lost it and may notice late, so they restart too, like
        # under watchfrr(8).
        if now is not None:
            await asyncio.to_thread(daemons.stop, now)
        await _start(path, daemons.RunningDaemon.model_validate(raw))
        started.append(path)
    if not await _until(alive, _STARTED_S):
        raise EngineGoneError(f"does not answer after a start of {', '.join(started) or 'nothing'}")
    return started


async def _start(path: str, daemon: daemons.RunningDaemon) -> None:
    """Start it and wait until it serves its socket, which the next daemon needs."""
    try:
        daemons.start(daemon)
    except OSError as error:
        raise EngineGoneError(f"cannot start {daemon.program}: {error.strerror}") from error

    async def serves() -> bool:
        return await asyncio.to_thread(daemons.serving, path) is not None

    await _until(serves, _STARTED_S)


async def _until(alive: Callable[[], Awaitable[bool]], seconds: float) -> bool:
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not await alive():
        if loop.time() >= end:
            return False
        await asyncio.sleep(_POLL_S)
    return True
