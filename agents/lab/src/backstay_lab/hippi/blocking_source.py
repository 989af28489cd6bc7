"""The blocking source: keeps a destination busy, as the paper's Sun did with the C90.

It opens a connection, holds it for an exponentially distributed time whose mean is the blocking factor,
closes it, pauses, and requests the next. `duty` is the share of time that it holds an otherwise idle port:
at 1 it requests again at once, and only the switch's arbitration lets others in.
"""

from __future__ import annotations

import random

from backstay_lab.hippi.event_queue import Agenda
from backstay_lab.hippi.ifield import IField
from backstay_lab.hippi.packet import Packet
from backstay_lab.hippi.sender import PacketSender

RETRY_NS = 1_000_000
"""Pause after a refused request."""


class Blocker:
    """Blocks one destination through a host's own attachment."""

    def __init__(self, agenda: Agenda, sender: PacketSender, target: IField, seed: int) -> None:
        self.factor_ns = 0
        """Mean time that a connection is held; 0: off."""
        self.duty = 1.0
        self.transfers = 0
        self._agenda, self._sender, self._target = agenda, sender, target
        self._random = random.Random(seed)  # noqa: S311 - repeatable, no secret
        self._busy = False
        self._hold_ns = 0

    def block(self, factor_ns: int, duty: float, now: int) -> None:
        """Start, change or (with 0) stop; an open connection is held to its end.

        ValueError when `factor_ns` is negative or `duty` is not above 0 and at most 1.
        """
        if factor_ns < 0 or not 0 < duty <= 1:
            raise ValueError("the blocking factor must be at least 0, the duty above 0 and at most 1")
        self.factor_ns, self.duty = factor_ns, duty
        if factor_ns and not self._busy:
            self._begin(now)

    def _begin(self, now: int) -> None:
        if not self.factor_ns:
            self._busy = False
            return
        self._busy = True
        self._hold_ns = max(1, self._draw(self.factor_ns))
        self._sender.offer(Packet(b"", self._target, self._hold_ns, lambda due: self._ended(due, now)), now)

    def _ended(self, now: int, began: int) -> None:
        rest = self._draw(self.factor_ns * (1 - self.duty) / self.duty)
        if now - began < self._hold_ns:
            rest = max(rest, RETRY_NS)
        else:
            self.transfers += 1
        self._agenda.at(now + rest, self._begin)

    def _draw(self, mean_ns: float) -> int:
        return round(self._random.expovariate(1 / mean_ns)) if mean_ns else 0
