"""Actuator `gated`: gated.conf+ -> `gdc checknew` -> `newconf` -> `reconfig` -> `dump` -> compare.

gated reads one file only, so an applied change is in the boot file at once, and so is a temporary lead;
other engines keep them separate. A rollback writes the snapshot's file, restores the chain gated.conf-,
conf-- as it was, and runs `reconfig`: like `gdc backout`, but certain to reach the snapshot after any
number of steps.

A right file proves nothing: gated runs what it last read. Only its dump and the kernel show that, so every
step ends with comparing them, and `reconfig` is repeated, up to `_RECONFIG_PAUSES_S`, until they match.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from pathlib import Path
from typing import TypeVar

from backstay_agent.actuators import boot_file_writer, onlink, route_verification
from backstay_agent.actuators.actuator import (
    ActuatorError,
    EngineGoneError,
    EngineState,
    Prefix,
    RefusedError,
)
from backstay_agent.actuators.fallback_routing import led_hops, with_variants
from backstay_agent.host import boot_files, programs
from backstay_agent.host.daemon_control import dump_file
from backstay_agent.host.kernel import kernel_state
from backstay_agent.logs import event
from backstay_agent.parsers.routing import gated
from backstay_agent.parsers.routing.bird_static import gateways
from backstay_agent.parsers.routing.candidates import Candidate
from backstay_wire import Engine, FileIntent, NodeRouting, PolicyRoute, RunningRoute

_log = logging.getLogger(__name__)
_REMNANT = 254
"""Preference of kernel routes that an earlier gated left, found at the start and dropped after minutes."""
_GDC_S = 12.0
"""gdc itself waits ten seconds for an answer."""
_RECONFIG_S = 4.0
"""`gdc reconfig` only sends a signal: one that takes longer hangs."""
_RECONFIG_PAUSES_S = (0.2, 1.0)
"""Seconds before the second and the third attempt; there is no fourth."""
Reached = TypeVar("Reached")


class GatedActuator:
    """The gated controlled by `engine.control`, a gdc."""

    runs_daemon = True
    switches_by_file = True

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._boot = Path(engine.config)

    async def alive(self) -> bool:
        """`gdc running`."""
        try:
            return (await self._run("running")).status == 0
        except EngineGoneError:
            return False

    async def running(self, prefixes: Collection[Prefix]) -> list[RunningRoute]:
        """The candidates of a fresh dump, and of our blocks in the file those that gated cannot show now.

        gated lists no static route whose gateway is on a port that is down.
        """
        table = gated.table(await self._dump())
        kernel = await asyncio.to_thread(kernel_state.forwarding)
        found: route_verification.Hops = {prefix: [] for prefix in prefixes}
        for candidate in table.candidates:
            if candidate.prefix in found and candidate.preference >= 0 and not _is_remnant(candidate):
                hops = [(gateway, "", candidate.preference) for gateway in gateways(candidate.via)]
                found[candidate.prefix] += hops
        for static in gated.block_statics(boot_files.read(self._boot) or ""):
            if static.prefix in found and not kernel.is_on_link(static.gateway):
                found[static.prefix].append((static.gateway, "", static.preference))
        return route_verification.running_routes(found, kernel)

    async def prepare(self, routing: NodeRouting) -> str:
        """Write gated.conf+, check it with `gdc checknew`, and remove it."""
        onlink.check(routing, await asyncio.to_thread(kernel_state.read_kernel))
        if not await self.alive():
            raise EngineGoneError("gated does not run")
        output = ""
        for file in routing.files:
            pending = boot_files.read(self._file("+"))
            if pending not in (None, file.text):
                raise RefusedError(f"{self._file('+')} exists: a manual change is being prepared")
            try:
                output += await self._check(file.text)
            finally:
                boot_files.remove(self._file("+"))
        return output or "gdc checknew accepts the file"

    async def snapshot(self, prefixes: Collection[Prefix]) -> EngineState:
        """The chain of older files, to restore it too."""
        running = tuple(await self.running(prefixes))
        chain = {ending: boot_files.read(self._file(ending)) for ending in ("-", "--")}
        return EngineState(running, {f"conf{key}": text for key, text in chain.items() if text is not None})

    async def apply(self, routing: NodeRouting) -> list[RunningRoute]:
        """Check, install, reconfigure, and compare the dump with the desired routes."""
        wanted = route_verification.static_hops(routing)
        prefixes = [route.prefix for route in routing.routes]
        installed = [
            await self._install(file.text) for file in routing.files if file.path == self.engine.config
        ]
        if not any(installed):
            running = await self.running(prefixes)
            if not route_verification.differences(wanted, running):
                return running
        return await self._reconfigure(lambda: route_verification.settled(self.running, prefixes, wanted))

    async def lead(self, leads: Sequence[tuple[PolicyRoute, str]]) -> None:
        """Install the boot file with the planned variants in the routes' blocks; one reconfiguration."""
        wanted = led_hops(leads)
        await self._install(with_variants(boot_files.read(self._boot) or "", leads))
        await self._reconfigure(lambda: route_verification.lead(wanted, self.running))

    async def save(self, files: Sequence[FileIntent]) -> None:
        """gated.conf holds it already; any other text is written and read back."""
        boot_file_writer.save(files)

    async def restore(self, state: EngineState) -> None:
        """The boot file is already restored; restore the chain of older files and let gated read it."""
        boot_files.remove(self._file("+"))
        for ending in ("-", "--"):
            text = state.values.get(f"conf{ending}")
            if text is None:
                boot_files.remove(self._file(ending))
            elif boot_files.read(self._file(ending)) != text:
                boot_files.write(self._file(ending), text, like=self._boot)
        if await self.alive():
            await self._do("reconfig", _RECONFIG_S)
        else:
            await self._do("start")

    async def release(self, prefixes: Collection[Prefix]) -> None:
        """Read the boot file again; a gated that does not run reads it when it starts."""
        boot_files.remove(self._file("+"))
        await self._do("reconfig")

    def _file(self, ending: str) -> Path:
        return self._boot.with_name(self._boot.name + ending)

    async def _check(self, text: str) -> str:
        """Write conf+ and check it. Raises RefusedError with gated's output."""
        try:
            boot_files.write(self._file("+"), text, like=self._boot)
        except OSError as error:
            raise RefusedError(f"cannot write {self._file('+')}: {error.strerror}") from error
        ended = await self._run("checknew")
        output = (ended.out + ended.err).strip()
        if ended.status != 0:
            raise RefusedError(f"gdc checknew: {output or f'status {ended.status}'}"[:1000])
        return output

    async def _install(self, text: str) -> bool:
        """Make `text` the boot file; False if it was already. gated has not read it yet."""
        if boot_files.read(self._boot) == text:
            return False
        try:
            await self._check(text)
        except RefusedError:
            boot_files.remove(self._file("+"))
            raise
        await self._do("newconf")
        if boot_files.read(self._boot) != text:
            await self._do("backout")
            raise ActuatorError(f"after gdc newconf {self._boot} differs from the checked configuration")
        return True

    async def _reconfigure(self, reached: Callable[[], Awaitable[Reached]]) -> Reached:
        """Make gated read its file until `reached` returns; three attempts. Raises ActuatorError."""
        for pause_s in _RECONFIG_PAUSES_S:
            try:
                await self._do("reconfig", _RECONFIG_S)
                return await reached()
            except ActuatorError as error:
                event(_log, logging.WARNING, "gated has not loaded its file", error=error, again_in_s=pause_s)
            await asyncio.sleep(pause_s)
        try:
            await self._do("reconfig", _RECONFIG_S)
            return await reached()
        except ActuatorError as error:
            attempts = len(_RECONFIG_PAUSES_S) + 1
            raise ActuatorError(f"gated has not loaded its file in {attempts} attempts: {error}") from error

    async def _dump(self) -> str:
        path = Path(self.engine.dump)
        before = dump_file.stamp(path)
        await self._do("dump")
        try:
            return await dump_file.fresh(path, before, _GDC_S)
        except (TimeoutError, dump_file.NoDumpError) as error:
            raise EngineGoneError(f"gated did not write {path}") from error

    async def _do(self, command: str, timeout_s: float = _GDC_S) -> None:
        """Raises ActuatorError with gdc's output."""
        ended = await self._run(command, timeout_s)
        if ended.status != 0:
            output = (ended.err or ended.out).strip() or f"status {ended.status}"
            raise ActuatorError(f"gdc {command}: {output}"[:1000])

    async def _run(self, command: str, timeout_s: float = _GDC_S) -> programs.Ended:
        try:
            return await programs.run([self.engine.control, command], timeout_s=timeout_s)
        except (programs.NoProgramError, TimeoutError) as error:
            raise EngineGoneError(f"gdc {command}: {error or f'no answer in {timeout_s:g} s'}") from error


def _is_remnant(candidate: Candidate) -> bool:
    """Whether it is a leftover kernel route: gated's configuration does not have it."""
    return candidate.source.lower() == "kernel" and candidate.preference == _REMNANT
