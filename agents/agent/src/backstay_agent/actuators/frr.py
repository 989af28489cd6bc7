"""Actuator `frr`: static routes by distance, set through vtysh, switched through staticd's own socket.

Measured: frr-reload.py takes about a second and deletes before it adds; vtysh takes 30 to 150 ms for all
lines, new ones first; the daemon's socket takes a millisecond. So changes use vtysh, which also supports
releases whose staticd accepts no configuration itself; switches use the socket, with vtysh as fallback.
"""

import asyncio
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path

from backstay_agent.actuators import boot_file_writer, daemon_restart, onlink, route_verification
from backstay_agent.actuators.actuator import (
    REBOOTED,
    ActuatorError,
    EngineGoneError,
    EngineState,
    Prefix,
    RefusedError,
)
from backstay_agent.actuators.fallback_routing import led_hops, variant
from backstay_agent.host import boot_files, programs
from backstay_agent.host.daemon_control.vty import Vty, VtyGoneError, VtyRefusedError
from backstay_agent.host.kernel import kernel_state
from backstay_agent.parsers.routing import blocks, frr_config
from backstay_wire import Engine, FileIntent, NodeRouting, PolicyRoute, RunningRoute

_VTYSH_S, _ARGUMENT_S = 15.0, 0.002
"""Time limit of vtysh, and what each argument adds: a router may have thousands of lines."""
_DAEMONS = ("zebra", "staticd")


