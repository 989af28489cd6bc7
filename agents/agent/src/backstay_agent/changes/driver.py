"""Applies changes to this node, one at a time, each step guarded, and reports the status until the assignment
is gone.

`state_machine` decides and this module executes. An agent may die at any time: the journal records its
progress, and the guard, another process, does not depend on it.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Sequence

from pydantic import ValidationError

from backstay_agent.actuators import arp, routing_state
from backstay_agent.actuators.actuator import Actuator, ActuatorError, Prefix, RefusedError
from backstay_agent.changes.executor import ChangeExecutor, Originals
from backstay_agent.changes.reporter import ChangeReporter
from backstay_agent.changes.state_machine import Action, ChangeStatus, decide
from backstay_agent.changes.verification import Echo, Reach
from backstay_agent.engines import actuator_for
from backstay_agent.guard.launch import GuardGoneError, Launcher
from backstay_agent.guard.snapshot import Snapshot
from backstay_agent.guard.store import Store
from backstay_agent.host.forkserver import ForkServer
from backstay_agent.host.kernel import boot_time
from backstay_agent.logs import event
from backstay_wire import ArpFiles, ChangeAssignment, Engine, Evidence, NodePhase, Phase

_log = logging.getLogger(__name__)
_LOOK_S, _IDLE_LOOK_S = 0.2, 2.0
"""Interval while a change is in progress, and while an assignment only waits; a new one wakes at once."""
_COUNTDOWN_ASKS_S = 0.5
_WAITING_ASKS_S, _MOST_WAITING_ASKS_S = 2.0, 10.0
_OF_THE_WAIT = 0.1
"""Fraction of the time waited so far: a long wait means a change with many nodes, all of them polling."""


class ChangeDriver:
    """The changes of one agent."""

    def __init__(
        self,
        *,
        store: Store,
        reporter: ChangeReporter,
        echo: Echo,
        reach: Reach,
        prefixes: Callable[[], list[Prefix]],
        arp_files: Callable[[], ArpFiles | None] = lambda: None,
        held: Callable[[], str] = lambda: "",
        make_actuator: Callable[[Engine], Actuator] = actuator_for,
        fork_server: ForkServer | None = None,
        refusal: Callable[[ChangeAssignment], str] = lambda _: "",
        before_saving: Callable[[ChangeAssignment, Snapshot], None] = lambda *_: None,
        kept: Callable[[], Collection[int]] = tuple,
        originals: Originals = dict,
    ) -> None:
        """`refusal`: why this node takes no such change, empty if it does. `before_saving` receives the state
        before the change. The journals of the changes `kept` are not deleted. `originals`: the operator's
        routes of prefixes under management."""
        self._refusal = refusal
        self._before_saving = before_saving
        self._kept = kept
        self._store = store
        self._reporter = reporter
        self._prefixes = prefixes
        self._arp_files = arp_files
        self._held = held
        self._make_actuator = make_actuator
        self._launcher = Launcher(store, fork_server)
        self._originals = originals
        self._applying = ChangeExecutor(store, self._launcher, echo, reach, originals)
        self._assignments: list[ChangeAssignment] = []
        self._prepared: dict[int, ChangeAssignment] = {}
        self._refused: dict[int, tuple[str, list[Evidence]]] = {}
        self._verified: set[int] = set()
        self._waiting_since: dict[int, float] = {}
        self._task: asyncio.Task[None] | None = None
        self._at_work = 0
        self._wake = asyncio.Event()

    @property
    def asks_every_s(self) -> float | None:
        """Interval in seconds for requesting the next phase; None: the normal interval, because nothing is
        pending.

        All nodes of a site ask one controller, which knows how many are about to: its interval counts while a
        wave is at work. Otherwise it is short only while a guard's countdown runs.
        """
        intervals = [self._asks_for(assignment) for assignment in self._assignments]
        known = [interval for interval in intervals if interval is not None]
        if not known and self._store.open():
            return _COUNTDOWN_ASKS_S
        return min(known, default=None)

    @property
    def expects_step(self) -> bool:
        """Whether this node should learn of its next step at once: its wave, or the one before, works."""
        return any(
            assignment.ask_every_s is not None and self._asks_for(assignment) is not None
            for assignment in self._assignments
        )

    def _asks_for(self, assignment: ChangeAssignment) -> float | None:
        """The interval for one assignment; None: it has ended, or was refused."""
        if self._waits(assignment):
            waited = time.monotonic() - self._waiting_since[assignment.change]
            own = min(max(_WAITING_ASKS_S, _OF_THE_WAIT * waited), _MOST_WAITING_ASKS_S)
        elif any(journal.change == assignment.change for journal in self._store.open()):
            own = _COUNTDOWN_ASKS_S
        else:
            return None
        return own if assignment.ask_every_s is None else assignment.ask_every_s

    def _waits(self, assignment: ChangeAssignment) -> bool:
        """Whether an assignment is neither refused nor started: earlier changes have ended, or the guard
        watches."""
        return assignment.change not in self._refused and self._store.load(assignment.change) is None

    def take_up(self, changes: Sequence[ChangeAssignment]) -> None:
        """Continue with these; an assignment that is no longer listed is forgotten once it has ended."""
        gone = {assignment.change for assignment in self._assignments} - {
            assignment.change for assignment in changes
        }
        for change in gone:
            self._prepared.pop(change, None)
            self._refused.pop(change, None)
            self._verified.discard(change)
            self._waiting_since.pop(change, None)
            self._reporter.forget(change)
        self._assignments = list(changes)
        for assignment in changes:
            self._waiting_since.setdefault(assignment.change, time.monotonic())
        self._wake.set()

    async def run(self) -> None:
        """Run until cancelled. Also keeps the guard alive for changes whose assignment has ended."""
        try:
            while True:
                try:
                    await self.step()
                except OSError as error:
                    event(_log, logging.ERROR, "cannot continue a change", error=error)
                self._wake.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._look_s()):
                        await self._wake.wait()
        finally:
            if self._task is not None:
                self._task.cancel()

    def wake(self) -> None:
        """Take the next step now, and have the guard look: a journal has changed."""
        self._launcher.wake()
        self._wake.set()

    def _look_s(self) -> float | None:
        """Seconds until the next step; None: not until there is an assignment."""
        if self._task is not None or self._store.open():
            return _LOOK_S
        return _IDLE_LOOK_S if self._assignments else None

    async def step(self) -> None:
        """Process every assignment once."""
        if self._task is not None and self._task.done():
            if not self._task.cancelled() and (error := self._task.exception()) is not None:
                event(_log, logging.ERROR, "applying crashed", error=f"{type(error).__name__}: {error}")
            self._task = None
        if self._store.open():
            with contextlib.suppress(GuardGoneError):
                self._launcher.ensure()
        for assignment in self._assignments:
            await self._go_on(assignment)
        wanted = {assignment.change for assignment in self._assignments} | {self._at_work, *self._kept()}
        for journal in list(self._store.all()):
            if journal.change not in wanted:
                self._store.forget(journal.change)

    async def _go_on(self, assignment: ChangeAssignment) -> None:
        journal = self._store.load(assignment.change)
        todo = decide(assignment, journal, await self._status_of(assignment))
        if todo.action is Action.PREPARE:
            await self._prepare(assignment)
        elif todo.action is Action.REFUSE:
            self._refuse(assignment, todo.reason, [])
        elif todo.action is Action.APPLY:
            self._begin(assignment, self._apply(assignment))
        elif todo.action is Action.VERIFY:
            self._begin(assignment, self._verify(assignment))
        elif todo.action is Action.CONFIRM:
            self._begin(assignment, self._confirm(assignment))
        elif todo.action is Action.PUT_BACK:
            self._applying.put_back(assignment.change, todo.reason)
        elif todo.action is Action.REPORT and todo.reached is not None:
            if todo.reached is NodePhase.REFUSED:
                self._reporter.refused(assignment, *self._refused[assignment.change])
            else:
                self._reporter.report(assignment, todo.reached, journal)

    async def _status_of(self, assignment: ChangeAssignment) -> ChangeStatus:
        refused = self._refused.get(assignment.change, ("", []))[0]
        prepared = _same(self._prepared.get(assignment.change), assignment)
        others = [journal.change for journal in self._store.open() if journal.change != assignment.change]
        # Reading the engine is expensive: do it only before something starts.
        begins = not prepared or assignment.phase is Phase.APPLY
        unarmed = self._at_work != assignment.change and self._store.load(assignment.change) is None
        fresh = begins and unarmed and not refused
        return ChangeStatus(
            highest=self._store.highest(),
            prepared=prepared,
            refused=refused,
            digest=await self._digest(assignment) if fresh else "",
            arp_digest=await self._arp_digest(assignment) if fresh else "",
            other_open=others[0] if others else 0,
            held=self._held(),
            verified=assignment.change in self._verified,
            boot_id=boot_time.boot_id(),
            at_work=self._at_work == assignment.change,
            released=self._refusal(assignment),
        )

    async def _digest(self, assignment: ChangeAssignment) -> str:
        if assignment.routing is None:
            return ""
        engine = assignment.routing.engine
        try:
            return (await routing_state.read(self._make_actuator(engine), engine, self._prefixes())).digest
        except (ActuatorError, OSError):
            return ""

    async def _arp_digest(self, assignment: ChangeAssignment) -> str:
        try:
            return (await arp.running(self._arp_files())).digest if assignment.arp else ""
        except OSError:
            return ""

    async def _prepare(self, assignment: ChangeAssignment) -> None:
        found: list[Evidence] = []
        try:
            originals = self._originals() if assignment.hand_back else {}
            if unknown := [str(prefix) for prefix in assignment.hand_back if prefix not in originals]:
                raise ActuatorError(
                    f"the routes to {', '.join(unknown[:4])} before Backstay managed them are not known here"
                )
            for looked_at, ask in self._checks(assignment):
                found.append(_checked(looked_at, await ask))
            await self._launcher.up()
        except RefusedError as error:
            bad = error.evidence or (Evidence(what=looked_at, ok=False, found=str(error)[:1024]),)
            checked = [item.model_copy(update={"stage": "checked"}) for item in bad]
            self._refuse(assignment, "the new configuration is not accepted", [*found, *checked])
        except (ActuatorError, GuardGoneError, OSError) as error:
            self._refuse(assignment, str(error)[:1024], [])
        else:
            self._prepared[assignment.change] = assignment
            self._reporter.prepared(assignment, found)

    def _checks(self, assignment: ChangeAssignment) -> Iterator[tuple[str, Awaitable[str]]]:
        """Checks of the new configuration."""
        if assignment.routing is not None:
            actuator = self._make_actuator(assignment.routing.engine)
            yield "the engine's own checker", actuator.prepare(assignment.routing)
        if assignment.arp is not None:
            yield "ARP on this host", arp.prepare(assignment.arp, self._arp_files())

    def _refuse(self, assignment: ChangeAssignment, reason: str, evidence: list[Evidence]) -> None:
        event(_log, logging.WARNING, "change refused", change=assignment.change, reason=reason)
        self._refused[assignment.change] = (reason, evidence)
        self._reporter.refused(assignment, reason, evidence)

    def _begin(self, assignment: ChangeAssignment, work: Coroutine[None, None, None]) -> None:
        """Work in a separate task, so that a rollback by the backend or the guard is seen meanwhile."""
        if self._task is not None:
            work.close()
            return
        self._at_work = assignment.change
        self._task = asyncio.create_task(self._until_done(work), name=f"change {assignment.change}")

    async def _until_done(self, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        finally:
            self._at_work = 0
            self._wake.set()

    async def _apply(self, assignment: ChangeAssignment) -> None:
        try:
            await self._applying.apply(assignment, self._actuator(assignment), self._prefixes())
        except (GuardGoneError, ActuatorError, OSError, ValueError) as error:
            # Before the guard watched: nothing was touched.
            self._refuse(assignment, f"not armed: {error}"[:1024], [])

    async def _verify(self, assignment: ChangeAssignment) -> None:
        if await self._applying.verify_again(assignment, self._actuator(assignment)):
            self._verified.add(assignment.change)

    async def _confirm(self, assignment: ChangeAssignment) -> None:
        try:
            self._before_saving(assignment, self._store.snapshot(assignment.change))
        except (OSError, ValidationError) as error:
            self._applying.put_back(
                assignment.change, f"the state before the change cannot be kept: {error}"[:1024]
            )
            return
        await self._applying.confirm(assignment, self._actuator(assignment))

    def _actuator(self, assignment: ChangeAssignment) -> Actuator | None:
        return self._make_actuator(assignment.routing.engine) if assignment.routing else None


def _checked(what: str, text: str) -> Evidence:
    return Evidence(what=what, ok=True, found=text[:1024], stage="checked")


def _same(one: ChangeAssignment | None, other: ChangeAssignment) -> bool:
    """Whether both are the same assignment, in any phase and at any pace."""
    pace = {"phase": other.phase, "ask_every_s": other.ask_every_s}
    return one is not None and one.model_copy(update=pace) == other
