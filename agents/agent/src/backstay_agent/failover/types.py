"""What a decision rests on, and what it is: signs of gateways, who leads, what is remembered; values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from backstay_agent.failover.damping import Damper
from backstay_agent.failover.probe_window import ProbeState
from backstay_wire import Timers

Reason = Literal[
    "failed", "recovered", "carrier", "moved", "move_over", "no_gateway", "tried", "start", "refused"
]


@dataclass(frozen=True, slots=True)
class GatewayStatus:
    """What is known of one gateway."""

    own: ProbeState
    """Of the gateway itself."""
    through: ProbeState | None = None
    """Of the end-to-end target through it; None: the policy has no target, or it cannot be reached so."""
    carrier: bool = True
    """Of this node's port towards it."""
    loop: ProbeState | None = None
    """Of probes that it hands back to us (host/through.py): they need no far end. None: it never did that."""

    @property
    def itself(self) -> ProbeState:
        """Of the gateway alone: one that has handed probes back, and does not now, forwards nothing."""
        return self.loop if self.loop is not None and self.loop.alive is False else self.own


@dataclass(frozen=True, slots=True)
class Trial:
    """A gateway leads only to see whether the target answers then."""

    home: str
    """Who led before, and leads again if it does not."""
    since_ns: int
    until_ns: int
    left: tuple[str, ...] = ()
    """To be tried after this one."""


@dataclass(frozen=True, slots=True)
class TrialState:
    """Trials that came to nothing: each keeps the next one away for longer."""

    count: int = 0
    last_ns: int = 0
    next_ns: int = 0


@dataclass(frozen=True, slots=True)
class ActiveGateway:
    """Who leads, since when, and what is remembered."""

    gateway: str
    """Empty: none, or one that is not of the policy."""
    since_ns: int
    switched_ns: int | None = None
    """The last switch: hold-down counts from here."""
    moved_to: str = ""
    """The gateway of the move in progress."""
    home: str = ""
    """Who led before it."""
    dampers: Mapping[str, Damper] = field(default_factory=dict)
    dead: frozenset[str] = frozenset()
    innocent: frozenset[str] = frozenset()
    """The dead gateways not counted as failed: the target itself may be dead."""
    silent: bool = False
    """The report that no gateway is alive was sent."""
    trial: Trial | None = None
    tries: TrialState = TrialState()
    held: str = ""
    """The better gateway that hold-down or damping keeps from leading now."""
    held_back: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """Who leads from now on, and why. The same one before and after: nothing is switched."""

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
    """One question: everything that the answer may depend on."""

    order: tuple[str, ...]
    timers: Timers
    lead: ActiveGateway
    signs: Mapping[str, GatewayStatus]
    now: int
    by_target: bool

    @property
    def target_silent(self) -> bool:
        """Whether there is a target, and it answers through no gateway."""
        return not self.by_target and any(sign.through is not None for sign in self.signs.values())

    def mark(self, gateway: str) -> ProbeState:
        """What counts of a gateway: the target through it, or the gateway when the target is inconclusive."""
        sign = self.signs[gateway]
        return sign.through if self.by_target and sign.through is not None else sign.itself

    def lives(self, gateway: str) -> bool:
        """Whether traffic may be sent to it, as far as is known."""
        return self.signs[gateway].carrier and self.mark(gateway).alive is True

    def last_answered_ns(self, gateway: str) -> int:
        """When the last probe left that it answered, of those that count; 0: never."""
        sign, mark = self.signs[gateway], self.mark(gateway)
        back = sign.loop.last_answered_ns if mark is sign.own and sign.loop is not None else None
        return max(mark.last_answered_ns or 0, back or 0)

    def damped(self, gateway: str) -> bool:
        """Whether its failures keep it from use."""
        return self.lead.dampers.get(gateway, Damper()).holds(self.now)

    def best(self, among: list[str]) -> str:
        """The first in order, those that flap last."""
        return next((gateway for gateway in among if not self.damped(gateway)), among[0])

    def dead(self, gateway: str) -> bool:
        """Whether nothing gets through it, whoever's fault that is."""
        sign = self.signs[gateway]
        return not sign.carrier or (sign.through or sign.own).alive is False

    def dead_itself(self, gateway: str) -> bool:
        """Whether that is its own fault for sure."""
        sign = self.signs[gateway]
        return not sign.carrier or sign.itself.alive is False


def counts_by_target(signs: Mapping[str, GatewayStatus]) -> bool:
    """Whether the target decides: it does unless it is silent through every gateway."""
    marks = [sign.through for sign in signs.values() if sign.through is not None]
    return bool(marks) and any(mark.alive is not False for mark in marks)
