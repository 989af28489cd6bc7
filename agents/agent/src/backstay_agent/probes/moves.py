"""Moves: one policy's traffic is kept on one gateway for a limited time, then returns automatically.

A move is refused if its gateway does not answer, fails if the gateway dies before the time is over, and
continues after a restart. A policy with failure detection other than the checker's is handled by the checker
for the duration of its move; then the preferred gateway is put first again and the daemon decides as before.
The outage of each step comes from the path observer: an end-to-end probe every few milliseconds.
"""

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from typing import Any, Literal

from backstay_agent.actuators.fallback_routing import key_of
from backstay_agent.failover.observe import Switch
from backstay_agent.failover.routes import Prefix
from backstay_agent.host.clock import Clock
from backstay_agent.logs import event
from backstay_agent.probes.checker import Checker
from backstay_agent.probes.checker_policy import PolicyChecker, SwitchOutcome
from backstay_agent.probes.checker_state import StateFile, StoredMove
from backstay_agent.report_sink import ReportSink
from backstay_wire import Detection, MoveReport, PathMove, PolicyRoute

_log = logging.getLogger(__name__)
_KNOWN_S = 3.0
"""Seconds within which a gateway must answer before a move to it is refused."""
_POLL_S = 0.05
_MEASURED_S = 12.0
"""A longer outage is reported as ongoing, without a duration."""
_NO_STEP = frozenset({"start", "restored", "not_restored"})
"""Reasons of outcomes that do not end a step of a move."""
State = Literal["moved", "returned", "refused", "failed"]


@dataclass
class _Step:
    """One switch of a move: executed, then measured."""

    outcome: asyncio.Future[SwitchOutcome]
    measured: dict[str, Switch]
    """By the new gateway; may be known before the engine reports success."""
    news: asyncio.Event


