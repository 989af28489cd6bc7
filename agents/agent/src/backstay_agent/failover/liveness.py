"""Liveness of a gateway from its echo replies and the kernel's neighbour entry.

An echo reply is proof. A gateway that never replies to echoes may filter them, so in that case the neighbour
table decides: reachable means that it has just confirmed an ARP request or a neighbour solicitation.
"""

_MISSES = 3


class GatewayHealth:
    """One gateway of a watched path."""

    def __init__(self) -> None:
        self.rtt_us: int | None = None
        self._misses = 0
        """Probes without an answer since the last answered one, including the one in flight."""
        self._ever_answered = False
        self._neighbour = ""

    def sent(self) -> None:
        """An echo request was sent."""
        self._misses += 1

    def answered(self, rtt_us: int) -> None:
        """An echo reply arrived."""
        self._misses = 0
        self._ever_answered = True
        self.rtt_us = rtt_us

    def neighbour(self, state: str) -> None:
        """The neighbour entry's state, "" if there is none."""
        self._neighbour = state

    def alive(self) -> bool | None:
        """None while nothing is known. A probe in flight does not count as lost."""
        if self._ever_answered and self._misses <= 1:
            return True
        if self._neighbour == "failed":
            return False
        if self._misses > _MISSES:
            return not self._ever_answered and self._neighbour == "reachable"
        if self._ever_answered:
            return True
        return True if self._neighbour == "reachable" else None
