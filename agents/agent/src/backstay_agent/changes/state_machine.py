"""The next action for a change on this node, from the backend's assignment and the journal. Pure.

Nothing here waits, reads or writes. The driver does one action at a time and asks again.
"""

from dataclasses import dataclass
from enum import Enum

from backstay_agent.guard.journal import Journal, JournalStep
from backstay_wire import ChangeAssignment, NodePhase, Phase


class Action(Enum):
    """One thing to do."""

    PREPARE = "prepare"
    APPLY = "apply"
    VERIFY = "verify"
    CONFIRM = "confirm"
    PUT_BACK = "put back"
    REFUSE = "refuse"
    REPORT = "report"
    """Report the status; nothing else to do."""
    WAIT = "wait"
    """The guard is at work."""


@dataclass(frozen=True, slots=True)
class ChangeDecision:
    """What to do, and the reason or the current phase."""

    action: Action
    reason: str = ""
    reached: NodePhase | None = None


@dataclass(frozen=True, slots=True)
class ChangeStatus:
    """What this node knows besides the change's own journal."""

    highest: int
    """The highest revision ever armed here."""
    prepared: bool = False
    """By this process, for exactly this assignment."""
    refused: str = ""
    """Why this process refused it; empty: not refused."""
    digest: str = ""
    """Of the current routing; empty: not read, or the engine is gone."""
    arp_digest: str = ""
    """Of the current address resolution; empty: not read."""
    other_open: int = 0
    """Another change whose guard is still armed; 0: none."""
    held: str = ""
    """`held until 14:32:05 UTC by alice`; empty: no operator holds the node."""
    verified: bool = False
    """By this process, since the backend asked for it."""
    boot_id: str = ""
    """Of this boot; empty: not read."""
    at_work: bool = False
    """This process is applying, verifying or confirming it now."""
    released: str = ""
    """Why an administrator's release on this node forbids it; empty: it does not."""


_ENDED = {
    JournalStep.CONFIRMED: NodePhase.CONFIRMED,
    JournalStep.RESTORED: NodePhase.ROLLED_BACK,
    JournalStep.FAILED: NodePhase.FAILED,
}
_NOTHING_APPLIED = "nothing was applied here"
_REBOOTED = "the host was rebooted before the change was confirmed"


def decide(assignment: ChangeAssignment, journal: Journal | None, status: ChangeStatus) -> ChangeDecision:
    """The next action of one assignment."""
    if journal is None:
        return ChangeDecision(Action.WAIT) if status.at_work else _before_arming(assignment, status)
    if journal.step is JournalStep.RESTORING:
        return ChangeDecision(Action.WAIT)
    kept = status.released and journal.step is JournalStep.CONFIRMED
    if (
        assignment.phase is Phase.ROLL_BACK
        and journal.step not in (JournalStep.RESTORED, JournalStep.FAILED)
        and not kept
    ):
        return ChangeDecision(Action.PUT_BACK, "the controller asked for it")
    if journal.step in _ENDED:
        return ChangeDecision(Action.REPORT, journal.reason, _ENDED[journal.step])
    return ChangeDecision(Action.WAIT) if status.at_work else _armed(assignment, journal, status)


def _armed(assignment: ChangeAssignment, journal: Journal, status: ChangeStatus) -> ChangeDecision:
    if status.boot_id and journal.boot_id != status.boot_id:
        return ChangeDecision(Action.PUT_BACK, _REBOOTED)
    if journal.step in (JournalStep.ARMED, JournalStep.APPLYING):
        return ChangeDecision(Action.PUT_BACK, "the agent was restarted while it applied the change")
    if assignment.phase is Phase.CONFIRM or journal.step is JournalStep.CONFIRMING:
        return ChangeDecision(Action.CONFIRM)
    if assignment.phase is Phase.VERIFY:
        return (
            ChangeDecision(Action.REPORT, "", NodePhase.VERIFIED)
            if status.verified
            else ChangeDecision(Action.VERIFY)
        )
    return ChangeDecision(Action.REPORT, "", NodePhase.APPLIED)


def _before_arming(assignment: ChangeAssignment, status: ChangeStatus) -> ChangeDecision:
    if status.refused:
        return ChangeDecision(Action.REPORT, status.refused, NodePhase.REFUSED)
    why = status.released or _objection(assignment, status)
    if why:
        return ChangeDecision(Action.REFUSE, why)
    if not status.prepared:
        return ChangeDecision(Action.PREPARE)
    if assignment.phase is Phase.APPLY:
        return ChangeDecision(Action.APPLY)
    return ChangeDecision(Action.REPORT, "", NodePhase.PREPARED)


def _objection(assignment: ChangeAssignment, status: ChangeStatus) -> str:
    """Why the change must not be applied; empty: it may."""
    if assignment.phase in (Phase.ROLL_BACK, Phase.VERIFY, Phase.CONFIRM):
        return _NOTHING_APPLIED
    if assignment.revision <= status.highest:
        return f"revision {assignment.revision} is not newer than {status.highest}, which this node has seen"
    if status.other_open or status.held:
        return _occupied(status)
    if status.digest and assignment.base != status.digest:
        return "the plan is stale: this node's routes or boot files changed since it was made"
    if status.arp_digest and assignment.arp_base != status.arp_digest:
        return "the plan is stale: this node's ARP settings, entries or boot files changed since it was made"
    return ""


def _occupied(status: ChangeStatus) -> str:
    """What else controls this node's routes."""
    if status.other_open:
        return f"change {status.other_open} is still in progress on this node"
    return f"this node is {status.held}: end the hold first"
