"""What will happen when: the virtual time of the fabric's core.

Events run at the time they are due, in order, however late the process that drives them wakes up. So a busy
machine makes a packet late, but never makes a rate wrong.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field

Action = Callable[[int], None]
"""Told the time at which it was due."""


@dataclass(order=True, slots=True)
class Event:
    """One appointment; `cancel` takes it back."""

    due: int
    sequence: int
    action: Action | None = field(compare=False)

    def cancel(self) -> None:
        """Let nothing happen."""
        self.action = None


class Agenda:
    """A queue of events in nanoseconds; of two due at once, the one made first runs first."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._sequence = 0

    def at(self, due: int, action: Action) -> Event:
        """Have `action` run at `due`."""
        self._sequence += 1
        event = Event(due, self._sequence, action)
        heapq.heappush(self._events, event)
        return event

    def due(self) -> int | None:
        """When the next event is due; None when there is none."""
        while self._events and self._events[0].action is None:
            heapq.heappop(self._events)
        return self._events[0].due if self._events else None

    def run(self, now: int) -> None:
        """Run everything that is due until `now`, also what that brings about meanwhile."""
        while (due := self.due()) is not None and due <= now:
            action = heapq.heappop(self._events).action
            if action is not None:
                action(due)
