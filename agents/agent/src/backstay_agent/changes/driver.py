"""Carries changes out on this node: one at a time, each step guarded, and says where it stands until the
duty is gone.

All that is decided is decided by `course`; this does it. An agent that dies is no loss: the journal says how
far it came, and the guard, another process, does not depend on it.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence

from backstay_agent.actuators import arp, routing_state
from backstay_agent.actuators.actuator import Actuator, ActuatorError, EngineGoneError, Prefix, RefusedError
from backstay_agent.actuators.registry import actuator_for
from backstay_agent.changes.executor import ChangeExecutor
from backstay_agent.changes.reporter import ChangeReporter
from backstay_agent.changes.state_machine import Action, ChangeStatus, decide
from backstay_agent.changes.verification import Echo, Reach
from backstay_agent.guard.launch import GuardGoneError, Launcher
from backstay_agent.guard.store import Store
from backstay_agent.host.forkserver import ForkServer
from backstay_agent.logs import event
from backstay_wire import ArpFiles, ChangeAssignment, Engine, Evidence, NodePhase, Phase

_log = logging.getLogger(__name__)
_LOOK_S, _IDLE_LOOK_S = 0.2, 2.0
"""Where something is under way, and where a duty only waits: a new one wakes at once."""
_COUNTDOWN_ASKS_S = 0.5
_WAITING_ASKS_S, _MOST_WAITING_ASKS_S = 2.0, 10.0
_OF_THE_WAIT = 0.1
"""The longer a duty has waited, the more nodes are in its change, and the more of them ask."""


class ChangeDriver:
    """The changes of one agent."""

    def __init__(
        self,
        *,
        store: Store,
        teller: ChangeReporter,
        echo: Echo,
        reach: Reach,
        prefixes: Callable[[], list[Prefix]],
        arp_files: Callable[[], ArpFiles | None] = lambda: None,
        make_actuator: Callable[[Engine], Actuator] = actuator_for,
        nursery: ForkServer | None = None,
    ) -> None:
        self._store = store
        self._teller = teller
        self._prefixes = prefixes
        self._arp_files = arp_files
        self._make_actuator = make_actuator
        self._launcher = Launcher(store, nursery)
        self._applying = ChangeExecutor(store, self._launcher, echo, reach)
        self._duties: list[ChangeAssignment] = []
        self._prepared: dict[int, ChangeAssignment] = {}
        self._refused: dict[int, tuple[str, list[Evidence]]] = {}
        self._waiting_since: dict[int, float] = {}
        self._task: asyncio.Task[None] | None = None
        self._at_work = 0
        self._wake = asyncio.Event()

    @property
    def asks_every_s(self) -> float | None:
        """How often the next phase is to be asked for; None: as ever, for nothing more is wanted here.

        Often only while a guard's countdown runs, for a site's nodes all ask one controller.
        """
        if self._store.open():
            return _COUNTDOWN_ASKS_S
        now = time.monotonic()
        waits = [now - self._waiting_since[duty.change] for duty in self._duties if self._waits(duty)]
        if not waits:
            return None
        return min(max(_WAITING_ASKS_S, _OF_THE_WAIT * min(waits)), _MOST_WAITING_ASKS_S)

    def _waits(self, duty: ChangeAssignment) -> bool:
        """Whether a duty was neither refused nor begun: what was begun has ended, or the guard watches."""
        return duty.change not in self._refused and self._store.load(duty.change) is None

    def take_up(self, changes: Sequence[ChangeAssignment]) -> None:
        """Go on with these; what is no longer among them is forgotten once it has ended."""
        gone = {duty.change for duty in self._duties} - {duty.change for duty in changes}
        for change in gone:
            self._prepared.pop(change, None)
            self._refused.pop(change, None)
            self._waiting_since.pop(change, None)
            self._teller.forget(change)
        self._duties = list(changes)
        for duty in changes:
            self._waiting_since.setdefault(duty.change, time.monotonic())
        self._wake.set()

    async def run(self) -> None:
        """Work until cancelled. Also cares for the guard of changes whose duty is gone."""
        try:
            while True:
                try:
                    await self.step()
                except OSError as error:
                    event(_log, logging.ERROR, "cannot go on with a change", error=error)
                self._wake.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._look_s()):
                        await self._wake.wait()
        finally:
            if self._task is not None:
                self._task.cancel()

    def _look_s(self) -> float | None:
        """In how many seconds to look again; None: not before there is a duty."""
        if self._task is not None or self._store.open():
            return _LOOK_S
        return _IDLE_LOOK_S if self._duties else None

    async def step(self) -> None:
        """Look at every duty once."""
        if self._task is not None and self._task.done():
            if not self._task.cancelled() and (error := self._task.exception()) is not None:
                event(_log, logging.ERROR, "applying crashed", error=f"{type(error).__name__}: {error}")
            self._task = None
        if self._store.open():
            with contextlib.suppress(GuardGoneError):
                self._launcher.ensure()
        for duty in self._duties:
            await self._go_on(duty)
        wanted = {duty.change for duty in self._duties} | {self._at_work}
        for journal in list(self._store.all()):
            if journal.change not in wanted:
                self._store.forget(journal.change)

    async def _go_on(self, duty: ChangeAssignment) -> None:
        journal = self._store.load(duty.change)
        todo = decide(duty, journal, await self._standing(duty))
        if todo.act is Action.PREPARE:
            await self._prepare(duty)
        elif todo.act is Action.REFUSE:
            self._refuse(duty, todo.reason, [])
        elif todo.act is Action.APPLY:
            self._begin(duty)
        elif todo.act is Action.CONFIRM:
            await self._confirm(duty)
        elif todo.act is Action.PUT_BACK:
            self._applying.put_back(duty.change, todo.reason)
        elif todo.act is Action.TELL and todo.stands is not None:
            if todo.stands is NodePhase.REFUSED:
                self._teller.refused(duty, *self._refused[duty.change])
            else:
                self._teller.tell(duty, todo.stands, journal)

    async def _standing(self, duty: ChangeAssignment) -> ChangeStatus:
        refused = self._refused.get(duty.change, ("", []))[0]
        prepared = _same(self._prepared.get(duty.change), duty)
        others = [journal.change for journal in self._store.open() if journal.change != duty.change]
        # Reading the engine has its price: only before something is begun.
        begins = not prepared or duty.phase is Phase.APPLY
        unarmed = self._at_work != duty.change and self._store.load(duty.change) is None
        fresh = begins and unarmed and not refused
        return ChangeStatus(
            highest=self._store.highest(),
            prepared=prepared,
            refused=refused,
            digest=await self._digest(duty) if fresh else "",
            arp_digest=await self._arp_digest(duty) if fresh else "",
            other_open=others[0] if others else 0,
            at_work=self._at_work == duty.change,
        )

    async def _digest(self, duty: ChangeAssignment) -> str:
        if duty.routing is None:
            return ""
        engine = duty.routing.engine
        try:
            return (await routing_state.read(self._make_actuator(engine), engine, self._prefixes())).digest
        except (ActuatorError, OSError):
            return ""

    async def _arp_digest(self, duty: ChangeAssignment) -> str:
        try:
            return (await arp.running(self._arp_files())).digest if duty.arp else ""
        except OSError:
            return ""

    async def _prepare(self, duty: ChangeAssignment) -> None:
        found: list[Evidence] = []
        try:
            for looked_at, ask in self._checks(duty):
                found.append(_checked(looked_at, await ask))
            await self._launcher.up()
        except RefusedError as error:
            bad = error.evidence or (Evidence(what=looked_at, ok=False, found=str(error)[:1024]),)
            checked = [item.model_copy(update={"stage": "checked"}) for item in bad]
            self._refuse(duty, "the new configuration is not accepted", [*found, *checked])
        except (ActuatorError, GuardGoneError, OSError) as error:
            self._refuse(duty, str(error)[:1024], [])
        else:
            self._prepared[duty.change] = duty
            self._teller.prepared(duty, found)

    def _checks(self, duty: ChangeAssignment) -> Iterator[tuple[str, Awaitable[str]]]:
        """What is to be asked whether the new state can be."""
        if duty.routing is not None:
            actuator = self._make_actuator(duty.routing.engine)
            yield "the engine's own checker", actuator.prepare(duty.routing)
        if duty.arp is not None:
            yield "ARP on this host", arp.prepare(duty.arp, self._arp_files())

    def _refuse(self, duty: ChangeAssignment, reason: str, evidence: list[Evidence]) -> None:
        event(_log, logging.WARNING, "change refused", change=duty.change, reason=reason)
        self._refused[duty.change] = (reason, evidence)
        self._teller.refused(duty, reason, evidence)

    def _begin(self, duty: ChangeAssignment) -> None:
        """Apply in a task of its own: a roll-back, or a guard's, must be seen meanwhile."""
        if self._task is None:
            self._at_work = duty.change
            self._task = asyncio.create_task(self._apply(duty), name=f"change {duty.change}")

    async def _apply(self, duty: ChangeAssignment) -> None:
        actuator = self._make_actuator(duty.routing.engine) if duty.routing else None
        try:
            await self._applying.apply(duty, actuator, self._prefixes())
        except (GuardGoneError, EngineGoneError, OSError, ValueError) as error:
            # Before the guard watched: nothing was touched.
            self._refuse(duty, f"not armed: {error}"[:1024], [])
        finally:
            self._at_work = 0
            self._wake.set()

    async def _confirm(self, duty: ChangeAssignment) -> None:
        actuator = self._make_actuator(duty.routing.engine) if duty.routing else None
        await self._applying.confirm(duty, actuator)
        self._wake.set()


def _checked(what: str, said: str) -> Evidence:
    return Evidence(what=what, ok=True, found=said[:1024], stage="checked")


def _same(one: ChangeAssignment | None, other: ChangeAssignment) -> bool:
    """Whether both are one duty, whatever the phase."""
    return one is not None and one.model_copy(update={"phase": other.phase}) == other
