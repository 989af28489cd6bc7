"""Who has the next slot when many threads wait."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from backstay.accounts.fair_queue import Crowded, FairQueue


class Crowd:
    """Threads that want a slot; `done` has their names in the order of their slots."""

    def __init__(self, pool: ThreadPoolExecutor, queue: FairQueue) -> None:
        self._pool, self._queue = pool, queue
        self.done: list[str] = []

    def enter(self, name: str, attempts: int, key: str = "sam") -> Future[None]:
        """Wait until the thread is in the queue, has its slot or was given up."""
        before = self._waiting(key, attempts)
        future = self._pool.submit(self._slot, name, key, attempts)
        until(lambda: self._waiting(key, attempts) > before or future.done())
        return future

    def _waiting(self, key: str, attempts: int) -> int:
        return sum((place.key, place.order[0]) == (key, attempts) for place in self._queue._waiting)

    def _slot(self, name: str, key: str, attempts: int) -> None:
        with self._queue.slot(key, attempts):
            self.done.append(name)


def until(is_so: Callable[[], Any]) -> None:
    deadline = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.fixture
def pool() -> Any:
    with ThreadPoolExecutor(16) as pool:
        yield pool


def queue(*, most_per_key: int = 2, most_waiting: int = 3, wait_s: float = 30) -> FairQueue:
    return FairQueue(at_once=1, most_per_key=most_per_key, most_waiting=most_waiting, wait_s=wait_s)


def test_fewest_attempts_first_then_in_order_of_arrival(pool: ThreadPoolExecutor) -> None:
    fair = queue(most_per_key=4, most_waiting=4)
    crowd = Crowd(pool, fair)
    with fair.slot("sam", 1):
        futures = [crowd.enter(name, count) for name, count in (("b2", 2), ("a9", 9), ("c2", 2), ("d1", 1))]
    for future in futures:
        future.result(30)
    assert crowd.done == ["d1", "b2", "c2", "a9"]


def test_a_full_queue_gives_up_the_most_attempts_even_of_the_newcomer(pool: ThreadPoolExecutor) -> None:
    fair = queue()
    crowd = Crowd(pool, fair)
    with fair.slot("sam", 1):
        worst, kept = crowd.enter("worst", 8), crowd.enter("kept", 7)
        with pytest.raises(Crowded):
            crowd.enter("newcomer", 9).result(30)
        new = crowd.enter("first try", 1)
        with pytest.raises(Crowded):
            worst.result(30)
    kept.result(30)
    new.result(30)
    assert crowd.done == ["first try", "kept"]


def test_other_keys_neither_wait_nor_lose_their_places(pool: ThreadPoolExecutor) -> None:
    fair = queue()
    crowd = Crowd(pool, fair)
    with fair.slot("sam", 1), fair.slot("ann", 1):
        sam = [crowd.enter(f"sam {number}", 5) for number in (1, 2)]
        ann = crowd.enter("ann", 4, "ann")
        with pytest.raises(Crowded):
            crowd.enter("ann again", 6, "ann").result(30)
    for future in (*sam, ann):
        future.result(30)
    assert sorted(crowd.done) == ["ann", "sam 1", "sam 2"]


def test_nobody_waits_longer_than_allowed() -> None:
    fair = queue(wait_s=0.05)
    with fair.slot("sam", 1), pytest.raises(Crowded), fair.slot("sam", 1):
        pass
    with fair.slot("sam", 1):
        pass


def test_as_many_turns_at_once_as_allowed(pool: ThreadPoolExecutor) -> None:
    fair = FairQueue(at_once=2, most_per_key=9, most_waiting=9, wait_s=30)
    lock, active, most = threading.Lock(), 0, 0

    def work() -> None:
        nonlocal active, most
        with fair.slot("", 1):
            with lock:
                active += 1
                most = max(most, active)
            time.sleep(0.01)
            with lock:
                active -= 1

    for future in [pool.submit(work) for _ in range(9)]:
        future.result(30)
    assert most == 2
