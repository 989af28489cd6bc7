"""Input and output of a decision: gateway states, the active gateway, remembered trials; values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from backstay_agent.failover.damping import Damper
from backstay_agent.failover.probe_window import ProbeState
from backstay_wire import Timers

Reason = Literal[
    "failed", "recovered", "carrier", "moved", "move_over", "no_gateway", "tried", "start", "refused",
    "restored", "not_restored",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class GatewayStatus:
    """What is known of one gateway."""

    own: ProbeState
    """Of the gateway itself."""
    through: ProbeState | None = None
    """Of the end-to-end target through it; None: the policy has no target, or it cannot be probed that
    way."""
    carrier: bool = True
    """Of this node's port towards it."""
    loop: ProbeState | None = None
    """Of probes that it returns to us (host/via_gateway.py), which need no far end. None: it never did so."""

    @property
    def itself(self) -> ProbeState:
        """State of the gateway alone: one that used to return probes and no longer does is not forwarding."""
        return self.loop if self.loop is not None and self.loop.alive is False else self.own


@dataclass(frozen=True, slots=True)
class Trial:
    """A gateway leads temporarily, to see whether the target answers then."""

    home: str
    """The previous gateway, which leads again if the target does not answer."""
    since_ns: int
    until_ns: int
    left: tuple[str, ...] = ()
    """Gateways to try after this one."""


@dataclass(frozen=True, slots=True)
class TrialState:
    """Unsuccessful trials: each delays the next one further."""

    count: int = 0
    last_ns: int = 0
    next_ns: int = 0


@dataclass(frozen=True, slots=True)
class ActiveGateway:
    """The active gateway, since when, and remembered state."""

    gateway: str
    """Empty: none, or one outside the policy."""
    since_ns: int
    switched_ns: int | None = None
    """The last switch: hold-down counts from here."""
    moved_to: str = ""
    """The gateway of the move in progress."""
    home: str = ""
    """The gateway before the move."""
    dampers: Mapping[str, Damper] = field(default_factory=dict)
    dead: frozenset[str] = frozenset()
    innocent: frozenset[str] = frozenset()
    """Dead gateways not counted as failed: the target itself may be dead."""
    silent: bool = False
    """The report that no gateway is alive was sent."""
    trial: Trial | None = None
    tries: TrialState = TrialState()
    held: str = ""
    """The better gateway that hold-down or damping currently blocks."""
    held_back: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """The gateway to use from now on, and why. No switch if it equals the previous one."""

    reason: Reason
    from_gateway: str
    to_gateway: str
    held_back: int

    @property
    def switches(self) -> bool:
        """Whether the route must change."""
        return self.from_gateway != self.to_gateway


Step = tuple[ActiveGateway, Decision | None]


@dataclass(frozen=True, slots=True)
class DecisionInput:
    """Everything that a decision may depend on."""

    order: tuple[str, ...]
    timers: Timers
    lead: ActiveGateway
    signs: Mapping[str, GatewayStatus]
    now: int
    by_target: bool

    @property
    def target_silent(self) -> bool:
        """Whether there is a target that answers through no gateway."""
        return not self.by_target and any(sign.through is not None for sign in self.signs.values())

    def mark(self, gateway: str) -> ProbeState:
        """The state that counts for a gateway: the target through it, or the gateway itself if the target is
        inconclusive."""
        sign = self.signs[gateway]
        return sign.through if self.by_target and sign.through is not None else sign.itself

    def lives(self, gateway: str) -> bool:
        """Whether traffic may be sent to it, as far as known."""
        return self.signs[gateway].carrier and self.mark(gateway).alive is True

    def last_answered_ns(self, gateway: str) -> int:
        """When the last answered probe was sent, of those that count; 0: never."""
        sign, mark = self.signs[gateway], self.mark(gateway)
        back = sign.loop.last_answered_ns if mark is sign.own and sign.loop is not None else None
        return max(mark.last_answered_ns or 0, back or 0)

    def damped(self, gateway: str) -> bool:
        """Whether damping blocks it."""
        return self.lead.dampers.get(gateway, Damper()).holds(self.now)

    def best(self, among: list[str]) -> str:
        """The first in order, flapping ones last."""
        return next((gateway for gateway in among if not self.damped(gateway)), among[0])

    def dead(self, gateway: str) -> bool:
        """Whether nothing gets through it, whatever the cause."""
        sign = self.signs[gateway]
        return not sign.carrier or (sign.through or sign.own).alive is False

    def dead_itself(self, gateway: str) -> bool:
        """Whether it is certainly at fault itself."""
        sign = self.signs[gateway]
        return not sign.carrier or sign.itself.alive is False


def counts_by_target(signs: Mapping[str, GatewayStatus]) -> bool:
    """Whether the target decides: unless it does not answer through any gateway."""
    marks = [sign.through for sign in signs.values() if sign.through is not None]
    return bool(marks) and any(mark.alive is not False for mark in marks)