class FrrActuator:
    """The FRR whose vty sockets are in `engine.control`."""

    runs_daemon = True
    switches_by_file = False

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    async def alive(self) -> bool:
        """Whether zebra and staticd both accept a connection."""
        try:
            for daemon in _DAEMONS:
                async with Vty(self.engine.control, daemon):
                    pass
        except VtyGoneError:
            return False
        return True

    async def running(self, prefixes: Collection[Prefix]) -> list[RunningRoute]:
        """Static routes as staticd has them, never as frr.conf does, and a hand-set kernel route that
        overrides them; `active`: the kernel forwards by it."""
        found: route_verification.Hops = {prefix: [] for prefix in prefixes}
        for route in frr_config.statics(await self._statics_text()):
            if route.prefix in found and route.gateway is not None:
                found[route.prefix].append((route.gateway, route.port, route.distance))
        kernel = await asyncio.to_thread(kernel_state.forwarding)
        return route_verification.running_routes(route_verification.with_overrides(found, kernel), kernel)

    async def prepare(self, routing: NodeRouting) -> str:
        """`vtysh -C -f` of the whole new file, and a dry run against ports and networks."""
        onlink.check(routing, await asyncio.to_thread(kernel_state.read_kernel))
        output = ""
        for file in routing.files:
            output += await self._check(file)
            _check_hops(file, routing)
        if not await self.alive():
            raise EngineGoneError("zebra or staticd does not run")
        return output.strip() or "vtysh -C accepts the file"

    async def snapshot(self, prefixes: Collection[Prefix]) -> EngineState:
        """The whole running configuration, and how the daemons were started."""
        running = tuple(await self.running(prefixes))
        values = {"running-config": await self._running_config()}
        return EngineState(running, values | daemon_restart.describe(self._sockets()))

    async def apply(self, routing: NodeRouting) -> list[RunningRoute]:
        """Make the running configuration match our blocks; the operator's lines are unchanged."""
        await self._bring(self._wanted(routing, await self._running_config()))
        prefixes = [route.prefix for route in routing.routes]
        wanted = route_verification.static_hops(routing)
        return await route_verification.settled(self.running, prefixes, wanted)

    async def lead(self, leads: Sequence[tuple[PolicyRoute, str]]) -> None:
        """Apply the variants' lines: add the new leaders, remove their rivals, then the rest."""
        wanted = led_hops(leads)
        desired = [line for route, gateway in leads for line in frr_config.lines(variant(route, gateway))]
        prefixes = {prefix for prefix, _ in wanted}
        for difference in (frr_config.additions, frr_config.deletions):
            statics = frr_config.statics(await self._statics_text())
            current = [((), static.line) for static in statics if static.prefix in prefixes]
            await self._switch(difference(current, desired))
        await route_verification.lead(wanted, self.running)

    async def save(self, files: Sequence[FileIntent]) -> None:
        """Write frr.conf; the running configuration matches it already."""
        boot_file_writer.save(files)

    async def restore(self, state: EngineState) -> None:
        """Start daemons that died and restore the running configuration; after a reboot, the boot file's
        routes."""
        await daemon_restart.restart(state.values, self.alive)
        if REBOOTED in state.values:
            running = frr_config.lines(await self._running_config())
            boot = frr_config.lines(boot_files.read(Path(self.engine.config)) or "")
            kept = [line for line in running if line[0] or frr_config.static(line[1]) is None]
            await self._bring(_united(kept, boot))
            return
        await self._bring(frr_config.lines(state.values["running-config"]))
        await self._nudge(state.running)

    async def release(self, prefixes: Collection[Prefix]) -> None:
        """Replace the static routes of these prefixes by those of the boot file."""
        running = frr_config.lines(await self._running_config())
        boot = frr_config.lines(boot_files.read(Path(self.engine.config)) or "")
        kept = [line for line in running if not _is_static_of(line, prefixes)]
        await self._bring([*kept, *(line for line in boot if _is_static_of(line, prefixes))])

    async def _nudge(self, routes: Sequence[RunningRoute]) -> None:
        """Set configured routes again that zebra has lost.

        Observed with 8.4 when the same gateways change their distances twice within a second.
        """
        for route in routes:
            known = [hop.address for hop in route.hops]
            if not any(hop.active for hop in route.hops) or await route_verification.forwarded(
                route.prefix, *known
            ):
                continue
            statics = frr_config.statics(await self._running_config())
            mine = [static.line for static in statics if static.prefix == route.prefix]
            await self._switch([*([f"no {line}"] for line in mine), *([line] for line in mine)])

    def _sockets(self) -> list[str]:
        return [str(Path(self.engine.control, f"{daemon}.vty")) for daemon in _DAEMONS]

    def _wanted(self, routing: NodeRouting, running: str) -> list[frr_config.Line]:
        """The running configuration with our new blocks, without our old ones and hand-written statics.

        A prefix that is no longer ours has the operator's lines of the new file.
        """
        boot = boot_files.read(Path(self.engine.config)) or ""
        old = {line for block in blocks.find(boot) for line in frr_config.lines(block.text)}
        prefixes = {route.prefix for route in routing.routes}
        left = {block.prefix for block in blocks.find(boot)} - prefixes
        kept = [
            line
            for line in frr_config.lines(running)
            if line not in old and not _is_static_of(line, prefixes)
        ]
        texts = [file.text for file in routing.files if file.path == self.engine.config]
        ours = [
            line for text in texts for block in blocks.find(text) for line in frr_config.lines(block.text)
        ]
        theirs = [line for text in texts for line in frr_config.lines(text) if _is_static_of(line, left)]
        return _united(kept, [*ours, *theirs])

    async def _bring(self, desired: Sequence[frr_config.Line]) -> None:
        """Raises ActuatorError with vtysh's output."""
        for difference in (frr_config.additions, frr_config.deletions, frr_config.additions):
            steps = difference(frr_config.lines(await self._running_config()), desired)
            if not steps:
                continue
            commands = ["configure terminal"]
            for step in steps:
                commands += [*step, *["exit"] * _depth(step)]
            ended = await self._vtysh(*(part for command in commands for part in ("-c", command)))
            output = (ended.out + ended.err).strip()
            if ended.status != 0 or "% " in output:
                raise ActuatorError(f"vtysh: {output or f'status {ended.status}'}"[:1000])

    async def _switch(self, steps: Sequence[Sequence[str]]) -> None:
        commands = [line for step in steps for line in step]
        if not commands:
            return
        try:
            async with Vty(self.engine.control, "staticd") as vty:
                await vty.run(["enable", "configure terminal", *commands])
        except (VtyGoneError, VtyRefusedError):
            # Newer releases configure staticd through mgmtd, which vtysh supports.
            arguments = [part for command in ("configure terminal", *commands) for part in ("-c", command)]
            ended = await self._vtysh(*arguments)
            if ended.status != 0:
                raise ActuatorError(f"vtysh: {(ended.err or ended.out).strip()}"[:1000]) from None

    async def _statics_text(self) -> str:
        """staticd's own configuration, or vtysh's if staticd has none."""
        try:
            async with Vty(self.engine.control, "staticd") as vty:
                output = await vty.run(["enable", "show running-config"])
        except VtyRefusedError:
            return await self._running_config()
        except VtyGoneError as error:
            raise EngineGoneError(f"FRR does not run: {error}") from error
        return output if " route " in output else await self._running_config()

    async def _running_config(self) -> str:
        ended = await self._vtysh("-c", "show running-config")
        if ended.status != 0 and not ended.out.strip():
            raise EngineGoneError(f"FRR does not run: {ended.err.strip()[:200]}")
        return ended.out

    async def _check(self, file: FileIntent) -> str:
        with tempfile.NamedTemporaryFile("w", prefix="backstay-", suffix=".conf") as new:
            new.write(file.text)
            new.flush()
            ended = await self._vtysh("-C", "-f", new.name)
        output = (ended.out + ended.err).replace(new.name, file.path).strip()
        if ended.status != 0:
            raise RefusedError(f"vtysh -C: {output}"[:1000])
        return output

    async def _vtysh(self, *arguments: str) -> programs.Ended:
        argv = ["vtysh", "--vty_socket", self.engine.control, *arguments]
        try:
            return await programs.run(argv, timeout_s=_VTYSH_S + _ARGUMENT_S * len(arguments))
        except (programs.NoProgramError, TimeoutError) as error:
            raise EngineGoneError(f"vtysh: {error or 'no answer'}") from error


def _check_hops(file: FileIntent, routing: NodeRouting) -> None:
    """Check that the lines mean the planned gateways: vtysh takes a mistyped address for a port's name.

    Raises RefusedError.
    """
    if file.path != routing.engine.config:
        return
    written: dict[Prefix, set[tuple[object, int]]] = {}
    for static in frr_config.statics(file.text):
        written.setdefault(static.prefix, set()).add((static.gateway, static.distance))
    for prefix, hops in route_verification.static_hops(routing):
        if written.get(prefix, set()) != {(hop.address, hop.preference) for hop in hops}:
            raise RefusedError(f"{file.path}: the lines for {prefix} do not name the planned gateways")


def _is_static_of(line: frr_config.Line, prefixes: Collection[Prefix]) -> bool:
    contexts, text = line
    route = frr_config.static(text) if not contexts else None
    return route is not None and route.prefix in prefixes


def _united(kept: Sequence[frr_config.Line], more: Sequence[frr_config.Line]) -> list[frr_config.Line]:
    """The first, and what only the second has."""
    known = set(kept)
    return [*kept, *(line for line in more if line not in known)]


def _depth(step: Sequence[str]) -> int:
    """Number of open contexts after the step."""
    opened = not step[-1].startswith("no ") and frr_config.is_context(step[-1])
    return len(step) - 1 + opened
