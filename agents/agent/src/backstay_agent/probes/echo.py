"""The echo prober: many targets, one timer, one socket per family.

All deadlines are multiples of their interval from one origin, so a 1 s target is served in the same wake-up
as a 50 ms target. A late tick skips deadlines instead of sending a burst.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Protocol

from backstay_agent.host.clock import Clock
from backstay_agent.host.icmp import EchoSocket, Reply
from backstay_agent.logs import event

_log = logging.getLogger(__name__)
_IDLE_NS = 1_000_000_000
"""Interval of ticks without a target: watchers need the time all the same."""
_EARLY_NS = 2_000_000
"""A deadline this near is served now: saves a wake-up for a rounding difference."""


class Echoes(Protocol):
    """The host's echo socket of one family (host/icmp.py); tests inject their own network here."""

    def send(self, address: str, slot: int, number: int, wall_ns: int) -> bool:
        """Send a request."""

    def replies(self) -> list[Reply]:
        """All waiting replies."""

    def close(self) -> None:
        """Close the socket."""


class RequestSender(Protocol):
    """Another method of sending a target's requests, such as via a gateway (probes/via_gateway.py)."""

    def send(self, address: str, slot: int, number: int, wall_ns: int) -> bool:
        """Send a request."""


class Replies(Protocol):
    """Source of its replies."""

    def replies(self) -> list[Reply]:
        """All waiting replies."""

    def close(self) -> None:
        """Close the socket."""


class Listener(Protocol):
    """Receives the events of one target's probes."""

    def sent(self, number: int, now_ns: int) -> None:
        """A probe was sent, or the kernel could not send it, which counts as lost."""

    def answered(self, number: int, rtt_us: int) -> None:
        """A probe was answered."""


@dataclass(slots=True)
class _Target:
    slot: int
    address: str
    sender: RequestSender
    interval_ns: int
    listener: Listener
    due_ns: int
    number: int = 0


class EchoProber:
    """Sends to every target at its interval and passes answers to the target's listener."""

    def __init__(self, clock: Clock, open_socket: Callable[[int], Echoes] = EchoSocket) -> None:
        self._clock = clock
        self._open_socket = open_socket
        self._sockets: dict[int, Echoes] = {}
        self._sources: list[Replies] = []
        self._targets: dict[int, _Target] = {}
        self._steps: list[Callable[[int], None]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._next_slot = 1

    def add(
        self,
        address: IPv4Address | IPv6Address,
        interval_ms: int,
        listener: Listener,
        sender: RequestSender | None = None,
    ) -> int:
        """Probe `address` every `interval_ms`, by `sender` or by the routes.

        Returns a handle for `remove`. Raises PermissionError.
        """
        by = sender or self._socket(address.version)
        slot, self._next_slot = self._next_slot, self._next_slot + 1
        interval = interval_ms * 1_000_000
        now = self._clock.monotonic_ns()
        due = now + interval - now % interval
        self._targets[slot] = _Target(slot, str(address), by, interval, listener, due)
        self._arm()
        return slot

    def read_from(self, source: Replies) -> None:
        """Read a sender's replies from this source; closed with the prober."""
        self._sources.append(source)

    def _socket(self, version: int) -> Echoes:
        if version not in self._sockets:
            self._sockets[version] = self._open_socket(version)
            self._sources.append(self._sockets[version])
        return self._sockets[version]

    def remove(self, slot: int) -> None:
        """Stop probing a target."""
        self._targets.pop(slot, None)

    def hasten(self, slot: int) -> None:
        """Send a target one extra probe now."""
        self._send(self._targets[slot], self._clock.monotonic_ns())

    def on_step(self, step: Callable[[int], None]) -> None:
        """Call `step(now)` at the end of every tick."""
        self._steps = [*self._steps, step]
        self._arm()

    def off_step(self, step: Callable[[int], None]) -> None:
        """Undo `on_step`. (A new list: a step may remove itself.)"""
        self._steps = [other for other in self._steps if other != step]

    def close(self) -> None:
        """Stop, and close the sockets."""
        if self._timer is not None:
            self._timer.cancel()
        for source in self._sources:
            source.close()
        self._sources.clear()
        self._sockets.clear()
        self._targets.clear()
        self._steps = []

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._targets or self._steps:
            idle = self._clock.monotonic_ns() + _IDLE_NS
            due = min([target.due_ns for target in self._targets.values()], default=idle)
            # asyncio's clock is CLOCK_MONOTONIC too, but a test's clock is not: use the difference.
            loop = asyncio.get_running_loop()
            delay = max(0, due - self._clock.monotonic_ns()) / 1e9
            self._timer = loop.call_later(delay, self._wake)

    def _wake(self) -> None:
        self._timer = None
        try:
            self.tick()
        except Exception:
            # One failing step must not stop all probing for ever.
            _log.exception("probe tick failed")
        self._arm()

    def tick(self) -> None:
        """Process arrived replies, send due probes, call the watchers.

        They use the time from before the replies were read: if this process was delayed in between, replies
        may have come that it has not read.
        """
        looked = self._clock.monotonic_ns()
        for source in self._sources:
            for reply in source.replies():
                target = self._targets.get(reply.slot)
                if target is not None:
                    target.listener.answered(reply.number, reply.rtt_us)
        now = self._clock.monotonic_ns()
        for target in self._targets.values():
            if target.due_ns <= now + _EARLY_NS:
                overdue = max(0, now - target.due_ns) // target.interval_ns
                target.due_ns += (overdue + 1) * target.interval_ns
                self._send(target, now)
        for step in self._steps:
            step(looked)

    def _send(self, target: _Target, now: int) -> None:
        target.number += 1
        target.listener.sent(target.number, now)
        wall = self._clock.wall_ns()
        if not target.sender.send(target.address, target.slot, target.number, wall):
            event(_log, logging.DEBUG, "probe not sent", address=target.address)
