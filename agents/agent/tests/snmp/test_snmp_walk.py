"""Walks, counter widths, restarts, and growth computed for all ports at once."""

import random
from dataclasses import replace

import numpy as np
import pytest

from backstay_agent.collectors.deltas import COLUMNS, Span, port_growth
from backstay_agent.collectors.snmp.counters import counts, growth, has_restarted, make_plan
from backstay_agent.collectors.snmp.snapshot import Snapshot
from backstay_agent.host.snmp.readings import Readings
from backstay_agent.host.snmp.values import Oid, PollLimits, SnmpError, WalkTimeLimitError
from backstay_agent.host.snmp.walk import Walk, Walks
from backstay_agent.parsers import ifmib
from backstay_agent.parsers.ifmib import DevicePort
from backstay_wire import DeltaOutcome, PortState

COLUMN: Oid = (1, 3, 6, 1, 2, 1, 2, 2, 1, 2)
NEXT: Oid = (*COLUMN[:-1], 3)
SECOND = 1_000_000_000


LIMITS = PollLimits()


def walk(*columns: Oid, limits: PollLimits = LIMITS) -> Walk:
    return Walk(columns or (COLUMN,), limits, lambda: 0.0)


def test_walk_stops_after_the_column() -> None:
    walking = walk()
    assert walking.heads() == [COLUMN]
    walking.take([((*COLUMN, index), index) for index in (1, 2)])
    assert walking.heads() == [(*COLUMN, 2)]
    walking.take([((*COLUMN, 3), 3), ((*NEXT, 1), 9)])
    assert walking.heads() == []
    assert walking.found == {COLUMN: {(1,): 1, (2,): 2, (3,): 3}}


def test_columns_of_different_lengths_are_walked_together() -> None:
    walking = walk(COLUMN, NEXT)
    walking.take([((*COLUMN, 1), 1), ((*NEXT, 1), 5), ((*COLUMN, 2), 2), ((*NEXT[:-1], 4, 1), 7)])
    assert walking.heads() == [(*COLUMN, 2)]
    walking.take([((*NEXT, 1), 5)])
    assert walking.heads() == []
    assert walking.found == {COLUMN: {(1,): 1, (2,): 2}, NEXT: {(1,): 5}}


def test_walk_ends_if_the_device_wraps_around_after_its_last_column() -> None:
    walking = walk()
    walking.take([((*COLUMN, 1), 1), ((1, 3, 6, 1, 2, 1, 1, 1, 0), b"x")])
    assert walking.heads() == []


def test_cell_without_a_value_is_a_hole_and_not_the_end() -> None:
    walking = walk()
    assert walking.take([((*COLUMN, 1), 1), ((*COLUMN, 2), None)]) == []
    assert walking.heads() == [(*COLUMN, 2)]
    walking.take([((*COLUMN, 3), 3), ((*COLUMN, 3), None)])
    assert walking.heads() == [], "endOfMibView repeats the last name"
    assert walking.found == {COLUMN: {(1,): 1, (3,): 3}}


def test_agent_that_counts_up_without_values_ends_the_column() -> None:
    walking = walk()
    walking.take([((*COLUMN, 1), 1), *(((*COLUMN, 2, n), None) for n in range(20_000))])
    assert walking.heads() == []


@pytest.mark.parametrize("second", [7, 6], ids=["the same", "a smaller one"])
def test_oids_that_do_not_increase_end_the_walk(second: int) -> None:
    with pytest.raises(SnmpError, match="do not increase"):
        walk().take([((*COLUMN, 7), 1), ((*COLUMN, second), 1)])


def test_walk_ends_at_its_variable_or_time_limit() -> None:
    walking = walk(limits=PollLimits(walk_variables=10))
    walking.take([((*COLUMN, index), 1) for index in range(10)])
    with pytest.raises(SnmpError, match="within 10 variables"):
        walking.take([((*COLUMN, 10), 1)])
    times = iter([0.0, 29.0, 31.0])
    slow = Walk((COLUMN,), PollLimits(), lambda: next(times))
    slow.heads()
    with pytest.raises(SnmpError, match="not over after 30 s"):
        slow.heads()


def test_interrupted_walk_is_continued_until_its_rows_are_too_old() -> None:
    clock = [0.0]
    walks = Walks(PollLimits(), lambda: clock[0])

    def step(number: int, then_s: float) -> int:
        """Read one row, then run out of time; returns the number of rows known before."""
        with walks.of([COLUMN]) as walking:
            known = len(walking.found[COLUMN])
            walking.heads()
            walking.take([((*COLUMN, number), number)])
            clock[0] += then_s
            walking.heads()
        return known

    for number in (1, 2, 3):
        with pytest.raises(WalkTimeLimitError, match=f"with {number} values"):
            step(number, 40)
    with walks.of([COLUMN]) as walking:
        assert walking.heads() == [(*COLUMN, 3)]
        walking.take([])
    assert walking.found[COLUMN] == {(1,): 1, (2,): 2, (3,): 3}
    with pytest.raises(WalkTimeLimitError):
        step(1, 400)
    assert step(1, 0) == 0


