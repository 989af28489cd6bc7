"""The last probes of one target, and the runs of lost ones among them. Times are monotonic nanoseconds."""

from collections import deque
from dataclasses import dataclass

_KEPT = 1200
"""One minute of probes at 50 ms; a longer outage keeps its start time and its count."""


@dataclass(slots=True)
class Probe:
    """One probe: its sequence number, when it was sent, whether it was answered."""

    number: int
    sent_ns: int
    answered: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive probes without an answer."""

    first_sent_ns: int
    lost: int


class ProbeHistory:
    """Probes in the order of sending; numbers increase by one."""

    def __init__(self) -> None:
        self._probes: deque[Probe] = deque()
        self._older: Run | None = None
        """The run of lost probes that started before the kept ones, if the oldest kept one continues it."""

    def sent(self, number: int, at_ns: int) -> None:
        """A probe was sent."""
        self._probes.append(Probe(number, at_ns))
        if len(self._probes) > _KEPT:
            self._forget(self._probes.popleft())

    def answered(self, number: int) -> Probe | None:
        """An answer arrived; returns its probe, or None if it is no longer kept or was answered before."""
        if not self._probes:
            return None
        index = number - self._probes[0].number
        if not 0 <= index < len(self._probes) or self._probes[index].answered:
            return None
        self._probes[index].answered = True
        return self._probes[index]

    def get(self, number: int) -> Probe | None:
        """A probe that is still kept."""
        index = number - self._probes[0].number if self._probes else -1
        return self._probes[index] if 0 <= index < len(self._probes) else None

    def run_before(self, number: int) -> Run | None:
        """The lost probes right before probe `number`; None if the previous one was answered."""
        if not self._probes:
            return None
        return self._run_ending(number - self._probes[0].number - 1)

    def trailing_run(self) -> Run | None:
        """The unanswered probes since the last answered one, including the one just sent."""
        return self._run_ending(len(self._probes) - 1)

    def _run_ending(self, index: int) -> Run | None:
        run: Run | None = None
        while 0 <= index < len(self._probes):
            probe = self._probes[index]
            if probe.answered:
                return run
            run = Run(probe.sent_ns, (run.lost if run else 0) + 1)
            index -= 1
        if self._older is None:
            return run
        return Run(self._older.first_sent_ns, self._older.lost + (run.lost if run else 0))

    def _forget(self, probe: Probe) -> None:
        if probe.answered:
            self._older = None
        elif self._older is None:
            self._older = Run(probe.sent_ns, 1)
        else:
            self._older = Run(self._older.first_sent_ns, self._older.lost + 1)
