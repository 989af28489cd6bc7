"""Actuator `kernel`: plain routes of the main table, one metric per gateway; the lowest metric wins.

The kernel reads nothing by itself at boot: the boot file is an `ip -batch` text that the host's start-up
runs. Our routes carry protocol 201; a hand-set route of the same prefix is replaced, a daemon's is not. The
kernel is configured to skip a port without carrier (host/kernel/linkdown.py).
"""

import asyncio
import contextlib
import re
from collections.abc import Collection, Sequence
from ipaddress import ip_address
from pathlib import Path

from backstay_agent import reconcile
from backstay_agent.actuators import boot_file_writer, host_state, onlink, route_verification
from backstay_agent.actuators.actuator import REBOOTED, ActuatorError, EngineState, Prefix, RefusedError
from backstay_agent.actuators.fallback_routing import led_hops
from backstay_agent.host import boot_files
from backstay_agent.host.kernel import kernel_state, linkdown
from backstay_agent.host.kernel.forwarding import ForwardingState
from backstay_agent.host.kernel.kernel_rows import OURS, STATICS, RouteRow, static_route
from backstay_agent.host.kernel.rtnetlink import RtNetlink, port_index
from backstay_agent.parsers.routing import blocks
from backstay_wire import Engine, FileIntent, Hop, NodeRouting, PolicyRoute, RunningRoute

_LINE = re.compile(
    r"(?:-[46] )?route (?:add|replace|append) (?P<prefix>\S+) via (?P<via>\S+)"
    r" dev (?P<port>\S+)(?: proto \S+)? metric (?P<metric>\d+)(?: proto \S+)?"
)
"""Lines of `ip -batch` in one of our blocks."""
_NAMED = 4
"""Refused routes that an error names; the others are counted."""


class KernelActuator:
    """The main table of this process's namespace."""

    runs_daemon = False
    switches_by_file = False

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    async def alive(self) -> bool:
        """The kernel always answers."""
        return True

    async def running(self, prefixes: Collection[Prefix]) -> list[RunningRoute]:
        """Every unicast route of each prefix, whatever its origin; its metric is the preference."""
        running, _ = await asyncio.to_thread(_running, prefixes)
        return running

    async def prepare(self, routing: NodeRouting) -> str:
        """A dry run: ports, networks, and the lines of our blocks. Raises RefusedError."""
        onlink.check(routing, await asyncio.to_thread(kernel_state.read_kernel))
        for file in routing.files:
            try:
                _routes_of(file.text)
            except ValueError as error:
                raise RefusedError(f"{file.path}: {error}") from error
        return f"{len(routing.routes)} routes are on their ports' networks"

    async def snapshot(self, prefixes: Collection[Prefix]) -> EngineState:
        """Nothing beyond the kernel's part, which every snapshot has."""
        return EngineState(tuple(await self.running(prefixes)), {})

    async def apply(self, routing: NodeRouting) -> list[RunningRoute]:
        """Set the routes, then delete those of ours that are no longer desired. Raises ActuatorError."""
        wanted = [(route.prefix, route.hops) for route in routing.routes]
        await asyncio.to_thread(_apply, wanted, drop_others=True)
        try:
            linkdown.apply({hop.port for _, hops in wanted for hop in hops})
        except OSError as error:
            reason = error.strerror or error
            raise ActuatorError(f"ports cannot be configured to follow carrier: {reason}") from error
        running, ours = await asyncio.to_thread(_running, [prefix for prefix, _ in wanted])
        # A daemon's routes of the same prefix belong to the daemon; the planner handles them.
        route_verification.check(wanted, ours)
        return running

    async def lead(self, leads: Sequence[tuple[PolicyRoute, str]]) -> None:
        """Replacing one route of each prefix is the switch; the others are reordered after it."""
        wanted = led_hops(leads)
        try:
            with contextlib.closing(RtNetlink()) as netlink:
                indexes = {port: port_index(port) for port in {hops[0].port for _, hops in wanted}}
                first = [_row(prefix, hops[0]) for prefix, hops in wanted]
                refused = netlink.change([("replace", row) for row in first], indexes)
        except OSError as error:
            raise ActuatorError(f"cannot switch {wanted[0][0]}: {error.strerror or error}") from error
        # A port that is down accepts no route: the dead gateway's route is set again once it is possible.
        with contextlib.suppress(ActuatorError):
            await asyncio.to_thread(_apply, wanted, drop_others=False)
        if refused:
            raise ActuatorError(_refusals([f"{row}: {error}" for row, error in refused]))

    async def save(self, files: Sequence[FileIntent]) -> None:
        """Write the `ip -batch` file."""
        boot_file_writer.save(files)

    async def restore(self, state: EngineState) -> None:
        """The kernel's part of the snapshot suffices; after a reboot, our blocks in the boot file apply."""
        if REBOOTED in state.values:
            text = boot_files.read(Path(self.engine.config)) or ""
            await asyncio.to_thread(_apply, _routes_of(text), drop_others=True)

    async def release(self, prefixes: Collection[Prefix]) -> None:
        """Nothing beyond the kernel's static routes, which are handed back for every engine."""


