"""Composition root: creates every part of one agent process, runs it, and stops it within two seconds."""

import asyncio
import contextlib
import logging
import os
from collections.abc import Coroutine
from uuid import uuid4

from pydantic import ValidationError

from backstay_agent import __version__
from backstay_agent.actuators.actuator import Prefix
from backstay_agent.actuators.routing_state import prefixes
from backstay_agent.allowed_paths import permitted, refusal
from backstay_agent.assignments import Assignments, patience_s
from backstay_agent.changes.change_echo import EchoSender
from backstay_agent.changes.driver import ChangeDriver
from backstay_agent.changes.reporter import ChangeReporter
from backstay_agent.collectors.context import Context, make_context
from backstay_agent.config import Settings
from backstay_agent.desired_schedule import DesiredSchedule
from backstay_agent.guard.snapshot import Snapshot
from backstay_agent.guard.store import Store
from backstay_agent.host.clock import HostClock
from backstay_agent.host.files import atomic_write
from backstay_agent.host.forkserver import ForkServer
from backstay_agent.host.hold_file import HoldFile
from backstay_agent.host.machine import utc_offset
from backstay_agent.logs import event
from backstay_agent.probes.echo import EchoProber
from backstay_agent.probes.holds import HoldKeeper
from backstay_agent.probes.throughput.assignments import TestAssignments
from backstay_agent.probes.throughput.host import ThroughputHost
from backstay_agent.probes.throughput.journal import Journal
from backstay_agent.recording.jobs import RecordingJobs
from backstay_agent.release.baseline import BaselineFile, remember
from backstay_agent.release.controller_loss import ControllerLoss
from backstay_agent.release.monitor import ReleaseMonitor
from backstay_agent.release.record import ReleaseFile
from backstay_agent.runner import Runner
from backstay_agent.state_repair import find_identity, mend
from backstay_agent.status import SourceStatus, Status, write_status
from backstay_agent.uplink.client import BackendClient, Newer
from backstay_agent.uplink.errors import BackendError, UnauthorisedError, UnavailableError
from backstay_agent.uplink.identity import load_or_make_key
from backstay_agent.uplink.sender import Sender
from backstay_agent.uplink.session import UplinkSession
from backstay_agent.uplink.spool import Outbox, Spool
from backstay_wire import ArpFiles, ChangeAssignment, Desired

_log = logging.getLogger(__name__)
_SYNC_S = 1.0
_SHUTDOWN_S = 1.0
_AGAIN_S = 2.0
"""Seconds before retrying a failed request while a newer generation is known to exist."""
_HOLD_S = 5
"""Seconds for which the backend holds a request while a step of a change is expected: below the client's time
limit, so that a connection that died is noticed."""
_HELD_PAUSE_S, _REPLY_S = 0.05, 1.0
"""Before the request that follows a held one; and for the reply to a held one, once a newer generation is
known from elsewhere."""
_RESTS = 4
"""Pause before the next request, in multiples of the last response time: many agents must not overload a slow
backend."""


