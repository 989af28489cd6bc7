"""A watched path as a timeline of probes every 50 ms, replies and switches; conclusions and their times."""

from itertools import count
from uuid import UUID, uuid4

import pytest

from backstay_agent.failover.history import ProbeHistory, Run
from backstay_agent.failover.observe import Observation, PathObserver, Switch, TargetChange
from backstay_agent.failover.outages import Outage

MS = 1_000_000
STEP_MS = 50


class Timeline:
    """Runs an observer; the target answers while `answers`, `rtt_ms` later."""

    def __init__(self, rtt_ms: int = 10) -> None:
        ids = count(1)
        self.observer = PathObserver(probe_interval_ms=STEP_MS, new_id=lambda: UUID(int=next(ids)))
        self.now_ms = 0
        self.answers = True
        self.found: list[tuple[int, Observation]] = []
        self._rtt_ms = rtt_ms
        self._number = 0
        self._coming: list[tuple[int, int]] = []

    def run(self, milliseconds: int) -> None:
        """Advance time; a probe is sent every STEP_MS."""
        for _ in range(milliseconds // STEP_MS):
            self.now_ms += STEP_MS
            for due, number in [entry for entry in self._coming if entry[0] <= self.now_ms]:
                self._coming.remove((due, number))
                self._note(self.observer.answered(number))
            self._number += 1
            self.observer.sent(self._number, self.now_ms * MS)
            if self.answers:
                self._coming.append((self.now_ms + self._rtt_ms, self._number))
            self._note(self.observer.step(self.now_ms * MS))

    def route(self, gateway: str) -> None:
        """The kernel's route moves, between two probes."""
        now = self.now_ms * MS + 1
        self._note(self.observer.active(gateway, at_ns=now, now_ns=now))

    def switches(self) -> list[Switch]:
        return [one for _, one in self.found if isinstance(one, Switch)]

    def outages(self) -> list[Outage]:
        """Ended ones, in the order of their reports."""
        alone = [one for _, one in self.found if isinstance(one, Outage)]
        return [*(one.outage for one in self.switches() if one.outage is not None), *alone]

    def _note(self, found: list[Observation]) -> None:
        self.found += [(self.now_ms, one) for one in found]


@pytest.fixture
def timeline() -> Timeline:
    started = Timeline()
    started.route("grf1")
    started.run(2000)
    return started


def test_first_observation_is_no_switch(timeline: Timeline) -> None:
    assert timeline.found == []
    assert timeline.observer.gateway == "grf1"
    assert timeline.observer.target_alive is True


def test_switch_is_reported_at_once_and_again_with_its_outage(timeline: Timeline) -> None:
    timeline.answers = False
    timeline.run(200)  # four probes lost: at 2050, 2100, 2150, 2200
    timeline.route("atmgw")
    timeline.answers = True
    timeline.run(1000)
    first, second = timeline.switches()
    assert (first.from_gateway, first.to_gateway, first.outage_ms) == ("grf1", "atmgw", None)
    assert second.id == first.id
    assert second.at_ns == first.at_ns == 2200 * MS + 1
    assert second.lost_probes == 4
    assert second.outage_ms == 200.0  # from 2050, the first lost, to 2250, the first answered


def test_probes_lost_before_and_after_the_switch_are_one_outage(timeline: Timeline) -> None:
    timeline.answers = False
    timeline.run(100)
    timeline.route("atmgw")
    timeline.run(300)
    timeline.answers = True
    timeline.run(1000)
    assert timeline.switches()[-1].lost_probes == 8
    assert timeline.switches()[-1].outage_ms == 400.0


def test_switch_without_loss_has_an_outage_of_zero(timeline: Timeline) -> None:
    timeline.route("atmgw")
    timeline.run(1000)
    assert [(one.outage_ms, one.lost_probes) for one in timeline.switches()] == [(None, None), (0.0, 0)]


def test_earlier_recovered_loss_is_not_part_of_the_switch(timeline: Timeline) -> None:
    timeline.answers = False
    timeline.run(150)
    timeline.answers = True
    timeline.run(100)
    timeline.route("atmgw")
    timeline.run(1000)
    assert timeline.switches()[-1].outage_ms == 0.0


def test_replies_in_flight_at_the_switch_are_not_losses() -> None:
    slow = Timeline(rtt_ms=150)
    slow.route("grf1")
    slow.run(2000)
    slow.route("atmgw")
    slow.run(1000)
    assert slow.switches()[-1].lost_probes == 0


def test_lasting_outage_has_no_figure_before_its_end(timeline: Timeline) -> None:
    timeline.answers = False
    timeline.run(100)
    timeline.route("atmgw")
    timeline.run(15_000)
    ongoing = timeline.observer.ongoing()
    assert [one.outage_ms for one in timeline.switches()] == [None]
    assert ongoing is not None
    assert (ongoing.since_ns, ongoing.duration_ns, ongoing.cause) == (2050 * MS, None, "switch")
    timeline.answers = True
    timeline.run(1000)
    assert [one.outage_ms for one in timeline.switches()] == [None, 15_100.0]
    assert timeline.switches()[-1].lost_probes == 302
    assert [(one.id, one.duration_ns, one.cause) for one in timeline.outages()] == [
        (ongoing.id, 15_100 * MS, "switch")
    ]
    assert timeline.observer.ongoing() is None


def test_dead_target_on_an_unchanged_path_is_a_measured_outage(timeline: Timeline) -> None:
    timeline.answers = False
    timeline.run(55_000)
    ongoing = timeline.observer.ongoing()
    assert ongoing is not None
    assert (ongoing.since_ns, ongoing.lost_probes, ongoing.cause) == (2050 * MS, 1100, "target_dead")
    timeline.answers = True
    timeline.run(1000)
    assert timeline.outages() == [Outage(ongoing.id, 2050 * MS, 55_000 * MS, 1100, "target_dead")]


def test_outage_longer_than_the_history_keeps_its_length_without_a_switch(timeline: Timeline) -> None:
    timeline.answers = False
    timeline.run(120_000)
    timeline.answers = True
    timeline.run(1000)
    assert [(one.duration_ns, one.lost_probes) for one in timeline.outages()] == [(120_000 * MS, 2400)]


def test_two_switches_within_one_outage_share_it(timeline: Timeline) -> None:
    timeline.answers = False
    timeline.run(100)
    timeline.route("")
    timeline.run(300)
    timeline.route("atmgw")
    timeline.answers = True
    timeline.run(1000)
    assert len({one.id for one in timeline.outages()}) == 1
    assert {(one.duration_ns, one.cause) for one in timeline.outages()} == {(400 * MS, "no_route")}


def test_two_outages_have_two_ids(timeline: Timeline) -> None:
    for _ in range(2):
        timeline.answers = False
        timeline.run(2000)
        timeline.answers = True
        timeline.run(2000)
    assert len({one.id for one in timeline.outages()}) == 2


def test_time_without_a_route_is_an_outage_of_a_path_without_a_target() -> None:
    ids = count(1)
    observer = PathObserver(probe_interval_ms=50, new_id=lambda: UUID(int=next(ids)), has_target=False)
    observer.active("grf1", at_ns=0, now_ns=0)
    (_, begun) = observer.active("", at_ns=0, now_ns=10 * MS)
    assert observer.ongoing() == begun
    (_, ended) = observer.active("atmgw", at_ns=0, now_ns=310 * MS)
    assert isinstance(begun, Outage)
    assert ended == Outage(begun.id, 10 * MS, 300 * MS, None, "no_route")
    assert observer.ongoing() is None


def test_route_by_an_unknown_gateway_is_no_outage() -> None:
    observer = PathObserver(probe_interval_ms=50, new_id=uuid4, has_target=False)
    observer.active("grf1", at_ns=0, now_ns=0)
    (switch,) = observer.active("", at_ns=0, now_ns=10 * MS, has_route=True)
    assert isinstance(switch, Switch)
    assert observer.ongoing() is None


def test_outage_longer_than_the_history_keeps_its_start(timeline: Timeline) -> None:
    timeline.answers = False
    timeline.run(50)
    timeline.route("atmgw")
    timeline.run(120_000)
    timeline.answers = True
    timeline.run(1000)
    assert timeline.switches()[-1].outage_ms == 120_050.0
    assert timeline.switches()[-1].lost_probes == 2401


def test_unanswering_target_on_an_unchanged_path_is_reported_within_about_a_second(
    timeline: Timeline,
) -> None:
    timeline.answers = False
    timeline.run(3000)
    timeline.answers = True
    timeline.run(500)
    (down_at, down), (up_at, up), (_, outage) = timeline.found
    assert isinstance(outage, Outage)
    assert (down, up) == (TargetChange(alive=False), TargetChange(alive=True))
    assert down_at - 2050 in range(1000, 1101)
    assert up_at - 5050 in range(101)


def test_short_loss_is_not_an_unreachable_target(timeline: Timeline) -> None:
    timeline.answers = False
    timeline.run(800)
    timeline.answers = True
    timeline.run(500)
    assert timeline.found == []


def test_route_removed_and_restored_is_two_switches(timeline: Timeline) -> None:
    timeline.route("")
    timeline.run(500)
    timeline.route("atmgw")
    timeline.run(1000)
    reported = [(one.from_gateway, one.to_gateway) for one in timeline.switches() if one.outage_ms is None]
    assert reported == [("grf1", ""), ("", "atmgw")]


def test_switch_without_a_target_is_reported_but_not_measured() -> None:
    observer = PathObserver(probe_interval_ms=50, new_id=lambda: UUID(int=1), has_target=False)
    observer.active("a", at_ns=0, now_ns=0)
    assert len(observer.active("b", at_ns=1, now_ns=1)) == 1
    assert observer.step(60_000 * MS) == []


def test_history_counts_consecutive_losses_before_a_probe() -> None:
    history = ProbeHistory()
    for number in range(1, 8):
        history.sent(number, number * 100)
    for number in (1, 2, 6):
        history.answered(number)
    assert history.run_before(6) == Run(first_sent_ns=300, lost=3)
    assert history.run_before(2) is None
    assert history.trailing_run() == Run(first_sent_ns=700, lost=1)
    assert history.answered(6) is None
    assert history.answered(99) is None


def test_outage_is_measured_even_if_the_switch_is_reported_late() -> None:
    observer = PathObserver(probe_interval_ms=50, new_id=uuid4)
    step = 50_000_000
    observer.active("grf1", at_ns=0, now_ns=0)
    for number in range(1, 40):
        observer.sent(number, number * step)
        if not 10 <= number < 13:
            observer.answered(number)
        if number == 13:
            # The route changed before probe 13 was sent; the event was read only now.
            observer.active("atmgw", at_ns=13 * step, now_ns=13 * step + 30_000_000)
    reported = [one for one in observer.step(40 * step) if isinstance(one, Switch)]
    assert [(one.outage_ms, one.lost_probes) for one in reported] == [(150.0, 3)]
