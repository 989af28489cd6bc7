"""Executes one change: snapshot, arm, apply, verify; then confirm it or let the guard roll back."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from backstay_agent.actuators import arp, static_routes
from backstay_agent.actuators.actuator import Actuator, ActuatorError, Prefix
from backstay_agent.changes.verification import (
    Echo,
    Reach,
    compare_running,
    managed_lines,
    reach_controller,
    verify,
)
from backstay_agent.guard import snapshot
from backstay_agent.guard.journal import Journal, JournalStep, left_s
from backstay_agent.guard.launch import Launcher
from backstay_agent.guard.snapshot import Snapshot
from backstay_agent.guard.store import Store
from backstay_agent.host.clock import HostClock
from backstay_agent.host.kernel import boot_time, kernel_state
from backstay_agent.host.kernel.kernel_rows import RouteRow
from backstay_agent.logs import event
from backstay_wire import ChangeAssignment, Evidence, FileIntent

_log = logging.getLogger(__name__)
_LATE = "the agent was stopped and continued after the guard had restored the node"
_AGAIN_S = 0.1
_ROWS = 32
_MOST = 256
"""Evidence kept of one change, see `ChangeReport`."""
_CONTROLLER_S = 5.0
"""Seconds in which the controller must answer while a change is confirmed."""
_MARGIN_S = 0.5
"""Seconds before the deadline at which verification stops; after it the guard acts."""


Originals = Callable[[], Mapping[Prefix, Sequence[RouteRow]]]


class ChangeExecutor:
    """Executes one change at a time."""

    def __init__(
        self,
        store: Store,
        launcher: Launcher,
        echo: Echo,
        reach: Reach,
        originals: Originals = dict,
    ) -> None:
        """`originals`: the operator's routes of prefixes under management."""
        self._originals = originals
        self._store = store
        self._launcher = launcher
        self._echo = echo
        self._reach = reach
        self._clock = HostClock()

    async def apply(
        self, assignment: ChangeAssignment, actuator: Actuator | None, prefixes: list[Prefix]
    ) -> None:
        """Arm the guard, apply, verify. The guard restores the node after any failure past arming.

        Raises GuardGoneError, EngineGoneError, OSError, ValueError while nothing has been touched.
        """
        await self._arm(assignment, actuator, prefixes)
        change = assignment.change
        if self._store.advance(change, JournalStep.APPLYING) is None or not self._may_continue(
            change, JournalStep.APPLYING
        ):
            return
        try:
            if assignment.arp is not None:
                await arp.apply(assignment.arp)
            if actuator is not None and assignment.routing is not None:
                await self._hand_back(assignment)
                await actuator.apply(assignment.routing)
            after = await _snapshot(assignment, actuator, prefixes, filters=False)
        except (ActuatorError, OSError) as error:
            known = error.evidence if isinstance(error, ActuatorError) else ()
            seen = [item.model_copy(update={"stage": "applied"}) for item in known]
            await self._undo(change, f"applying failed: {error}"[:1024], seen)
            return
        journal = self._store.load(change)
        evidence = [*changed_lines(journal.before if journal else "", after.text())]
        evidence += await self._probe(assignment, self._left_s(change))
        if reason := failures(evidence):
            await self._undo(change, reason, evidence)
            return
        values: dict[str, Any] = {"evidence": tuple(evidence), "after": after.text()}
        managed = tuple(_prefixes(assignment, prefixes))
        values |= {"prefixes": managed, "applied": tuple(managed_lines(after.running, after.arp, managed))}
        if not self._store.advance(change, JournalStep.APPLIED, **values):
            await self._undo(change, _LATE)

    async def _hand_back(self, assignment: ChangeAssignment) -> None:
        """Set the operator's static routes again, before ours go. Raises ActuatorError, OSError."""
        if assignment.hand_back:
            originals = self._originals()
            refused = await asyncio.to_thread(static_routes.hand_back, assignment.hand_back, originals)
            if refused:
                raise ActuatorError("the kernel refused " + "; ".join(refused)[:1000])

    def _may_continue(self, change: int, step: JournalStep) -> bool:
        """Whether the change is still at this step and in time: this process may have been stopped since."""
        journal = self._store.load(change)
        if journal is None or journal.step is not step:
            return False
        return left_s(journal, boot_time.now_ns(), boot_time.boot_id()) > 0

    async def _probe(self, assignment: ChangeAssignment, left: float) -> list[Evidence]:
        """All probes of the plan, and the controller over a new connection."""
        return await verify(
            assignment.probes, self._echo, self._reach, probe_s=assignment.probe_s, left_s=left
        )

    def _left_s(self, change: int) -> float:
        """Seconds for verification until shortly before the guard acts; at least a tenth."""
        journal = self._store.load(change)
        left = left_s(journal, boot_time.now_ns(), boot_time.boot_id()) if journal else 0.0
        return max(0.1, left - _MARGIN_S)

    async def verify_again(self, assignment: ChangeAssignment, actuator: Actuator | None) -> bool:
        """Whether the applied change may be saved; if not, the node is restored.

        Same boot, running state as applied, all probes, controller over a new connection.
        """
        change = assignment.change
        running, probed = await asyncio.gather(
            self._recheck(assignment, actuator), self._probe(assignment, self._left_s(change))
        )
        evidence = [*running, *probed]
        evidence = [item.model_copy(update={"stage": "verified"}) for item in evidence]
        return await self._accept(change, evidence)

    async def _recheck(self, assignment: ChangeAssignment, actuator: Actuator | None) -> list[Evidence]:
        """Whether the node still runs what was applied, in the same boot; never raises."""
        journal = self._store.load(assignment.change)
        if journal is None:
            return [Evidence(what="journal", ok=False, found="is gone")]
        if journal.boot_id != boot_time.boot_id():
            return [
                Evidence(what="boot", ok=False, found="the host was rebooted since the change was applied")
            ]
        prefixes = list(journal.prefixes)
        try:
            async with asyncio.timeout(self._left_s(assignment.change)):
                now = await _managed(assignment, actuator, prefixes)
        except TimeoutError:
            return [Evidence(what="running state", ok=False, found="not read in time")]
        except (ActuatorError, OSError) as error:
            return [Evidence(what="running state", ok=False, found=f"cannot be read: {error}"[:1024])]
        return [compare_running(journal.applied, now)]

    async def _accept(self, change: int, evidence: list[Evidence]) -> bool:
        """Whether all of it is good; otherwise the node is restored."""
        if reason := failures(evidence):
            journal = self._store.load(change)
            known = journal.evidence if journal else ()
            await self._undo(change, f"before saving: {reason}"[:1024], [*known, *evidence][-_MOST:])
        return not reason

    async def _arm(
        self, assignment: ChangeAssignment, actuator: Actuator | None, prefixes: list[Prefix]
    ) -> None:
        await self._launcher.up()
        before = await _snapshot(assignment, actuator, prefixes)
        timeout_ns = round(assignment.timeout_s * 1e9)
        self._store.arm(
            Journal(
                change=assignment.change,
                revision=assignment.revision,
                step=JournalStep.ARMED,
                engine=actuator.engine if actuator else None,
                boot_id=boot_time.boot_id(),
                deadline_ns=boot_time.now_ns() + timeout_ns,
                until_wall_ns=self._clock.wall_ns() + timeout_ns,
                before=before.text(),
            ),
            before,
        )
        try:
            await self._launcher.watched(assignment.change)
        except Exception:
            self._store.disarm(assignment.change)
            raise
        event(_log, logging.INFO, "guard armed", change=assignment.change, seconds=assignment.timeout_s)

    async def confirm(self, assignment: ChangeAssignment, actuator: Actuator | None) -> None:
        """Write the boot files and disarm the guard, or have the node restored.

        The running state is compared and the controller reached once more, and again once the confirmation
        is in the journal: nothing is saved on older evidence.
        """
        change = assignment.change
        running, reached = await asyncio.gather(self._recheck(assignment, actuator), self._reached(change))
        evidence = [*running, reached]
        if not await self._accept(change, evidence):
            return
        if self._store.advance(change, JournalStep.CONFIRMING) is None:
            return
        newest = [await self._reached(change), *await self._answers(actuator)]
        if not await self._accept(change, newest) or not self._may_continue(change, JournalStep.CONFIRMING):
            return
        try:
            if actuator is not None and assignment.routing is not None:
                await actuator.save(assignment.routing.files)
            if assignment.arp is not None:
                await arp.save(assignment.arp.files)
        except (ActuatorError, OSError) as error:
            await self._undo(assignment.change, f"saving failed: {error}"[:1024])
            return
        await self._saved(assignment)

    async def _answers(self, actuator: Actuator | None) -> list[Evidence]:
        """Whether the engine still runs: one that died runs nothing, whatever the kernel has kept."""
        if actuator is None:
            return []
        alive = await actuator.alive()
        found = "answers" if alive else "does not answer"
        return [Evidence(what=f"engine {actuator.engine.kind}", ok=alive, found=found, stage="verified")]

    async def _reached(self, change: int) -> Evidence:
        found = await reach_controller(self._reach, min(_CONTROLLER_S, self._left_s(change)))
        return found.model_copy(update={"stage": "verified"})

    async def _saved(self, assignment: ChangeAssignment) -> None:
        """Record that the boot files were written, which disarms the guard."""
        kept = [snapshot.keep(path) for path in _paths(assignment)]
        saved = tuple(
            Evidence(what=file.path, ok=True, found="as planned when read back", stage="saved")
            for file in kept
            if file.text in [intent.text for intent in _files(assignment) if intent.path == file.path]
        )
        journal = self._store.load(assignment.change)
        evidence = (*(journal.evidence if journal else ()), *saved)[-_MOST:]
        if self._store.advance(assignment.change, JournalStep.CONFIRMED, evidence=evidence) is None:
            await self._undo(assignment.change, _LATE)
            return
        event(_log, logging.INFO, "change confirmed", change=assignment.change)

    async def _undo(self, change: int, reason: str, evidence: Sequence[Evidence] = ()) -> None:
        """Have the node restored, also if the guard already did so while this process was stopped.

        If the guard is at work, wait for it and ask again.
        """
        while self._store.load(change) is not None:
            if self.put_back(change, reason, evidence):
                return
            await asyncio.sleep(_AGAIN_S)

    def put_back(self, change: int, reason: str, evidence: Sequence[Evidence] = ()) -> bool:
        """Request a rollback from the guard, which acts within a tenth of a second; False while it is already
        at work."""
        event(_log, logging.WARNING, "change is rolled back", change=change, reason=reason)
        seen = {"evidence": tuple(evidence)} if evidence else {}
        if self._store.advance(change, JournalStep.RESTORING, by="agent", reason=reason, **seen) is None:
            return False
        self._launcher.wake()  # It looks rarely after a confirmation.
        return True


