"""Speeds that a device states for its ports and that its own counters contradict.

A port cannot carry more than its speed, so one reading above it is taken for a damaged counter. A device that
states a wrong speed exceeds it again and again: then the speed is wrong, not the counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from backstay_agent.collectors.deltas import OCTETS
from backstay_agent.collectors.snmp.counters import CounterTable, Plan
from backstay_agent.collectors.speed_check import READINGS, contradicted
from backstay_agent.parsers.ifmib import DevicePort

_MARGIN = 1.01
"""As for an absurd growth: clocks may differ slightly."""


@dataclass(frozen=True, slots=True)
class WrongSpeed:
    """Both in bit/s."""

    stated: int
    measured: int

    def describe(self, port: str) -> str:
        """A sentence."""
        return (
            f"{port}: the device states {self.stated / 1e6:g} Mbit/s, but the port carried "
            f"{self.measured / 1e6:.4g} Mbit/s. Its speed is treated as unknown."
        )


class SpeedCheck:
    """The ports of one device, by name."""

    def __init__(self) -> None:
        self.wrong: dict[str, WrongSpeed] = {}
        self._streaks: dict[str, int] = {}

    def learn(self, plan: Plan, old: CounterTable, new: CounterTable) -> bool:
        """Compare one interval's octets with the stated speeds; whether another speed proved wrong.

        Only 64-bit counters that did not decrease count: others may have wrapped or been reset.
        """
        elapsed = new.at_ns - old.at_ns + new.slack_ns + old.slack_ns
        if elapsed <= 0:
            return False
        grown = (new.values - old.values)[:, :OCTETS]
        grew = (new.values[:, :OCTETS] >= old.values[:, :OCTETS]) & new.present[:, :OCTETS]
        exceeded = grew & old.present[:, :OCTETS] & (grown > plan.most[:, :OCTETS] * elapsed * _MARGIN)
        streaks: dict[str, int] = {}
        found = False
        for row in np.flatnonzero(exceeded.any(axis=1) & grew.all(axis=1)).tolist():
            port = plan.ports[row]
            if not port.has_64_bit or not port.state.speed:
                continue
            name = port.state.name
            streaks[name] = self._streaks.get(name, 0) + 1
            if streaks[name] >= READINGS:
                measured = int(grown[row].max()) * 8_000_000_000 // elapsed
                self.wrong[name] = WrongSpeed(port.state.speed, measured)
                found = True
        self._streaks = streaks
        return found

    def corrected(self, ports: Sequence[DevicePort]) -> list[DevicePort]:
        """The ports with wrong speeds as unknown. A device that states another speed is believed again."""
        stated = {port.state.name: port.state.speed for port in ports}
        self.wrong = {name: wrong for name, wrong in self.wrong.items() if stated.get(name) == wrong.stated}
        return [self._corrected(port) for port in ports] if self.wrong else list(ports)

    def _corrected(self, port: DevicePort) -> DevicePort:
        if port.state.name not in self.wrong:
            return port
        return replace(port, state=contradicted(port.state))

    def details(self) -> list[str]:
        """A sentence for each wrong speed."""
        return [wrong.describe(port) for port, wrong in self.wrong.items()]
