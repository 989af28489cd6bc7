"""Event queue: the virtual time of the fabric's core.

Events run in order at their due virtual time, however late the driving process wakes up. A busy machine
delays packets but does not distort rates.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field

Action = Callable[[int], None]
"""Receives its due time."""


@dataclass(order=True, slots=True)
class ScheduledAction:
    """One scheduled action."""

    due: int
    sequence: int
    action: Action | None = field(compare=False)

    def cancel(self) -> None:
        """Drop the action."""
        self.action = None


class Agenda:
    """A queue of events in nanoseconds; events with equal times run in insertion order."""

    def __init__(self) -> None:
        self._events: list[ScheduledAction] = []
        self._sequence = 0

    def at(self, due: int, action: Action) -> ScheduledAction:
        """Schedule `action` at `due`."""
        self._sequence += 1
        event = ScheduledAction(due, self._sequence, action)
        heapq.heappush(self._events, event)
        return event

    def due(self) -> int | None:
        """Time of the next event; None without one."""
        while self._events and self._events[0].action is None:
            heapq.heappop(self._events)
        return self._events[0].due if self._events else None

    def run(self, now: int) -> None:
        """Run all events due until `now`, including those added meanwhile."""
        while (due := self.due()) is not None and due <= now:
            action = heapq.heappop(self._events).action
            if action is not None:
                action(due)