async def _managed(
    assignment: ChangeAssignment, actuator: Actuator | None, prefixes: list[Prefix]
) -> list[str]:
    """What the change manages, as it runs now. Raises ActuatorError, OSError."""
    ports = [port.port for port in assignment.arp.ports] if assignment.arp else []
    running = await actuator.running(prefixes) if actuator else []
    arp_now = (await asyncio.to_thread(kernel_state.read_kernel)).arp_of(ports) if ports else None
    return managed_lines(running, arp_now, prefixes)


async def _snapshot(
    assignment: ChangeAssignment, actuator: Actuator | None, known: list[Prefix], *, filters: bool = True
) -> Snapshot:
    """Snapshot of everything that the change affects. Raises EngineGoneError, OSError."""
    ports = [port.port for port in assignment.arp.ports] if assignment.arp else []
    prefixes, paths = _prefixes(assignment, known), _paths(assignment)
    return await snapshot.take(actuator, prefixes, paths, ports, filters=filters)


def failures(evidence: Sequence[Evidence]) -> str:
    """Failures as one reason; empty if there are none."""
    return "; ".join(f"{item.what}: {item.found}" for item in evidence if not item.ok)[:1024]


def changed_lines(before: str, after: str) -> list[Evidence]:
    """Lines of the node's state that applying changed, at most `_ROWS`."""
    old, new = dict.fromkeys(before.splitlines()), dict.fromkeys(after.splitlines())
    rows = [(line, "new") for line in new if line not in old]
    rows += [(line, "gone") for line in old if line not in new]
    return [Evidence(what=line[:1024], ok=True, found=found, stage="applied") for line, found in rows[:_ROWS]]


def _prefixes(assignment: ChangeAssignment, known: list[Prefix]) -> list[Prefix]:
    wanted = [route.prefix for route in assignment.routing.routes] if assignment.routing else []
    return list(dict.fromkeys([*known, *wanted, *assignment.hand_back]))


def _files(assignment: ChangeAssignment) -> list[FileIntent]:
    routing = list(assignment.routing.files) if assignment.routing else []
    return [*routing, *(assignment.arp.files if assignment.arp else [])]


def _paths(assignment: ChangeAssignment) -> list[str]:
    engine = {assignment.routing.engine.config} if assignment.routing else set()
    return sorted(engine | {file.path for file in _files(assignment)})
