"""Restores a node and verifies it: pass after pass until the state read back equals the snapshot."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from backstay_agent.actuators import host_state
from backstay_agent.actuators.actuator import Actuator, ActuatorError
from backstay_agent.guard.snapshot import KeptFile, Snapshot, hop_set, keep
from backstay_agent.host import boot_files
from backstay_agent.host.kernel import kernel_state
from backstay_agent.host.kernel.host_state import compare, compare_arp, part
from backstay_agent.logs import event
from backstay_wire import Evidence, RunningRoute

_log = logging.getLogger(__name__)
_LOOK_S = 0.1
PATIENCE_S = 4.0
"""Seconds from the first pass until it counts as failed; five seconds are guaranteed."""


async def restore(
    actuator: Actuator | None, snapshot: Snapshot, patience_s: float = PATIENCE_S
) -> tuple[bool, list[Evidence]]:
    """(whether everything equals the snapshot, the checks). Repeats until it does, or until a timeout."""
    loop = asyncio.get_running_loop()
    end = loop.time() + patience_s
    while True:
        trouble = await _one_pass(actuator, snapshot)
        evidence = await verify(actuator, snapshot)
        good = all(item.ok for item in evidence)
        if good or loop.time() >= end:
            found = (
                [] if good else [Evidence(what="during restore", ok=False, found=line) for line in trouble]
            )
            return good, [*evidence, *found[:8]]
        await asyncio.sleep(_LOOK_S)


async def _one_pass(actuator: Actuator | None, snapshot: Snapshot) -> list[str]:
    """Ports, addresses and settings first, then the files, then the engine that reads them, then routes.

    If one step fails, even by a bug, the others are still executed. Returns what failed.
    """
    trouble: list[str] = []
    if snapshot.host is not None:
        trouble += await _kernel(partial(host_state.restore_interfaces, snapshot.host))
    elif snapshot.arp is not None:
        trouble += await _kernel(partial(host_state.restore_arp, snapshot.arp))
    changed = False
    for file in snapshot.files:
        try:
            changed |= _put_back(file)
        except OSError as error:
            trouble.append(f"{file.path}: {error.strerror}")
    # After a reboot with the old files the engine is in the right state, or not yet up: leave it alone.
    if actuator is not None and (changed or snapshot.host is not None):
        try:
            await actuator.restore(snapshot.engine_state)
        except Exception as error:
            trouble.append(f"{actuator.engine.kind}: {_error_text(error)}")
    if snapshot.host is not None:
        trouble += await _kernel(partial(host_state.restore_routes, snapshot.host))
    for line in trouble:
        event(_log, logging.WARNING, "cannot restore yet", trouble=line)
    return [line[:1000] for line in trouble]


async def _kernel(put_back: Callable[[], list[str]]) -> list[str]:
    try:
        return await asyncio.to_thread(put_back)
    except Exception as error:
        return [f"kernel: {_error_text(error)}"]


def _error_text(error: Exception) -> str:
    return str(error) if isinstance(error, ActuatorError | OSError) else f"{type(error).__name__}: {error}"


def _put_back(file: KeptFile) -> bool:
    """Returns whether the file differed. Raises OSError."""
    path, text = Path(file.path), file.text
    if boot_files.read(path) == text:
        return False
    if text is None:
        boot_files.remove(path)
    else:
        boot_files.write(path, text)
    return True


async def verify(actuator: Actuator | None, snapshot: Snapshot) -> list[Evidence]:
    """Read everything again and compare it with the snapshot."""
    try:
        found = await _machine(snapshot)
        found += [_file(file) for file in snapshot.files]
    except OSError as error:
        return [Evidence(what="reading again", ok=False, found=str(error)[:1000])]
    prefixes = [route.prefix for route in snapshot.running]
    if snapshot.host is None or actuator is None:
        return found
    name = f"{actuator.engine.kind} hops and preferences"
    try:
        running = await actuator.running(prefixes)
    except Exception as error:
        return [*found, Evidence(what=name, ok=False, found=_error_text(error)[:1000])]
    return [*found, part(name, hop_set(snapshot.running), hop_set(running)), _forwarded(snapshot, running)]


async def _machine(snapshot: Snapshot) -> list[Evidence]:
    """Raises OSError."""
    if snapshot.host is not None:
        return compare(snapshot.host, await kernel_state.read())
    return compare_arp(snapshot.arp, await kernel_state.read()) if snapshot.arp is not None else []


def _forwarded(snapshot: Snapshot, running: Sequence[RunningRoute]) -> Evidence:
    """Whether packets to each prefix that had a route use one of the snapshot's routes again.

    Not necessarily the same one: a gateway may have died meanwhile, which a rollback must not undo.
    """
    now = {route.prefix: {hop.address for hop in route.hops if hop.active} for route in running}
    missing = []
    for route in snapshot.running:
        known = {hop.address for hop in route.hops}
        next_hops = now.get(route.prefix, set())
        if any(hop.active for hop in route.hops) and not (next_hops and next_hops <= known):
            missing.append(f"{route.prefix} by {', '.join(map(str, next_hops)) or 'nothing'}")
    found = "; ".join(missing)[:1000] or "by gateways of the snapshot"
    return Evidence(what="prefixes that the kernel forwards", ok=not missing, found=found)


def _file(file: KeptFile) -> Evidence:
    now = keep(file.path)
    text = now.text
    shown = "absent" if text is None else f"sha256 {boot_files.digest(text)}"
    same = now.octets == file.octets
    return Evidence(what=file.path[:1024], ok=same, found=f"{shown}, {'as before' if same else 'differs'}")
