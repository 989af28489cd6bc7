"""Actuator `bird`: BIRD can run any configuration file, so an unconfirmed change or a temporary lead uses a
file of ours next to the boot file.

It is in the same folder because relative includes start from the file's own folder, and because BIRD, which
drops its privileges, can read there. BIRD runs that file while it exists; it is deleted when the boot file
equals it.
"""

import asyncio
import contextlib
import logging
from collections.abc import Collection, Sequence
from pathlib import Path

from backstay_agent.actuators import boot_file_writer, daemon_restart, onlink, route_verification
from backstay_agent.actuators.actuator import (
    ActuatorError,
    EngineGoneError,
    EngineState,
    Prefix,
    RefusedError,
)
from backstay_agent.actuators.fallback_routing import led_hops, with_variants
from backstay_agent.host import boot_files, programs
from backstay_agent.host.daemon_control import bird_control
from backstay_agent.host.daemon_control.bird import BirdGoneError, BirdSocket
from backstay_agent.host.kernel import kernel_state
from backstay_agent.logs import event
from backstay_agent.parsers.routing import bird, bird_static
from backstay_agent.parsers.routing.candidates import Candidate
from backstay_wire import Engine, FileIntent, NodeRouting, PolicyRoute, RunningRoute

_log = logging.getLogger(__name__)
_CHECK_S = 10.0
_CONFIGURE_S = (5.0, 15.0)
"""Time limits of a reconfiguration and of its repetition."""
_MOST_QUESTIONS = 64


def staged_file(engine: Engine) -> Path:
    """Our file, next to the boot file."""
    boot = Path(engine.config)
    return boot.with_name(f"{boot.name}.backstay")


class BirdActuator:
    """The BIRD whose control socket is `engine.control`."""

    runs_daemon = True
    switches_by_file = False

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._boot = Path(engine.config)
        self._ours = staged_file(engine)

    async def alive(self) -> bool:
        """Whether BIRD answers on its control socket."""
        return await bird_control.answers(self.engine.control)

    async def running(self, prefixes: Collection[Prefix]) -> list[RunningRoute]:
        """Static routes as BIRD has them, other protocols' routes of the same prefixes, and a hand-set kernel
        route that overrides them; never the file's content."""
        control = BirdSocket(self.engine.control)
        try:
            found = await _destinations(control, prefixes)
        except (BirdGoneError, TimeoutError) as error:
            raise EngineGoneError(f"BIRD does not run: {error or 'no answer'}") from error
        except bird.BirdError as error:
            raise ActuatorError(f"BIRD: {error}") from error
        finally:
            await control.close()
        kernel = await asyncio.to_thread(kernel_state.forwarding)
        return route_verification.running_routes(route_verification.with_overrides(found, kernel), kernel)

    async def prepare(self, routing: NodeRouting) -> str:
        """`bird -p -c` of the whole new file, and a dry run against ports and networks."""
        output = ""
        for file in routing.files:
            output += await self._check(file)
        onlink.check(routing, await asyncio.to_thread(kernel_state.read_kernel))
        if not await self.alive():
            raise EngineGoneError("BIRD does not run")
        return output or "bird -p accepts the file"

    async def snapshot(self, prefixes: Collection[Prefix]) -> EngineState:
        """The file it runs unless it is the boot file, and how the daemon was started."""
        running = tuple(await self.running(prefixes))
        ours = await self._staged_text()
        values = daemon_restart.describe([self.engine.control])
        return EngineState(running, values | ({} if ours is None else {"ours": ours}))

    async def apply(self, routing: NodeRouting) -> list[RunningRoute]:
        """Run the new text from our own file; the boot file does not change until it is saved."""
        for file in routing.files:
            if file.path == self.engine.config:
                await self._run(file.text)
        prefixes = [route.prefix for route in routing.routes]
        wanted = route_verification.static_hops(routing)
        return await route_verification.settled(self.running, prefixes, wanted)

    async def lead(self, leads: Sequence[tuple[PolicyRoute, str]]) -> None:
        """Run the current text with the routes' blocks replaced by the planned variants."""
        wanted = led_hops(leads)
        await self._run(with_variants(await self._current(), leads))
        await route_verification.lead(wanted, self.running)

    async def save(self, files: Sequence[FileIntent]) -> None:
        """Write bird.conf. Our file is deleted once both have the same text."""
        boot_file_writer.save(files)
        if await self._staged_text() == boot_files.read(self._boot):
            boot_files.remove(self._ours)

    async def restore(self, state: EngineState) -> None:
        """Start the daemon if it died, and make it run the file it ran before."""
        await daemon_restart.restart(state.values, self.alive)
        if "ours" in state.values:
            await self._run(state.values["ours"])
        else:
            await self._configure(self._boot)
            boot_files.remove(self._ours)

    async def release(self, prefixes: Collection[Prefix]) -> None:
        """Run the boot file; a lead of another policy, in our own file, is taken again by the checker."""
        await self._configure(self._boot)
        boot_files.remove(self._ours)

    async def _current(self) -> str:
        return await self._staged_text() or boot_files.read(self._boot) or ""

    async def _staged_text(self) -> str | None:
        """The text of our file if the daemon runs it: a daemon started since runs its boot file."""
        head, _, text = (boot_files.read(self._ours) or "").partition("\n")
        return text if head == await self._head() else None

    async def _head(self) -> str:
        """Identifies the daemon's process: the first line of our file."""
        try:
            return f"# run by BIRD {await bird_control.process(self.engine.control)}"
        except (BirdGoneError, TimeoutError) as error:
            raise EngineGoneError(f"BIRD does not run: {error or 'no answer'}") from error

    async def _run(self, text: str) -> None:
        """Make BIRD run this text, from the boot file if that has it."""
        if boot_files.read(self._boot) == text:
            await self._configure(self._boot)
            boot_files.remove(self._ours)
            return
        try:
            boot_files.write(self._ours, f"{await self._head()}\n{text}", like=self._boot)
        except OSError as error:
            raise ActuatorError(f"cannot write {self._ours}: {error.strerror}") from error
        await self._configure(self._ours)

    async def _configure(self, path: Path) -> None:
        """Make BIRD run a file; a reconfiguration that times out is repeated once, with more time."""
        for timeout_s in _CONFIGURE_S:
            try:
                await bird_control.configure(self.engine.control, str(path), timeout_s)
            except bird_control.BirdRefusedError as error:
                raise ActuatorError(f"BIRD refused: {error}") from error
            except BirdGoneError as error:
                raise EngineGoneError(f"BIRD does not run: {error}") from error
            except TimeoutError:
                event(_log, logging.WARNING, "BIRD has not read its file", path=path, within_s=timeout_s)
            else:
                return
        times = " and ".join(f"{timeout_s:g}" for timeout_s in _CONFIGURE_S)
        raise EngineGoneError(f"BIRD has not read {path}: no answer within {times} s")

    async def _check(self, file: FileIntent) -> str:
        """Raises RefusedError with BIRD's output."""
        new = self._boot.with_name(f"{self._boot.name}.backstay-check")
        try:
            boot_files.write(new, file.text, like=self._boot)
            ended = await programs.run(["bird", "-p", "-c", str(new)], timeout_s=_CHECK_S)
        except (programs.NoProgramError, TimeoutError, OSError) as error:
            raise RefusedError(f"bird -p failed: {error}") from error
        finally:
            with contextlib.suppress(OSError):
                boot_files.remove(new)
        output = (ended.out + ended.err).replace(str(new), file.path).strip()
        if ended.status != 0:
            raise RefusedError(f"bird -p: {output}"[:1000])
        return output


