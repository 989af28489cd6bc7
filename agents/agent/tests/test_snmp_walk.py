"""Walks of broken and hostile devices end, with a reason. The engine is replaced below `SnmpSession.walk`."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from backstay_agent.collectors.snmp.counters import has_restarted, make_plan
from backstay_agent.host.snmp import Oid, SnmpError, SnmpSession
from backstay_agent.parsers.ifmib import DevicePort
from backstay_wire import PortState, SnmpSource, SnmpV2c

pytestmark = pytest.mark.anyio
COLUMN: Oid = (1, 3, 6, 1, 2, 1, 2, 2, 1, 2)
Answer = Callable[[Sequence[Oid]], list[tuple[Oid, Any]] | None]


class Scripted(SnmpSession):
    """A session whose device answers as a function says."""

    def __init__(self, answer: Answer) -> None:
        source = SnmpSource(device="d", interval_s=1, address="127.0.0.1", access=SnmpV2c(community="c"))
        super().__init__(source)
        self._answer = answer
        self.requests = 0

    async def _request(
        self, command: Any, arguments: tuple[int, ...], oids: Sequence[Oid]
    ) -> list[tuple[Oid, Any]] | None:
        self.requests += 1
        return self._answer(oids)


def following(oids: Sequence[Oid], last: int) -> list[tuple[Oid, Any]]:
    """Ten rows after each OID, up to index `last` of the column, then what lies behind the table."""
    rows: list[tuple[Oid, Any]] = []
    for step in range(1, 11):
        for oid in oids:
            index = (oid[len(COLUMN)] if len(oid) > len(COLUMN) else 0) + step
            rows.append(((*COLUMN, index), index) if index <= last else ((*COLUMN[:-1], 3, index), index))
    return rows


async def test_a_walk_takes_the_column_and_stops_behind_it() -> None:
    session = Scripted(lambda oids: following(oids, 25))
    found = await session.walk([COLUMN])
    assert found == {COLUMN: {(index,): index for index in range(1, 26)}}
    assert session.requests == 3


async def test_oids_that_do_not_increase_end_the_walk() -> None:
    session = Scripted(lambda oids: [((*COLUMN, 7), 1), ((*COLUMN, 7), 1)])
    with pytest.raises(SnmpError, match="do not increase"):
        await session.walk([COLUMN])


async def test_oids_that_go_in_a_circle_end_the_walk() -> None:
    turn = iter(range(10**6))
    session = Scripted(lambda oids: [((*COLUMN, 1 + next(turn) % 5), 1)])
    with pytest.raises(SnmpError, match="do not increase"):
        await session.walk([COLUMN])


async def test_an_endless_table_ends_the_walk() -> None:
    session = Scripted(lambda oids: following(oids, 10**9))
    with pytest.raises(SnmpError, match="100000 variables"):
        await session.walk([COLUMN])


async def test_an_empty_answer_ends_the_walk() -> None:
    assert await Scripted(lambda oids: []).walk([COLUMN]) == {COLUMN: {}}


async def test_an_answer_too_big_is_asked_for_in_smaller_parts() -> None:
    wanted = [(*COLUMN, index) for index in range(100)]
    session = Scripted(lambda oids: None if len(oids) > 7 else [(oid, 5) for oid in oids])
    assert await session.get(wanted) == dict.fromkeys(wanted, 5)


def test_an_uptime_that_goes_back_is_a_restart_unless_it_passed_its_width() -> None:
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
