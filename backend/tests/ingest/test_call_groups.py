"""Calls that are handled together: their waiting time, order, limits and failures."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest

from backstay.api.edge.call_groups import CallGroups
from backstay.core.errors import Unavailable


class Handler:
    """Doubles numbers; holds each group until it is let go."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self.begun, self.go = threading.Event(), threading.Event()
        self.go.set()

    def __call__(self, items: Sequence[int]) -> list[int]:
        self.groups.append(list(items))
        self.begun.set()
        self.go.wait(10)
        if 13 in items:
            raise ValueError("13")
        return [2 * item for item in items]


def gatherer(
    handler: Handler, *, wait_s: float = 0.05, most: int = 100, most_waiting: int = 100, patience_s: float = 5
) -> CallGroups[int, int]:
    return CallGroups(
        "test", handler, wait_s=wait_s, most=most, most_waiting=most_waiting, patience_s=patience_s
    )


def test_calls_of_a_short_time_share_a_group_and_each_gets_its_own_result() -> None:
    handler = Handler()

    async def run() -> list[int]:
        gather = gatherer(handler)
        return await asyncio.gather(*(gather.result(number) for number in range(5)))

    assert asyncio.run(run()) == [0, 2, 4, 6, 8]
    assert handler.groups == [[0, 1, 2, 3, 4]]


def test_what_arrives_while_a_group_is_handled_is_the_next_group() -> None:
    handler = Handler()

    async def run() -> list[int]:
        gather = gatherer(handler, wait_s=0, most=3)
        handler.go.clear()
        first = asyncio.ensure_future(gather.result(1))
        assert await asyncio.to_thread(handler.begun.wait, 10)
        assert gather.busy_s > 0
        rest = [asyncio.ensure_future(gather.result(number)) for number in (2, 3, 4, 5)]
        await asyncio.sleep(0.02)
        assert len(handler.groups) == 1
        handler.go.set()
        results = await asyncio.gather(first, *rest)
        assert gather.busy_s == 0
        return results

    assert asyncio.run(run()) == [2, 4, 6, 8, 10]
    assert handler.groups == [[1], [2, 3, 4], [5]]


def test_failure_reaches_its_group_only() -> None:
    handler = Handler()

    async def run() -> int:
        gather = gatherer(handler)
        found = await asyncio.gather(gather.result(13), gather.result(1), return_exceptions=True)
        assert [type(one) for one in found] == [ValueError, ValueError]
        return await gather.result(2)

    assert asyncio.run(run()) == 4


def test_call_that_waits_too_long_is_refused_and_later_calls_are_served() -> None:
    handler = Handler()

    async def run() -> int:
        gather = gatherer(handler, wait_s=0, patience_s=0.2)
        handler.go.clear()
        with pytest.raises(Unavailable) as refused:
            await gather.result(1)
        assert refused.value.retry_after_s
        handler.go.set()
        return await gather.result(2)

    assert asyncio.run(run()) == 4


def test_full_queue_refuses_at_once() -> None:
    handler = Handler()

    async def run() -> list[int]:
        gather = gatherer(handler, most_waiting=2)
        waiting = [asyncio.ensure_future(gather.result(number)) for number in (1, 2)]
        await asyncio.sleep(0)
        with pytest.raises(Unavailable):
            await gather.result(3)
        return await asyncio.gather(*waiting)

    assert asyncio.run(run()) == [2, 4]


def test_call_that_is_given_up_before_its_group_begins_is_not_handled() -> None:
    handler = Handler()

    async def run() -> int:
        gather = gatherer(handler)
        first = asyncio.ensure_future(gather.result(1))
        await asyncio.sleep(0)
        first.cancel()
        return await gather.result(2)

    assert asyncio.run(run()) == 4
    assert handler.groups == [[2]]