async def _destinations(control: BirdSocket, prefixes: Collection[Prefix]) -> route_verification.Hops:
    """Preferences as defined on the wire."""
    found: route_verification.Hops = {prefix: [] for prefix in prefixes}
    statics = bird_static.static_protocols(await control.ask("show protocols all"))
    usable = await _usable(control, prefixes)
    for name, preference in statics.items():
        for hop in bird_static.hops(await control.ask(f"show static {name}"), name):
            if hop.prefix in found:
                # A route may have its own preference; it is visible only while the route is usable.
                own = [
                    item.preference
                    for item in usable[hop.prefix]
                    if item.source == name and str(hop.gateway) in item.via.split(", ")
                ]
                value = bird_static.preference(own[0] if own else preference)
                found[hop.prefix].append((hop.gateway, hop.port, value))
    for prefix, candidates in usable.items():
        for candidate in candidates:
            if candidate.source not in statics:
                found[prefix] += [
                    (gateway, "", bird_static.preference(candidate.preference))
                    for gateway in bird_static.gateways(candidate.via)
                ]
    return found


async def _usable(control: BirdSocket, prefixes: Collection[Prefix]) -> dict[Prefix, list[Candidate]]:
    """The routes that BIRD could use now. One question per prefix unless there are many: BIRD may know the
    Internet's routes."""
    if len(prefixes) <= _MOST_QUESTIONS:
        return {prefix: bird.candidates(await _routes(control, prefix)) for prefix in prefixes}
    found: dict[Prefix, list[Candidate]] = {prefix: [] for prefix in prefixes}
    for candidate in bird.candidates(await control.ask("show route")):
        if candidate.prefix in found:
            found[candidate.prefix].append(candidate)
    return found


async def _routes(control: BirdSocket, prefix: Prefix) -> list[str]:
    """`show route for` returns an error if there is none."""
    lines = await control.ask(f"show route for {prefix}")
    return [] if lines[-1].startswith("8001") else lines
