"""Daemons behind an engine: remembered as they were started, and started so again when they died.

Where somebody else watches over them too (systemd, watchfrr), that one is given a moment first.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence

from backstay_agent.actuators.actuator import EngineGoneError
from backstay_agent.host import daemons

_KEY = "daemons"
_OTHERS_S = 0.4
_STARTED_S = 2.5
_POLL_S = 0.05


def describe(sockets: Sequence[str]) -> dict[str, str]:
    """The processes behind these sockets, as a value of an EngineState."""
    found = {path: daemons.serving(path) for path in sockets}
    return {_KEY: json.dumps({path: each.model_dump() for path, each in found.items() if each})}


async def revive(values: dict[str, str], alive: Callable[[], Awaitable[bool]]) -> list[str]:
    """Start those that do not run; returns their programs. Raises EngineGoneError when that does not help."""
    if await _until(alive, _OTHERS_S):
        return []
    started = []
    for path, raw in json.loads(values.get(_KEY, "{}")).items():
        if daemons.serving(path) is None:
            daemon = daemons.Daemon.model_validate(raw)
            try:
                daemons.start(daemon)
            except OSError as error:
                raise EngineGoneError(f"cannot start {daemon.program}: {error.strerror}") from error
            started.append(daemon.program)
    if not await _until(alive, _STARTED_S):
        raise EngineGoneError(f"does not answer after a start of {', '.join(started) or 'nothing'}")
    return started


async def _until(alive: Callable[[], Awaitable[bool]], seconds: float) -> bool:
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not await alive():
        if loop.time() >= end:
            return False
        await asyncio.sleep(_POLL_S)
    return True
