"""Speeds that a host states for its ports and that its own counters contradict.

`snmp/speeds.py` does the same for the tables of an SNMP device. One growth above the stated speed is taken
for a damaged counter and rejected as absurd. Several in sequence prove the speed wrong: from then on it is
unknown, its samples are kept, and the port's state names it.
"""

from collections.abc import Iterable

from backstay_wire import DeltaOutcome, PortState

READINGS = 3
"""Consecutive growths above the stated speed that prove it wrong."""


class StatedSpeeds:
    """The ports of one host, by name; speeds in bit/s."""

    def __init__(self) -> None:
        self._contradicted: dict[str, int] = {}
        self._streaks: dict[str, int] = {}

    def usable(self, port: str, stated: int) -> int:
        """The speed that limits the port's growth; 0 if unknown or contradicted. Another speed is believed
        again."""
        if self._contradicted.get(port, stated) != stated:
            del self._contradicted[port]
        return 0 if port in self._contradicted else stated

    def learn(self, port: str, stated: int, outcome: DeltaOutcome) -> None:
        """Count a growth that was judged by the stated speed."""
        if not stated or outcome is not DeltaOutcome.ABSURD:
            self._streaks.pop(port, None)
            return
        self._streaks[port] = self._streaks.get(port, 0) + 1
        if self._streaks[port] >= READINGS:
            self._contradicted[port] = stated
            del self._streaks[port]

    def corrected(self, ports: Iterable[PortState]) -> list[PortState]:
        """The ports, those with a contradicted speed marked as such."""
        return [
            contradicted(port) if port.speed and not self.usable(port.name, port.speed) else port
            for port in ports
        ]


def contradicted(port: PortState) -> PortState:
    """The port whose stated speed is proved wrong."""
    return port.model_copy(update={"speed": 0, "contradicted_speed": port.speed})