def _row(prefix: Prefix, hop: Hop) -> RouteRow:
    return static_route(prefix, hop.address, hop.port, hop.preference)


def _running(prefixes: Collection[Prefix]) -> tuple[list[RunningRoute], list[RunningRoute]]:
    """(all routes of these prefixes, those that no daemon set), in one pass over the table."""
    with contextlib.closing(RtNetlink()) as netlink:
        rows, forwarding = netlink.routes_in_use({link.index: link.name for link in netlink.links()})
    found: route_verification.Hops = {prefix: [] for prefix in prefixes}
    static: route_verification.Hops = {prefix: [] for prefix in prefixes}
    has_others = False
    for row in rows:
        prefix = row.prefix
        if prefix not in found:
            continue
        hops = [(via, port, row.metric) for via, port in row.next_hops]
        if row.gateway is not None:
            hops.append((row.gateway, row.port, row.metric))
        found[prefix] += hops
        if row.proto in STATICS:
            static[prefix] += hops
        else:
            has_others = True
    kernel = ForwardingState(forwarding)
    running = route_verification.running_routes(found, kernel)
    return running, route_verification.running_routes(static, kernel) if has_others else running


def _apply(wanted: Sequence[tuple[Prefix, Sequence[Hop]]], *, drop_others: bool) -> None:
    """Raises ActuatorError naming what the kernel refused, after everything else was done."""
    prefixes = {prefix for prefix, _ in wanted}
    with contextlib.closing(RtNetlink()) as netlink:
        links = netlink.links()
        indexes = {link.name: link.index for link in links}
        current = [
            row
            for row in netlink.routes({link.index: link.name for link in links})
            if (row.proto in STATICS and row.prefix in prefixes) or (drop_others and row.proto == OURS)
        ]
        desired = [_row(prefix, hop) for prefix, hops in wanted for hop in hops]
        refused = host_state.carry_out(netlink, reconcile.rows(current, desired), indexes)
    if refused:
        raise ActuatorError(_refusals(refused))


def _refusals(refused: Sequence[str]) -> str:
    more = f"; {len(refused) - _NAMED} more" if len(refused) > _NAMED else ""
    return "the kernel refused " + "; ".join(refused[:_NAMED]) + more


def _routes_of(text: str) -> list[tuple[Prefix, list[Hop]]]:
    """Routes that our blocks in an `ip -batch` text would set. Raises ValueError for an unknown line."""
    found: dict[Prefix, list[Hop]] = {}
    for block in blocks.find(text):
        for line in block.lines:
            match = _LINE.fullmatch(line)
            if match is None:
                raise ValueError(f"not a line of ip -batch: {line}")
            hop = Hop(
                gateway=match["via"],
                address=ip_address(match["via"]),
                port=match["port"],
                preference=int(match["metric"]),
            )
            found.setdefault(block.prefix, []).append(hop)
    return list(found.items())
