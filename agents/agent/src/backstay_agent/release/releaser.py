"""Carries out a release on this node: ends changes, restores boot files, hands routes and ARP back.

It runs in the command's own process, with or without an agent, and may be repeated. Boot files come first, so
that a reboot at any moment is a boot without us.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from backstay_agent.actuators import host_state, static_routes
from backstay_agent.actuators.actuator import Actuator, ActuatorError, Prefix
from backstay_agent.engines import ENGINES, actuator_for
from backstay_agent.guard.journal import JournalStep
from backstay_agent.guard.launch import GuardGoneError, Launcher
from backstay_agent.guard.store import Store
from backstay_agent.host import boot_files
from backstay_agent.release.baseline import Baseline
from backstay_agent.release.boot_text import ARP, MarkedBlock, find, original_lines, outside, substitute
from backstay_agent.release.record import ReleaseRecord
from backstay_wire import ArpFiles, Desired, Engine, RunningRoute

_END_S = 20.0
"""Seconds in which the guard must restore an open change: five are promised, once it runs."""
_ENGINE_S = 30.0
_POLL_S = 0.1
MakeActuator = Callable[[Engine], Actuator]


@dataclass(slots=True)
class ReleaseOutcome:
    """What was done, and what is left to do, one sentence each."""

    done: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


class Releaser:
    """One release on this node."""

    def __init__(
        self,
        state: Path,
        record: ReleaseRecord,
        desired: Desired | None,
        baseline: Baseline,
        make_actuator: MakeActuator = actuator_for,
        *,
        keep_arp: bool = False,
    ) -> None:
        self._store = Store(state, "agent")
        self._record = record
        self._baseline = baseline
        self._engine = _engine(desired, baseline)
        self._arp_files = desired.arp_files if desired else None
        self._routes = {
            (route.policy, route.prefix)
            for route in (desired.routing.routes if desired and desired.routing else [])
            if record.covers(route.policy)
        }
        self._make_actuator = make_actuator
        self._keep_arp = keep_arp
        self.outcome = ReleaseOutcome()

    async def run(self) -> ReleaseOutcome:
        """Do everything that can be done. Raises nothing."""
        await self._end_changes()
        await self._release_routing()
        if self._record.scope == "everything" and not self._keep_arp:
            await self._release_arp()
        return self.outcome

    async def _end_changes(self) -> None:
        """Have the guard restore a change in progress: it would act on the routes later."""
        opened = self._store.open()
        if not opened:
            return
        changes = ", ".join(str(journal.change) for journal in opened)
        reason = f"released on this node by {self._record.by}"
        try:
            for journal in opened:
                self._store.advance(journal.change, JournalStep.RESTORING, by="agent", reason=reason)
            await self._until_restored()
        except (TimeoutError, GuardGoneError, OSError) as error:
            why = str(error) or f"the guard did not restore it within {_END_S:g} s"
            self.outcome.left.append(f"change {changes} is still open ({why}): run this command again")
        else:
            self.outcome.done.append(f"change {changes} was ended, and the state before it restored")

    async def _until_restored(self) -> None:
        """Raises TimeoutError, GuardGoneError, OSError."""
        launcher = Launcher(self._store)
        async with asyncio.timeout(_END_S):
            while self._store.open():
                launcher.ensure()
                await asyncio.sleep(_POLL_S)

    async def _release_routing(self) -> None:
        if self._engine is None:
            self.outcome.done.append("no routing of this node was managed")
            return
        path = Path(self._engine.config)
        try:
            text = boot_files.read(path)
            blocks = [block for block in find(text or "") if self._is_released(block)]
            prefixes = await self._prefixes(blocks)
            self._restore_file(path, text)
        except (OSError, ValueError) as error:
            self.outcome.left.append(f"{path}: {error}")
            prefixes = await self._prefixes([])
        if prefixes:
            await self._hand_back(self._engine, prefixes)

    def _is_released(self, block: MarkedBlock) -> bool:
        return block.policy != ARP and self._record.covers(block.policy)

    async def _prefixes(self, blocks: Iterable[MarkedBlock]) -> set[Prefix]:
        """Destinations whose running routes are handed back."""
        found = {prefix for _, prefix in self._routes} | {block.prefix for block in blocks if block.prefix}
        if self._record.scope != "policies":
            found |= {row.prefix for row in await asyncio.to_thread(static_routes.ours)}
        return {prefix for prefix in found if not self._stays(prefix)}

    def _stays(self, prefix: Prefix) -> bool:
        """A default route of which no earlier state is known: without it the node might be unreachable."""
        return prefix.prefixlen == 0 and str(prefix) not in self._baseline.routes

    def _restore_file(self, path: Path, text: str | None) -> None:
        """The original if nothing but our blocks was changed since; otherwise the file without them. Raises
        OSError."""
        if text is None:
            return
        known = self._baseline.files.get(str(path))
        kept = [block for block in find(text) if not self._is_released(block)]
        intact = known is not None and known.outside == outside(text) and not kept
        stays = any(block.prefix is not None and self._stays(block.prefix) for block in find(text))
        if known is not None and intact and not stays:
            self._write(path, text, known.original.text, "as it was before Backstay managed it")
            return
        original = (known.original.text if known else None) or ""
        without = substitute(text, lambda block: self._instead(block, original))
        self._write(path, text, without, "without its blocks")

    def _instead(self, block: MarkedBlock, original: str) -> str | None:
        if not self._is_released(block):
            return None
        if block.prefix is None or self._engine is None:
            return ""
        if self._stays(block.prefix):
            self.outcome.left.append(
                f"{block.prefix}: the state before Backstay is not known: its lines stay, without our marks"
            )
            return block.inner
        return original_lines(ENGINES[self._engine.kind].destination, original, block.prefix)

    def _write(self, path: Path, before: str, after: str | None, how: str) -> None:
        if after == before:
            self.outcome.done.append(f"{path} contains nothing to release")
        elif after is None:
            boot_files.remove(path)
            self.outcome.done.append(f"{path} was removed: it did not exist before Backstay managed it")
        else:
            boot_files.write(path, after)
            self.outcome.done.append(f"{path} was written {how}")

    async def _hand_back(self, engine: Engine, prefixes: Collection[Prefix]) -> None:
        """The engine runs its boot file, and the kernel has the operator's static routes again."""
        actuator = self._make_actuator(engine)
        try:
            async with asyncio.timeout(_ENGINE_S):
                await actuator.release(prefixes)
        except (ActuatorError, OSError, TimeoutError) as error:
            self.outcome.left.append(
                f"{engine.kind.value}: {error or 'no answer in time'}: restart it, it reads its boot file"
            )
        try:
            refused = await asyncio.to_thread(static_routes.hand_back, prefixes, self._baseline.rows())
            self.outcome.left += [f"the kernel refused {row}" for row in refused]
            self.outcome.done += _lines(prefixes, await actuator.running(prefixes))
        except (ActuatorError, OSError) as error:
            self.outcome.left.append(f"the running routes cannot be read back: {error}")

    async def _release_arp(self) -> None:
        for path in _arp_paths(self._arp_files, self._baseline):
            try:
                self._restore_arp_file(path)
            except OSError as error:
                self.outcome.left.append(f"{path}: {error.strerror or error}")
        before = self._baseline.arp
        if before is None:
            if self._arp_files is not None:
                self.outcome.done.append("running ARP settings and entries stay as they are")
            return
        try:
            refused = await asyncio.to_thread(host_state.restore_arp, before)
        except OSError as error:
            refused = [str(error)]
        self.outcome.left += [f"the kernel refused {row}" for row in refused]
        self.outcome.done.append(f"ARP of {', '.join(before.flags)} is as before Backstay managed it")

    def _restore_arp_file(self, path: Path) -> None:
        text = boot_files.read(path)
        if text is None:
            return
        known = self._baseline.files.get(str(path))
        if known is not None and known.outside == outside(text):
            self._write(path, text, known.original.text, "as it was before Backstay managed it")
            return
        without = substitute(text, lambda block: "" if block.policy == ARP else None)
        self._write(path, text, without, "without its blocks")


def _engine(desired: Desired | None, baseline: Baseline) -> Engine | None:
    if desired is None:
        return baseline.engine
    return desired.engine or (desired.routing.engine if desired.routing else baseline.engine)


def _arp_paths(files: ArpFiles | None, baseline: Baseline) -> list[Path]:
    managed = [files.config, files.settings] if files else []
    engine = baseline.engine.config if baseline.engine else ""
    return [Path(path) for path in dict.fromkeys([*managed, *baseline.files]) if path != engine]


def _lines(prefixes: Collection[Prefix], running: Iterable[RunningRoute]) -> list[str]:
    """One line per prefix: what runs now."""
    found = {route.prefix: route for route in running}
    lines = []
    for prefix in sorted(prefixes, key=str):
        hops = found[prefix].hops if prefix in found else []
        via = ", ".join(f"{hop.address}{' (active)' if hop.active else ''}" for hop in hops)
        lines.append(f"{prefix}: {f'via {via}' if via else 'no route of its own is left'}")
    return lines