class Agent:
    """One running agent."""

    def __init__(
        self,
        settings: Settings,
        session: UplinkSession,
        spool: Spool,
        outbox: Outbox,
        context: Context,
        *,
        fork_server: ForkServer | None = None,
    ) -> None:
        self._settings = settings
        self._session = session
        self._spool = spool
        self._clock = context.clock
        self._runner = Runner(context.clock, outbox)
        self._assignments = Assignments(
            context, self._runner, EchoProber(context.clock), settings.state.failover
        )
        self._holds = HoldKeeper(
            HoldFile(settings.state.root),
            self._assignments,
            device=session.identity.node,
            clock=context.clock,
            emit=outbox,
        )
        self._sender = Sender(spool, session, context.clock, self._on_generation)
        outbox.on_report = self._sender.on_report
        outbox.on_leaving = self._assignments.request_leaves
        self._tests = TestAssignments(
            ThroughputHost(
                clock=context.clock,
                emit=outbox,
                ports=context.kernel,
                counters=context.netlink,
                offset=self._sender.clock_reading,
                journal=Journal(settings.state.tests),
            )
        )
        self._recordings = RecordingJobs(context.clock, outbox, utc_offset)
        self._releases = ReleaseMonitor(
            ReleaseFile(settings.state.root),
            node=session.identity.node,
            clock=context.clock,
            emit=outbox,
            apply=self._let_go,
        )
        self._baseline = BaselineFile(settings.state.root)
        store = Store(settings.state.root, "agent")
        self._controller_loss = ControllerLoss(
            settings.state.root,
            store=store,
            reach=self._reach,
            clock=context.clock,
            window_s=settings.controller_loss_s,
            wake=self._wake_changes,
        )
        self._changes = ChangeDriver(
            store=store,
            reporter=ChangeReporter(session.identity.node, context.clock, outbox),
            echo=EchoSender(context.kernel, context.clock),
            reach=self._reach,
            prefixes=self._prefixes,
            arp_files=self._arp_files,
            held=lambda: self._holds.text,
            fork_server=fork_server,
            refusal=self._refusal,
            before_saving=self._before_saving,
            kept=lambda: self._controller_loss.kept,
            originals=lambda: self._baseline.read().rows(),
        )
        self._taking_up = asyncio.Lock()
        self._desired: Desired | None = None
        self._schedule = DesiredSchedule(settings.desired_every_s)
        self._newest = -1
        self._ask = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        """Run until `stop` is set."""
        await self._holds.start()
        await self._take_up_stored()
        tasks: list[asyncio.Task[object]] = [
            asyncio.create_task(job, name=name)
            for name, job in (
                ("sender", self._sender.run()),
                ("desired", self._keep_desired()),
                ("sync", self._keep_synced()),
                ("status", self._keep_status()),
                ("changes", self._changes.run()),
                ("releases", self._releases.run()),
                ("controller loss", self._controller_loss.run()),
                ("holds", self._holds.run()),
                ("stop", stop.wait()),
            )
        ]
        event(_log, logging.INFO, "running", node=self._session.identity.node, version=__version__)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await self._stop(tasks)
        for task in tasks:
            if task.done() and not task.cancelled():
                task.result()

    async def _stop(self, tasks: list[asyncio.Task[object]]) -> None:
        """Stop collecting, send what can be sent at once, leave the rest on disk."""
        for task in tasks:
            if not task.done():
                task.cancel()
        await asyncio.wait(tasks, timeout=_SHUTDOWN_S)
        status = self._status(running=False)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_SHUTDOWN_S / 2):
                await asyncio.gather(self._tests.close(), self._recordings.close(), self._assignments.close())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_SHUTDOWN_S / 2):
                await self._sender.flush()
        self._spool.close()
        with contextlib.suppress(OSError):
            waiting = {"spool_waiting": self._spool.waiting, "delivered": self._sender.delivery.delivered}
            write_status(self._settings.state, status.model_copy(update=waiting))
        await self._session.client.close()
        event(_log, logging.INFO, "stopped", waiting=self._spool.waiting)

    def _on_generation(self, generation: int) -> None:
        """A reply to a report named the newest generation."""
        if self._desired is not None and generation == self._desired.generation:
            self._schedule.is_current(asyncio.get_running_loop().time())
        if generation > self._newest:
            self._newest = generation
            self._ask.set()

    async def _take_up_stored(self) -> None:
        """Start with the stored desired state: an agent works without a backend."""
        try:
            stored = Desired.model_validate_json(self._settings.state.desired.read_bytes())
        except FileNotFoundError:
            return
        except (OSError, ValidationError) as error:
            event(_log, logging.WARNING, "stored desired state is not usable", error=type(error).__name__)
            return
        await self._take_up(permitted(stored, self._settings.allowed_paths))

    async def _take_up(self, desired: Desired) -> None:
        async with self._taking_up:
            self._desired = desired
            self._newest = max(self._newest, desired.generation)
            self._releases.take_up(desired)
            self._tests.take_up(desired)
            self._recordings.take_up(desired)
            self._holds.take_up(desired.hold)
            await self._assignments.take_up(self._releases.effective(desired))
            self._sender.patience_s = patience_s(desired.sources)
            self._changes.take_up(desired.changes)

    def _refusal(self, change: ChangeAssignment) -> str:
        """Why this node does not apply a change; empty if it does."""
        return refusal(change, self._settings.allowed_paths) or self._releases.refusal(change)

    async def _let_go(self) -> None:
        """A release was recorded: stop managing its scope at once."""
        async with self._taking_up:
            await self._assignments.let_go()
            if self._desired is not None:
                await self._assignments.take_up(self._releases.effective(self._desired))
                self._changes.wake()

    def _wake_changes(self) -> None:
        self._changes.wake()

    def _before_saving(self, assignment: ChangeAssignment, before: Snapshot) -> None:
        """Record what a release and a revert need. Raises OSError."""
        self._baseline.write(remember(self._baseline.read(), assignment, before))
        self._controller_loss.begin(assignment, self._desired.routing if self._desired else None)

    def _prefixes(self) -> list[Prefix]:
        return prefixes(self._desired) if self._desired else []

    def _arp_files(self) -> ArpFiles | None:
        return self._desired.arp_files if self._desired else None

    async def _reach(self) -> bool:
        """Whether the controller accepts our requests now. An expired credential does not count; it is
        renewed elsewhere."""
        client = self._session.client
        try:
            try:
                reached = await client.reach()
            except UnauthorisedError:
                reached = await self._session.call(client.reach)
        except BackendError:
            return False
        return reached.agent == self._session.identity.agent

    async def _keep_desired(self) -> None:
        """Request the desired state at start, as soon as a reply names a newer generation, and when no reply
        has named ours for a minute (`DesiredSchedule`).
        """
        loop, schedule = asyncio.get_running_loop(), self._schedule
        while True:
            self._ask.clear()
            asked = loop.time()
            held = False
            try:
                if self._desired is not None and not schedule.is_whole_due(asked):
                    desired, held = await self._newer(self._desired)
                else:
                    desired = await self._fetch()
                    schedule.fetched_whole(asked)
            except BackendError as error:
                event(_log, logging.INFO, "desired state not received", error=error)
                # The reply that names the newer generation does not announce it a second time.
                schedule.failed(loop.time(), _AGAIN_S if self._behind() else self._settings.desired_every_s)
            else:
                schedule.is_current(asked)
                if self._desired is None or desired != self._desired:
                    self._store(desired)
                    await self._take_up(desired)
            answered = loop.time()
            pause_s = _HELD_PAUSE_S if held else _RESTS * (answered - asked)
            # A reply to a report may postpone it meanwhile.
            while (
                not self._ask.is_set()
                and (wait := self._due_s(answered, pause_s, held=held) - loop.time()) > 0
            ):
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._ask.wait()

    def _due_s(self, answered: float, pause_s: float, *, held: bool) -> float:
        """When the next request is due: at the regular time, and earlier while a change or a test is in
        progress; `pause_s`: the shortest pause after the reply, which is the only one if it was `held`."""
        due = self._schedule.due_s
        for often in (self._changes.asks_every_s, self._tests.asks_every_s):
            if often is not None:
                due = min(due, answered + (pause_s if held else max(often, pause_s)))
        return due

    async def _newer(self, known: Desired) -> tuple[Desired, bool]:
        """The desired state, and whether the backend held the request; it is cheap if `known` is still
        current. Raises BackendError.
        """
        client, hold_s = self._session.client, _HOLD_S if self._changes.expects_step else 0
        asking = self._session.call(lambda: client.newer(known.generation, hold_s))
        reply = await (self._unless_known(asking) if hold_s else asking)
        desired = permitted(reply.desired, self._settings.allowed_paths) if reply.desired else known
        return desired, reply.held

    async def _unless_known(self, asking: Coroutine[None, None, Newer]) -> Newer:
        """The reply to a held request. Raises UnavailableError if there is none although a newer generation
        is known: its connection may have died."""
        call, asked = asyncio.ensure_future(asking), asyncio.ensure_future(self._ask.wait())
        try:
            await asyncio.wait([call, asked], return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait([call], timeout=_REPLY_S)
            if not call.done():
                raise UnavailableError("no reply to a held request")
            return call.result()
        finally:
            call.cancel()
            asked.cancel()

    async def _fetch(self) -> Desired:
        """Fetch the whole desired state. Raises BackendError."""
        desired = await self._session.call(self._session.client.desired)
        return permitted(desired, self._settings.allowed_paths)

    def _behind(self) -> bool:
        """Whether a generation newer than ours is known to exist."""
        return self._desired is None or self._newest > self._desired.generation

    def _store(self, desired: Desired) -> None:
        try:
            atomic_write(self._settings.state.desired, desired.model_dump_json().encode())
        except OSError as error:
            event(_log, logging.WARNING, "cannot store the desired state", error=error)

    async def _keep_synced(self) -> None:
        """Sync the spool to disk each second, in a thread: a slow disk must not stop the probes."""
        while True:
            await asyncio.sleep(_SYNC_S)
            if self._spool.unsynced:
                await asyncio.to_thread(self._spool.sync)

    async def _keep_status(self) -> None:
        while True:
            with contextlib.suppress(OSError):
                write_status(self._settings.state, self._status(running=True))
            await asyncio.sleep(self._settings.status_every_s)

    def _status(self, *, running: bool) -> Status:
        identity, delivery = self._session.identity, self._sender.delivery
        return Status(
            pid=os.getpid(),
            version=__version__,
            agent=identity.agent,
            site=identity.site,
            node=identity.node,
            backend=self._settings.backend or identity.backend,
            written_ns=self._clock.wall_ns(),
            running=running,
            generation=self._desired.generation if self._desired else None,
            credential_expires_at=identity.expires_at,
            spool_waiting=self._spool.waiting,
            spool_octets=self._spool.size,
            dropped=self._spool.dropped,
            delivered=delivery.delivered,
            rejected=delivery.rejected,
            last_contact_ns=delivery.last_contact_ns,
            trouble=delivery.trouble,
            held=self._holds.text,
            sources=[
                SourceStatus(
                    collector=collector.name,
                    device=collector.device,
                    outcome=state.outcome,
                    detail=state.detail,
                    duration_ms=round(state.duration_ms, 3),
                    at_ns=state.at_ns,
                    missed=state.missed,
                )
                for collector, state in self._runner.states.items()
            ],
        )


async def run_agent(settings: Settings, stop: asyncio.Event, fork_server: ForkServer | None = None) -> None:
    """Run this host's agent until `stop` is set, enrolling it first if necessary.

    Raises ConfigError if the state folder cannot be used, BackendError if enrolment is refused.
    """
    clock = HostClock()
    mend(settings.state)
    finding = asyncio.create_task(find_identity(settings, clock))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait([finding, stopping], return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not finding.done():
        finding.cancel()
        return
    identity = finding.result()
    backend = settings.backend or identity.backend
    client = BackendClient(backend, clock, settings.ca_file)
    session = UplinkSession(client, identity, load_or_make_key(settings.state), settings.state, clock)
    spool = Spool(settings.state.spool, settings.spool_quota)
    outbox = Outbox(spool, uuid4())
    context = make_context(clock, outbox, backend)
    agent = Agent(settings, session, spool, outbox, context, fork_server=fork_server)
    await agent.run(stop)
