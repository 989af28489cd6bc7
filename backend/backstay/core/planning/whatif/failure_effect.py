"""What one failure does, as it is collected flow by flow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from backstay.core.planning.whatif.fallback_verdict import MoveOutcome
from backstay.core.planning.whatif.forwarding_sim import Choice
from backstay.core.planning.whatif.loads import Shift
from backstay.core.planning.whatif.packet_rates import GatewayPackets

MoveKey = tuple[str, str, int | None, int | None, MoveOutcome]
"""Policy, prefix, gateway without the failure and under it, and the outcome."""


@dataclass(slots=True)
class FailureEffect:
    """Accumulates what one failure does."""

    shift: Shift = field(default_factory=dict)
    moves: dict[MoveKey, list[tuple[int, int, int]]] = field(default_factory=dict)
    """(flow, member, node) by move."""
    loops: dict[str, set[int]] = field(default_factory=dict)
    cut_off: set[int] = field(default_factory=set)
    undetected: set[int] = field(default_factory=set)
    dependent: set[int] = field(default_factory=set)
    """Nodes whose demand the result depends on."""
    unknown_ends: set[int] = field(default_factory=set)
    """Destinations of unknown load, of traffic that the failure concerns."""
    choices: dict[int, Choice] = field(default_factory=dict)
    """Flow of `TrafficFlows` -> its choice, if the failure concerns it."""
    members: tuple[tuple[int, int, Choice], ...] = ()
    """(flow, member, choice) of hosts that lose a link of their own, or fail."""
    has_fallback: bool = False
    silent: set[int] = field(default_factory=set)
    recovers_in_ms: float = 0.0
    gateways: tuple[GatewayPackets, ...] = ()
    """Those that gain traffic, if their limits are known."""

    def add_move(self, key: MoveKey, members: Iterable[tuple[int, int, int]]) -> None:
        """Members, as in `moves`."""
        self.moves.setdefault(key, []).extend(members)
