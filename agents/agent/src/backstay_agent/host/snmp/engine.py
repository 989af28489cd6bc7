"""This receiver as an SNMP engine: the authority on the time of the informs that it gets (RFC 3414)."""

import hashlib
from dataclasses import dataclass

from backstay_agent.host.clock import Clock

_FORMAT = bytes.fromhex("8000000005")
"""An engine's identity by octets of our choice (RFC 3411, SnmpEngineID); the number 0 is no maker's."""
_EPOCH_S = 1_577_836_800
"""The beginning of 2020."""


@dataclass(frozen=True, slots=True)
class Engine:
    """One receiver."""

    identity: bytes
    boots: int
    """Greater at each start. It counts seconds till the start, so that nothing has to be kept on the disk."""
    started_ns: int
    clock: Clock

    @property
    def time(self) -> int:
        """Seconds since its start."""
        return (self.clock.monotonic_ns() - self.started_ns) // 1_000_000_000


def started(device: str, clock: Clock) -> Engine:
    """The engine of the node `device` at its start.

    Its identity is the same after each start and after the agent is installed anew: many senders of informs
    must be told it by hand.
    """
    octets = hashlib.sha256(f"backstay notices {device}".encode()).digest()[:12]
    boots = max(1, clock.wall_ns() // 1_000_000_000 - _EPOCH_S)
    return Engine(_FORMAT + octets, boots, clock.monotonic_ns(), clock)
