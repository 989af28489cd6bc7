"""Random sequences of runs, cells and cancellations: no collisions, no starvation."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from backstay.core.scheduling.resource_scheduler import Request, Reservation, decide

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


class Schedule(RuleBasedStateMachine):
    """A site with six resources; each run needs the same ones for all its cells."""

    runs = Bundle("runs")

    def __init__(self) -> None:
        super().__init__()
        self.number = 0
        self.asks: dict[int, Request] = {}
        self.left: dict[int, int] = {}
        self.running: dict[int, Reservation] = {}

    @rule(
        target=runs,
        needs=st.sets(st.sampled_from("abcdef"), min_size=1, max_size=3),
        priority=st.integers(0, 2),
        cells=st.integers(1, 3),
    )
    def asked_for(self, needs: set[str], priority: int, cells: int) -> int:
        self.number += 1
        asked = BEGIN + timedelta(seconds=self.number)
        self.asks[self.number] = Request(self.number, priority, asked, {one: one for one in sorted(needs)})
        self.left[self.number] = cells
        return self.number

    @rule(run=consumes(runs))
    def cancelled(self, run: int) -> None:
        for known in (self.asks, self.left, self.running):
            known.pop(run, None)

    @rule()
    def tick(self) -> None:
        waiting = [ask for run, ask in self.asks.items() if run not in self.running]
        decision = decide(waiting, self.running.values())
        for run in decision.start:
            self.running[run] = Reservation(run, frozenset(self.asks[run].resources))
        assert set(decision.waits) == {ask.run for ask in waiting} - set(decision.start)
        for run, text in decision.waits.items():
            named = int(text.removeprefix("waits for run #").split()[0].strip(","))
            assert set(self.asks[named].resources) & set(self.asks[run].resources)

    @rule()
    def oldest_cell_ends(self) -> None:
        for run in sorted(self.running)[:1]:
            self._ends(run)

    def _ends(self, run: int) -> None:
        del self.running[run]
        self.left[run] -= 1
        if not self.left[run]:
            del self.asks[run], self.left[run]

    @invariant()
    def nobody_collides(self) -> None:
        held = [one for item in self.running.values() for one in item.resources]
        assert len(held) == len(set(held))

    def teardown(self) -> None:
        """Every run that is not cancelled ends, whatever the others do."""
        for _ in range(4 * sum(self.left.values()) + 1):
            self.tick()
            for run in sorted(self.running):
                self._ends(run)
        assert not self.asks


TestSchedule = Schedule.TestCase
TestSchedule.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
