"""Actuator `gated`: gated.conf+ -> `gdc checknew` -> `newconf` -> `reconfig` -> `dump` -> compare.

gated reads one file only, so an applied change is in the boot file at once, and so is a temporary lead;
other engines keep them separate. A rollback writes the snapshot's file, restores the chain gated.conf-,
conf-- as it was, and runs `reconfig`: like `gdc backout`, but certain to reach the snapshot after any
number of steps.
"""

import asyncio
from collections.abc import Collection, Sequence
from pathlib import Path

from backstay_agent.actuators import onlink, route_verification, saving
from backstay_agent.actuators.actuator import (
    ActuatorError,
    EngineGoneError,
    EngineState,
    Prefix,
    RefusedError,
)
from backstay_agent.actuators.order import led_by
from backstay_agent.host import boot_files, programs
from backstay_agent.host.daemon_control import dump_file
from backstay_agent.host.kernel import kernel_state
from backstay_agent.parsers.routing import blocks, gated
from backstay_agent.parsers.routing.bird_static import gateways
from backstay_wire import Engine, FileIntent, NodeRouting, PolicyRoute, RunningRoute

_GDC_S = 12.0
"""gdc itself waits ten seconds for an answer."""


class GatedActuator:
    """The gated controlled by `engine.control`, a gdc."""

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
        """The candidates of a fresh dump."""
        table = gated.table(await self._dump())
        forwarding = await asyncio.to_thread(kernel_state.forwarding)
        found = []
        for prefix in prefixes:
            hops = [
                (gateway, "", candidate.preference)
                for candidate in table.candidates
                if candidate.prefix == prefix and candidate.preference >= 0
                for gateway in gateways(candidate.via)
            ]
            found.append(route_verification.running_route(prefix, hops, forwarding))
        return [route for route in found if route is not None]

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
        for file in routing.files:
            if file.path == self.engine.config:
                await self._take_over(file.text)
        wanted = [
            (route.prefix, route.hops) for route in routing.routes if route_verification.by_static(route)
        ]
        prefixes = [route.prefix for route in routing.routes]
        return await route_verification.settled(self.running, prefixes, wanted)

    async def lead(self, route: PolicyRoute, gateway: str) -> None:
        """Install the boot file with the planned variant in the route's block."""
        hops = led_by(route, gateway)
        try:
            text = blocks.replace(
                boot_files.read(self._boot) or "", route.policy, route.prefix, route.variants[gateway]
            )
        except KeyError:
            raise ActuatorError(
                f"{route.policy} {route.prefix}: no text with {gateway} first was planned"
            ) from None
        except ValueError as error:
            raise ActuatorError(f"{self.engine.config}: {error}") from error
        await self._take_over(text)
        await route_verification.lead([(route.prefix, hops)], self.running)

    async def save(self, files: Sequence[FileIntent]) -> None:
        """gated.conf holds it already; any other text is written and read back."""
        saving.save(files)

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
            await self._do("reconfig")
        else:
            await self._do("start")

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

    async def _take_over(self, text: str) -> None:
        if boot_files.read(self._boot) == text:
            return
        try:
            await self._check(text)
        except RefusedError:
            boot_files.remove(self._file("+"))
            raise
        await self._do("newconf")
        if boot_files.read(self._boot) != text:
            await self._do("backout")
            raise ActuatorError(f"after gdc newconf {self._boot} differs from the checked configuration")
        await self._do("reconfig")

    async def _dump(self) -> str:
        path = Path(self.engine.dump)
        before = dump_file.stamp(path)
        await self._do("dump")
        try:
            return await dump_file.fresh(path, before, _GDC_S)
        except (TimeoutError, dump_file.NoDumpError) as error:
            raise EngineGoneError(f"gated did not write {path}") from error

    async def _do(self, command: str) -> None:
        """Raises ActuatorError with gdc's output."""
        ended = await self._run(command)
        if ended.status != 0:
            output = (ended.err or ended.out).strip() or f"status {ended.status}"
            raise ActuatorError(f"gdc {command}: {output}"[:1000])

    async def _run(self, command: str) -> programs.Ended:
        try:
            return await programs.run([self.engine.control, command], timeout_s=_GDC_S)
        except (programs.NoProgramError, TimeoutError) as error:
            raise EngineGoneError(f"gdc {command}: {error or 'no answer'}") from error