class Moves:
    """The moves in progress on one node."""

    def __init__(
        self, checker: Checker, *, device: str, clock: Clock, emit: ReportSink, state: StateFile
    ) -> None:
        self._checker = checker
        self._device = device
        self._clock = clock
        self._emit = emit
        self._state = state
        self._routes: dict[str, PolicyRoute] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._cancelled: dict[str, asyncio.Event] = {}
        self._steps: dict[str, _Step] = {}
        """By policy and prefix: only one move at a time per route."""
        self._measuring: dict[str, list[_Step]] = {}
        self.held = False
        """An operator holds the node: new moves are refused, those in progress return when the hold ends."""
        checker.listen(self._carried_out)

    def take_up(self, moves: list[PathMove], routes: list[PolicyRoute]) -> None:
        """Start new moves; end those that were withdrawn."""
        self._routes = {key_of(route): route for route in routes}
        wanted = {move.id for move in moves}
        for move_id, cancelled in self._cancelled.items():
            if move_id not in wanted:
                cancelled.set()
        for move_id in [one for one in self._state.stored.moves if one not in wanted | self._tasks.keys()]:
            self._forget(move_id)
        for move in moves:
            known = self._state.stored.moves.get(move.id)
            if move.id not in self._tasks and (known is None or known.until_ns is not None):
                self._cancelled[move.id] = asyncio.Event()
                self._tasks[move.id] = asyncio.create_task(self._run(move, known))

    def _forget(self, move_id: str) -> None:
        """A move that the backend withdrew; one in progress when the agent stopped ends now."""
        known = self._state.stored.moves.pop(move_id)
        self._state.write()
        route = self._routes.get(known.route)
        if known.until_ns is None or route is None or route.detection is Detection.CHECKER:
            return  # the checker itself detects that a move is over
        policy = self._checker.borrow(route)
        if policy is not None:
            self._tasks[move_id] = asyncio.create_task(self._hand_back(move_id, policy))

    async def _hand_back(self, move_id: str, policy: PolicyChecker) -> None:
        try:
            await policy.hand_back()
        finally:
            self._checker.give_back(policy)
            self._tasks.pop(move_id, None)

    async def close(self) -> None:
        """Stop; moves in progress continue after the next start."""
        for task in self._tasks.values():
            task.cancel()
        for task in list(self._tasks.values()):
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def measured(self, policy: str, prefix: Prefix, switch: Switch) -> None:
        """The path observer reported a switch; only a measured one counts."""
        for step in self._measuring.get(f"{policy} {prefix}", ()) if switch.outage_ms is not None else ():
            step.measured[switch.to_gateway] = switch
            step.news.set()

    def _carried_out(self, policy: PolicyChecker, outcome: SwitchOutcome) -> None:
        step = self._steps.get(key_of(policy.route))
        if step is not None and not step.outcome.done() and outcome.decision.reason not in _NO_STEP:
            step.outcome.set_result(outcome)

    async def _run(self, move: PathMove, known: StoredMove | None) -> None:
        key = f"{move.policy} {move.prefix}"
        try:
            await self._carry_out(move, key, known)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            event(_log, logging.ERROR, "a move broke", move=move.id, error=error)
            self._finish(move, "failed", f"internal error of the agent: {error}")
        finally:
            self._steps.pop(key, None)
            self._measuring.pop(key, None)
            self._tasks.pop(move.id, None)
            self._cancelled.pop(move.id, None)

    async def _carry_out(self, move: PathMove, key: str, known: StoredMove | None) -> None:
        route = self._routes.get(key)
        refusal = self._why_not(move, key, route)
        policy = None if route is None or refusal else self._checker.borrow(route)
        if route is None or policy is None:
            self._finish(move, "refused", refusal or "this node's routing is not managed here")
            return
        try:
            if policy.lead.moved_to == move.gateway:
                policy.forced = move.gateway  # started before a restart: it must not be treated as over
            if not await self._answers(policy, move.gateway):
                self._finish(move, "refused", f"{move.gateway} does not answer")
                return
            await self._there_and_back(move, key, policy, known)
        finally:
            policy.forced = ""
            self._checker.give_back(policy)

    def _why_not(self, move: PathMove, key: str, route: PolicyRoute | None) -> str:
        if self.held:
            return "this node is held: end the hold first"
        if route is None:
            return "this node has no confirmed routing for that policy and prefix"
        if move.gateway not in {hop.gateway for hop in route.hops}:
            return f"{move.gateway} is not a gateway of this policy here"
        if key in self._steps:
            return "another move of this policy is in progress"
        return ""

    async def _answers(self, policy: PolicyChecker, gateway: str) -> bool:
        """Whether the gateway works; waits if nothing is known yet."""
        end = self._clock.monotonic_ns() + round(_KNOWN_S * 1e9)
        while True:
            now = self._clock.monotonic_ns()
            sign = policy.signs(now)[gateway]
            alive = (sign.through or sign.own).alive
            if not sign.carrier or alive is not None or now >= end:
                return sign.carrier and alive is True
            await asyncio.sleep(_POLL_S)

    async def _there_and_back(
        self, move: PathMove, key: str, policy: PolicyChecker, known: StoredMove | None
    ) -> None:
        now, whole = self._clock.wall_ns(), round(move.seconds * 1e9)
        until = min(known.until_ns if known and known.until_ns else now + whole, now + whole)
        if until <= now and policy.lead.gateway != move.gateway:
            self._finish(move, "returned", "its time was over while the agent was stopped")
            return
        self._remember(move, until)
        report_task = await self._there(move, key, policy, again=known is not None)
        if report_task is None:
            return
        try:
            await self._and_back(move, key, policy, until, report_task)
        finally:
            report_task.cancel()

    async def _and_back(
        self, move: PathMove, key: str, policy: PolicyChecker, until: int, report_task: asyncio.Task[None]
    ) -> None:
        back = self._expect(key)
        died = await self._wait(move, until, back)
        if died is not None or policy.lead.gateway != move.gateway:
            why = f": {died.evidence}" if died else ""
            self._finish(move, "failed", f"{move.gateway} died before the time was over{why}")
        policy.forced = ""
        if policy.route.detection is not Detection.CHECKER:
            await policy.hand_back()
        if died is None:
            outcome = await back.outcome
            self._remember(move, None)
            await report_task  # in the order of the steps
            await self._report_outcome(move, "returned", outcome, back, policy)

    async def _there(
        self, move: PathMove, key: str, policy: PolicyChecker, *, again: bool
    ) -> asyncio.Task[None] | None:
        """Move; returns the task that reports it once it is measured. None: it failed, which was reported."""
        if policy.lead.gateway == move.gateway:
            policy.forced = move.gateway
            rtt = self._rtt(policy, move.gateway)
            if not again:
                self._report(move, "moved", f"{move.gateway} was already active", None, rtt)
            return asyncio.create_task(asyncio.sleep(0))
        there = self._expect(key)
        policy.forced = move.gateway
        outcome = await there.outcome
        if outcome.decision.to_gateway != move.gateway or outcome.trouble:
            self._finish(move, "failed", outcome.evidence)
            return None
        return asyncio.create_task(self._report_outcome(move, "moved", outcome, there, policy))

    def _expect(self, key: str) -> _Step:
        step = _Step(asyncio.get_running_loop().create_future(), {}, asyncio.Event())
        self._steps[key] = step
        self._measuring.setdefault(key, []).append(step)
        return step

    async def _wait(self, move: PathMove, until: int, step: _Step) -> SwitchOutcome | None:
        """Wait until the time is over or the move is withdrawn; returns the decision that ended it early, if
        any."""
        cancelled = asyncio.create_task(self._cancelled[move.id].wait())
        left = max(0.0, (until - self._clock.wall_ns()) / 1e9)
        try:
            first: list[asyncio.Future[Any]] = [cancelled, step.outcome]
            await asyncio.wait(first, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        finally:
            cancelled.cancel()
        return step.outcome.result() if step.outcome.done() else None

    async def _report_outcome(
        self, move: PathMove, state: State, outcome: SwitchOutcome, step: _Step, policy: PolicyChecker
    ) -> None:
        """Report a step once its outage is known, or once it cannot be known any more."""
        gateway = outcome.decision.to_gateway
        if outcome.decision.switches:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_MEASURED_S):
                    while gateway not in step.measured:
                        step.news.clear()
                        await step.news.wait()
        switch = step.measured.get(gateway)
        unmeasured = outcome.decision.switches and switch is None
        lasting = f"; the target did not answer for at least {_MEASURED_S:.0f} s"
        detail = f"{outcome.evidence}{lasting}" if unmeasured else outcome.evidence
        outage = switch.outage_ms if switch else None
        self._report(move, state, detail, outage, self._rtt(policy, gateway))

    def _rtt(self, policy: PolicyChecker, gateway: str) -> int | None:
        sign = policy.signs(self._clock.monotonic_ns()).get(gateway)
        return None if sign is None else (sign.through or sign.own).rtt_us

    def _remember(self, move: PathMove, until_ns: int | None) -> None:
        route = f"{move.policy} {move.prefix}"
        self._state.stored.moves[move.id] = StoredMove(route=route, until_ns=until_ns)
        self._state.write()

    def _finish(self, move: PathMove, state: State, detail: str) -> None:
        self._remember(move, None)
        self._report(move, state, detail, None, None)

    def _report(
        self, move: PathMove, state: State, detail: str, outage_ms: float | None, rtt_us: int | None
    ) -> None:
        at = self._clock.wall_ns()
        event(_log, logging.INFO, "move", move=move.id, state=state, outage_ms=outage_ms, detail=detail)
        self._emit(
            lambda boot, seq: MoveReport(
                boot=boot,
                seq=seq,
                device=self._device,
                at=at,
                move=move.id,
                policy=move.policy,
                state=state,
                detail=detail[:1000],
                outage_ms=outage_ms,
                rtt_us=rtt_us,
            ),
            urgent=True,
        )
