"""What to do next about a change on this node: from what the backend wants and what the journal says. Pure.

Nothing here waits, reads or writes; the driver does, one thing at a time, and asks again.
"""

from dataclasses import dataclass
from enum import Enum

from backstay_agent.guard.journal import Journal, Step
from backstay_wire import ChangeAssignment, NodePhase, Phase


class Action(Enum):
    """One thing to do."""

    PREPARE = "prepare"
    APPLY = "apply"
    CONFIRM = "confirm"
    PUT_BACK = "put back"
    REFUSE = "refuse"
    TELL = "tell"
    """Say where we stand; there is nothing to do."""
    WAIT = "wait"
    """The guard is at work."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do, and why or where we stand."""

    act: Action
    reason: str = ""
    stands: NodePhase | None = None


@dataclass(frozen=True, slots=True)
class ChangeStatus:
    """What this node knows besides the change's own journal."""

    highest: int
    """The highest revision that was ever armed here."""
    prepared: bool = False
    """By this process, for this very duty."""
    refused: str = ""
    """Why this process refused it; empty: it did not."""
    digest: str = ""
    """Of the routing as it is; empty: not read, or the engine is gone."""
    arp_digest: str = ""
    """Of the address resolution as it is; empty: not read."""
    other_open: int = 0
    """Another change whose guard still waits; 0: none."""
    at_work: bool = False
    """This process is applying it now."""


_ENDED = {
    Step.CONFIRMED: NodePhase.CONFIRMED,
    Step.RESTORED: NodePhase.ROLLED_BACK,
    Step.FAILED: NodePhase.FAILED,
}
_NOTHING_APPLIED = "nothing had been applied here"


def decide(duty: ChangeAssignment, journal: Journal | None, standing: ChangeStatus) -> Decision:
    """What follows for one duty."""
    if journal is None:
        return Decision(Action.WAIT) if standing.at_work else _before_arming(duty, standing)
    if journal.step is Step.RESTORING:
        return Decision(Action.WAIT)
    if duty.phase is Phase.ROLL_BACK and journal.step not in (Step.RESTORED, Step.FAILED):
        return Decision(Action.PUT_BACK, "the controller asked for it")
    if journal.step in _ENDED:
        return Decision(Action.TELL, journal.reason, _ENDED[journal.step])
    return Decision(Action.WAIT) if standing.at_work else _armed(duty, journal)


def _armed(duty: ChangeAssignment, journal: Journal) -> Decision:
    if journal.step in (Step.ARMED, Step.APPLYING):
        return Decision(Action.PUT_BACK, "the agent was restarted while it applied the change")
    if duty.phase is Phase.CONFIRM or journal.step is Step.CONFIRMING:
        return Decision(Action.CONFIRM)
    return Decision(Action.TELL, "", NodePhase.APPLIED)


def _before_arming(duty: ChangeAssignment, standing: ChangeStatus) -> Decision:
    if standing.refused:
        return Decision(Action.TELL, standing.refused, NodePhase.REFUSED)
    why = _objection(duty, standing)
    if why:
        return Decision(Action.REFUSE, why)
    if not standing.prepared:
        return Decision(Action.PREPARE)
    if duty.phase is Phase.APPLY:
        return Decision(Action.APPLY)
    return Decision(Action.TELL, "", NodePhase.PREPARED)


def _objection(duty: ChangeAssignment, standing: ChangeStatus) -> str:
    """Why nothing of this may be touched; empty: it may."""
    if duty.phase in (Phase.ROLL_BACK, Phase.CONFIRM):
        return _NOTHING_APPLIED
    if duty.revision <= standing.highest:
        return f"revision {duty.revision} is not newer than {standing.highest}, which this node has seen"
    if standing.other_open:
        return f"change {standing.other_open} is still under way on this node"
    if standing.digest and duty.base != standing.digest:
        return "the plan is stale: this node's routes or boot files changed since it was made"
    if standing.arp_digest and duty.arp_base != standing.arp_digest:
        return "the plan is stale: this node's ARP settings, entries or boot files changed since it was made"
    return ""
