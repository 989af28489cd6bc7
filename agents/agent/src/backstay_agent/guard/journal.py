"""A change's journal as a value, and its allowed steps: pure.

The clock is CLOCK_BOOTTIME together with the boot's id: it cannot be set back. After a reboot, when the two
cannot be compared, every open change has expired.
"""

from enum import StrEnum
from typing import Literal

from pydantic import IPvAnyNetwork

from backstay_wire import Engine, Evidence
from backstay_wire.base import Message


class JournalStep(StrEnum):
    """Progress of a change on this node. Each step is on disk before its action starts."""

    ARMED = "armed"
    """The snapshot is on disk, the guard is counting; nothing has been touched."""
    APPLYING = "applying"
    APPLIED = "applied"
    """Applied, probed, and the controller was reached since."""
    CONFIRMING = "confirming"
    """The boot files are being written."""
    CONFIRMED = "confirmed"
    RESTORING = "restoring"
    RESTORED = "restored"
    FAILED = "failed"
    """Restored, but the state read afterwards differs."""


OPEN = frozenset(
    {
        JournalStep.ARMED,
        JournalStep.APPLYING,
        JournalStep.APPLIED,
        JournalStep.CONFIRMING,
        JournalStep.RESTORING,
    }
)
"""The guard has something to wait for, or to do."""
_BEFORE: dict[JournalStep, frozenset[JournalStep]] = {
    JournalStep.ARMED: frozenset(),
    JournalStep.APPLYING: frozenset({JournalStep.ARMED}),
    JournalStep.APPLIED: frozenset({JournalStep.APPLYING}),
    JournalStep.CONFIRMING: frozenset({JournalStep.APPLIED, JournalStep.CONFIRMING}),
    JournalStep.CONFIRMED: frozenset({JournalStep.CONFIRMING}),
    # Confirmed on this node is not final: the whole wave rolls back if another node does. A delayed agent may
    # touch the node after it was restored; then it is restored once more.
    JournalStep.RESTORING: frozenset(JournalStep) - {JournalStep.RESTORING},
    JournalStep.RESTORED: frozenset({JournalStep.RESTORING}),
    JournalStep.FAILED: frozenset({JournalStep.RESTORING}),
}


class Journal(Message):
    """One change on this node."""

    change: int
    revision: int
    step: JournalStep
    engine: Engine | None
    """None: the change does not affect the routing."""
    boot_id: str
    deadline_ns: int
    """CLOCK_BOOTTIME of that boot."""
    until_wall_ns: int
    """The same deadline for display, by the wall clock at arming."""
    by: Literal["agent", "guard", ""] = ""
    """Who requested the rollback."""
    reason: str = ""
    evidence: tuple[Evidence, ...] = ()
    before: str = ""
    after: str = ""
    prefixes: tuple[IPvAnyNetwork, ...] = ()
    """Destinations whose routes the change manages."""
    applied: tuple[str, ...] = ()
    """What the change manages, as it ran once applied; compared again before saving."""


def may_follow(step: JournalStep, current: JournalStep) -> bool:
    """Whether `step` may come after `current`."""
    return current in _BEFORE[step]


def expired(journal: Journal, now_ns: int, boot_id: str) -> str:
    """Why the guard must act on a waiting change; empty: not yet."""
    if journal.step not in OPEN or journal.step is JournalStep.RESTORING:
        return ""
    if journal.boot_id != boot_id:
        return "the host was rebooted before the change was confirmed"
    if now_ns >= journal.deadline_ns:
        return "not confirmed in time"
    return ""


def left_s(journal: Journal, now_ns: int, boot_id: str) -> float:
    """Seconds until the guard rolls back; 0: now."""
    return 0.0 if journal.boot_id != boot_id else max(0.0, (journal.deadline_ns - now_ns) / 1e9)
