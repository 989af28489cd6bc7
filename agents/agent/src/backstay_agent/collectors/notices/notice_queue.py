"""One device's notices between arrival and sending: fifty at once, then five per second.

Above that rate the newest notice of each kind and subject waits, so a storm of one alarm hides no other.
Notices leave in the order of their arrival: what a device raised and cleared ends cleared.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from backstay_agent.collectors.notices.counts import Counts
from backstay_agent.host.snmp.values import Oid
from backstay_wire import Notice

BURST, PER_SECOND = 50.0, 5.0
MAX_WAITING = 256
"""Kinds and subjects that wait at most; beyond it the oldest is lost, and counted."""


@dataclass(slots=True)
class Bucket:
    """Tokens: `burst` at once, `per_second` sustained."""

    burst: float
    per_second: float
    at_ns: int
    tokens: float = field(init=False)

    def __post_init__(self) -> None:
        self.tokens = self.burst

    def take(self, now_ns: int, cost: float = 1.0) -> bool:
        """Whether `cost` tokens were left at monotonic time `now_ns`."""
        self.tokens = min(self.burst, self.tokens + (now_ns - self.at_ns) * self.per_second / 1e9)
        self.at_ns = now_ns
        if self.tokens < cost:
            return False
        self.tokens -= cost
        return True


@dataclass(frozen=True, slots=True)
class Arrival:
    """A notice whose text is rendered only if it is sent."""

    key: tuple[Oid | str, str]
    """Kind and subject: a trap's object identifier or a line's name, and the part that it is about."""
    render: Callable[[], Notice]
    counts: Counts
    """Of the port that received it."""


class NoticeQueue:
    """The notices of one device that are not sent yet."""

    def __init__(self, now_ns: int) -> None:
        self._rate = Bucket(BURST, PER_SECOND, now_ns)
        self._ready: list[Notice] = []
        self._waiting: dict[tuple[Oid | str, str], Arrival] = {}
        self._left_out = 0

    @property
    def is_limited(self) -> bool:
        """Whether the device exceeded its rate and has not recovered."""
        return bool(self._waiting)

    @property
    def is_empty(self) -> bool:
        """Nothing is to be sent."""
        return not self._ready and not self._waiting

    def put(self, arrival: Arrival, now_ns: int) -> None:
        """Add a notice that arrived at monotonic time `now_ns`."""
        if not self._waiting and self._rate.take(now_ns):
            self._ready.append(arrival.render())
            return
        if (replaced := self._waiting.pop(arrival.key, None)) is not None:
            replaced.counts.suppressed += 1
            self._left_out += 1
        elif len(self._waiting) >= MAX_WAITING:
            self.lose(self._waiting.pop(next(iter(self._waiting))).counts)
        self._waiting[arrival.key] = arrival

    def lose(self, counts: Counts) -> None:
        """Count a notice that is not sent, and that none replaces."""
        counts.overflows += 1
        self._left_out += 1

    def take(self, now_ns: int | None) -> tuple[list[Notice], int]:
        """The notices to send now, oldest first, and how many were left out since the last ones.

        Without a time, all of them.
        """
        notices, self._ready = self._ready, []
        while self._waiting and (now_ns is None or self._rate.take(now_ns)):
            notices.append(self._waiting.pop(next(iter(self._waiting))).render())
        if not notices:
            return [], 0
        left_out, self._left_out = self._left_out, 0
        return notices, left_out
