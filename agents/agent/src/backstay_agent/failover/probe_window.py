"""Liveness of one end of a probe stream, from consecutive lost and answered probes, not from time.

A probe is lost when it times out: after half an interval, or later if the measured round trip is longer
(smoothed as in RFC 6298). Only probes that were actually sent count, and all waiting replies are processed
before the state is evaluated, so that a process that got no CPU time sees a late tick, not a dead gateway.
With 50 ms and 3 in a row a failure is detected 125 to 175 ms after it begins. Times are monotonic
nanoseconds.
"""

from collections import deque
from dataclasses import dataclass

from backstay_wire import Timers

_KEPT = 128
"""More than the maximum of `fail_after`."""
_LEAST_PATIENCE_NS = 5_000_000
_MOST_PATIENCE_NS = 3_000_000_000
_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class ProbeState:
    """The state of one probe stream."""

    alive: bool | None
    """None: not known yet."""
    since_ns: int
    """When `alive` last changed."""
    last_answered_ns: int | None
    """When the last answered probe was sent."""
    lost: int
    """Probes without an answer since then, including those in flight."""
    silent_ns: int | None
    """When the first of these was sent."""
    losing: bool
    """Enough consecutive probes are lost right now to make it dead."""
    rtt_us: int | None


class ProbeWindow:
    """One probe stream, evaluated with one policy's timers."""

    def __init__(self, timers: Timers, now_ns: int) -> None:
        self._timers = timers
        self._waiting: deque[tuple[int, int]] = deque(maxlen=_KEPT)
        """(number, send time) of the last probes without an answer since the last answered one."""
        self._lost = 0
        self._silent_ns: int | None = None
        self._answered_in_row = 0
        self._last_answered_ns: int | None = None
        self._alive: bool | None = None
        self._since_ns = now_ns
        self._rtt_us: int | None = None
        self._smooth_us = 0.0
        self._spread_us = 0.0

    def sent(self, number: int, now_ns: int) -> None:
        """Probe `number` was sent, or could not be sent, which counts as lost; numbers increase by one."""
        if not self._lost:
            self._silent_ns = now_ns
        self._lost += 1
        self._waiting.append((number, now_ns))

    def answered(self, number: int, rtt_us: int) -> None:
        """Probe `number` was answered; an answer to one before the last answered one is ignored."""
        if not self._waiting or not 0 <= number - self._waiting[0][0] < len(self._waiting):
            return
        gap = number > self._waiting[0][0] or self._lost > len(self._waiting)
        self._answered_in_row = 1 if gap else self._answered_in_row + 1
        while self._waiting and self._waiting[0][0] <= number:
            _, self._last_answered_ns = self._waiting.popleft()
        self._lost = len(self._waiting)
        self._silent_ns = self._waiting[0][1] if self._waiting else None
        self._smooth(rtt_us)

    @property
    def calm(self) -> bool:
        """Alive, with at most one probe in flight: the passage of time cannot change the state."""
        return self._alive is True and self._lost <= 1 < self._timers.fail_after

    def step(self, now_ns: int) -> ProbeState:
        """Evaluate the state, after all arrived replies were processed."""
        losing = self._losing(now_ns)
        if losing:
            self._answered_in_row = 0
        enough = 1 if self._alive is None else self._timers.recover_after
        if losing and self._alive is not False:
            self._alive, self._since_ns = False, now_ns
        elif not self._alive and self._answered_in_row >= enough:
            self._alive, self._since_ns = True, now_ns
        return ProbeState(
            alive=self._alive,
            since_ns=self._since_ns,
            last_answered_ns=self._last_answered_ns,
            lost=self._lost,
            silent_ns=self._silent_ns,
            losing=losing,
            rtt_us=self._rtt_us,
        )

    def due_ns(self) -> int | None:
        """When the state changes unless an answer comes first; None: no change is near."""
        if self._alive is False or self._lost < self._timers.fail_after:
            return None
        return self._waiting[-1][1] + self._patience_ns()

    def _losing(self, now_ns: int) -> bool:
        needed = self._timers.fail_after
        if self._lost < needed:
            return False
        latest = now_ns - self._patience_ns()
        # Probes were sent in order: if this one timed out, so did the earlier ones.
        return self._waiting[needed - 1][1] <= latest

    def _patience_ns(self) -> int:
        usual = self._timers.interval_ms * _MS // 2
        seen = round((self._smooth_us + 4 * self._spread_us) * 1000)
        return min(max(usual, seen, _LEAST_PATIENCE_NS), _MOST_PATIENCE_NS)

    def _smooth(self, rtt_us: int) -> None:
        if self._rtt_us is None:
            self._smooth_us, self._spread_us = float(rtt_us), rtt_us / 2
        else:
            self._spread_us += (abs(rtt_us - self._smooth_us) - self._spread_us) / 4
            self._smooth_us += (rtt_us - self._smooth_us) / 8
        self._rtt_us = rtt_us