def test_walk_of_a_device_that_misbehaves_is_not_continued() -> None:
    walks = Walks(PollLimits(), lambda: 0.0)
    with pytest.raises(SnmpError, match="do not increase"), walks.of([COLUMN]) as walking:
        walking.take([((*COLUMN, 2), 2), ((*COLUMN, 1), 1)])
    with walks.of([COLUMN]) as walking:
        assert not walking.is_begun


def test_decreased_uptime_is_a_restart_unless_it_wrapped() -> None:
    ten_seconds = 10 * 10**9
    assert has_restarted(500_000, 100, ten_seconds)
    assert not has_restarted(500_000, 501_000, ten_seconds)
    assert not has_restarted(2**32 - 500, 500, ten_seconds)
    assert has_restarted(2**32 - 500, 500_000, ten_seconds)


def test_ports_with_narrow_counters_are_refused_unless_polled_often_enough() -> None:
    def port(name: str, speed: int, *, wide: bool) -> DevicePort:
        state = PortState(name=name, index=1, speed=speed, admin_up=True, oper_up=True)
        return DevicePort(state, has_64_bit=wide)

    ports = [
        port("wide", 10**10, wide=True),
        port("slow", 10**7, wide=False),
        port("fast", 10**9, wide=False),
        port("odd", 0, wide=False),
    ]
    plan = make_plan(ports, interval_s=30)
    assert [kept.state.name for kept in plan.ports] == ["wide", "slow"]
    assert plan.refused == [
        "fast: 32-bit counters at 1000000000 bit/s need a poll each 17 s",
        "odd: 32-bit counters and no known speed",
    ]


def router(wide: int, narrow: int, lacking: int) -> list[DevicePort]:
    """Ports with 64-bit counters, with 32-bit ones, and with no packet counters of multicast."""
    states = [
        PortState(name=f"p{n}", index=n, speed=10**8, admin_up=True, oper_up=True)
        for n in range(1, wide + narrow + lacking + 1)
    ]
    return [DevicePort(state, has_64_bit=not wide <= n < wide + narrow) for n, state in enumerate(states)]


def test_batch_growth_equals_growth_of_single_ports() -> None:
    """Random readings with every kind of fault, compared with the computation per port."""
    rest = random.Random(7)
    plan = make_plan(router(6, 4, 2), interval_s=10)
    seen: set[DeltaOutcome] = set()
    for _ in range(60):
        first, second = _two_readings(rest, plan.oids)
        old = counts(plan, Snapshot(first, 5 * SECOND, 0))
        new = counts(plan, Snapshot(second, 15 * SECOND, 3_000_000))
        table = growth(plan, old, new, restarted=False, missed=False)
        for row, port in enumerate(plan.ports):
            widths = ifmib.WIDTHS_64 if port.has_64_bit else ifmib.WIDTHS_32
            span = Span(elapsed_ns=10 * SECOND, speed=10**8, widths=widths, slack_ns=3_000_000)
            alone = port_growth(old.of_port(row), new.of_port(row), span)
            assert tuple(table.columns[column][row] for column in range(len(COLUMNS))) == alone.values
            assert table.outcomes[row] is alone.outcome
            seen.add(alone.outcome)
    assert seen >= {
        DeltaOutcome.OK,
        DeltaOutcome.WRAPPED,
        DeltaOutcome.RESET,
        DeltaOutcome.ABSURD,
        DeltaOutcome.MISSING,
    }


def _two_readings(rest: random.Random, oids: tuple[Oid, ...]) -> tuple[Readings, Readings]:
    first = np.array([rest.choice([0, 10**6, 2**32 - 500, 2**31]) for _ in oids], dtype=np.uint64)
    step = np.array([rest.randint(0, 1_000) for _ in oids], dtype=np.uint64)
    second = first + step
    narrow = np.array([oid[: len(ifmib.COUNTERS_32[0][0]) - 1] == ifmib.IF_DESCR[:-1] for oid in oids])
    second[narrow] %= np.uint64(2**32)
    present_1, present_2 = np.ones(len(oids), dtype=bool), np.ones(len(oids), dtype=bool)
    for _ in range(3):
        place = rest.randrange(len(oids))
        kind = rest.choice(["gone", "came", "back", "much"])
        if kind == "back":
            second[place] = np.uint64(3)
        elif kind == "much":
            second[place] = np.uint64(2**31 - 1)
        else:
            (present_2 if kind == "gone" else present_1)[place] = False
    first[~present_1], second[~present_2] = 0, 0
    return Readings(oids, first, present_1), Readings(oids, second, present_2)


def test_ports_without_earlier_reading_have_no_growth_after_a_restart() -> None:
    plan = make_plan(router(2, 0, 0), interval_s=10)
    readings = Readings.of(dict.fromkeys(plan.oids, 5))
    now = counts(plan, Snapshot(readings, 2 * SECOND, 0))
    table = growth(plan, replace(now, at_ns=SECOND), now, restarted=True, missed=False)
    assert table.outcomes == [DeltaOutcome.RESET] * 2
    assert table.columns == [[-1, -1]] * len(COLUMNS)
