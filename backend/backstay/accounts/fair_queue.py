"""A queue of threads in which nobody who tries often crowds out somebody who tries for the first time."""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


class Crowded(Exception):  # noqa: N818  (an event, not a fault)
    """No slot: others with fewer attempts fill the queue, or the wait was too long."""


@dataclass(eq=False, slots=True)
class _Place:
    """One waiting thread; `order`: its attempts, then its arrival."""

    key: str
    order: tuple[int, int]
    is_given_up: bool = False


class FairQueue:
    """Of each key, `at_once` threads have their slot; those with the fewest attempts follow, oldest first.

    At most `most_per_key` threads wait for a key and `most_waiting` in all, each `wait_s` seconds. When there
    are more, the last one in this order is given up; it may be the newcomer.
    """

    def __init__(self, *, at_once: int, most_per_key: int, most_waiting: int, wait_s: float) -> None:
        self._at_once, self._wait_s = at_once, wait_s
        self._most_per_key, self._most_waiting = most_per_key, most_waiting
        self._changed = threading.Condition()
        self._arrivals = itertools.count()
        self._waiting: list[_Place] = []
        self._active: Counter[str] = Counter()

    @contextmanager
    def slot(self, key: str, attempts: int) -> Iterator[None]:
        """Hold a slot of the key. Raises Crowded."""
        self._begin(_Place(key, (attempts, next(self._arrivals))))
        try:
            yield
        finally:
            with self._changed:
                self._active[key] -= 1
                if not self._active[key]:
                    del self._active[key]
                self._changed.notify_all()

    def _begin(self, place: _Place) -> None:
        with self._changed:
            self._waiting.append(place)
            self._make_room(place.key)
            self._changed.wait_for(lambda: place.is_given_up or self._is_next(place), self._wait_s)
            if place.is_given_up:
                raise Crowded
            is_next = self._is_next(place)
            self._waiting.remove(place)
            if not is_next:
                raise Crowded
            self._active[place.key] += 1
            self._changed.notify_all()

    def _is_next(self, place: _Place) -> bool:
        return self._active[place.key] < self._at_once and place is min(self._of(place.key), key=_order)

    def _make_room(self, key: str) -> None:
        own = self._of(key)
        if len(own) > self._most_per_key:
            self._give_up(max(own, key=_order))
        elif len(self._waiting) > self._most_waiting:
            self._give_up(max(self._waiting, key=_order))

    def _give_up(self, place: _Place) -> None:
        place.is_given_up = True
        self._waiting.remove(place)
        self._changed.notify_all()

    def _of(self, key: str) -> list[_Place]:
        return [place for place in self._waiting if place.key == key]


def _order(place: _Place) -> tuple[int, int]:
    return place.order
