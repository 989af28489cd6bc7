"""Processes that die at each step of a change's journal, and the backend's part of the change meanwhile.

Whatever dies, and whenever, the node ends in the old state or in the new one, and its journal names which.
"""

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from backstay_testing.change_node import ChangedNode
from backstay_testing.engines import wait_until
from backstay_wire import NodePhase, Phase

Victim = Literal["agent", "guard", "daemon", "controller", "paused agent"]
Ending = Literal["confirmed", "restored", "failed"]
ENDED = frozenset({NodePhase.CONFIRMED, NodePhase.ROLLED_BACK, NodePhase.FAILED})
_ENDINGS: dict[NodePhase, Ending] = {
    NodePhase.CONFIRMED: "confirmed",
    NodePhase.ROLLED_BACK: "restored",
    NodePhase.FAILED: "failed",
}
_FOLLOWING = {
    NodePhase.PREPARED: Phase.APPLY,
    NodePhase.APPLIED: Phase.VERIFY,
    NodePhase.VERIFIED: Phase.CONFIRM,
}
_ORDER = (Phase.PREPARE, Phase.APPLY, Phase.VERIFY, Phase.CONFIRM, Phase.ROLL_BACK)
_POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class KillPoint:
    """Who dies right after which step is on disk."""

    victim: Victim
    step: str
    after_applied: Phase | None = Phase.VERIFY
    """What the backend asks for once the change is applied; None: nothing, so that the guard acts."""

    @property
    def fault(self) -> str:
        """The order for FAULT_VARIABLE: agent and guard die by themselves; for the others one of them is
        stopped at the step meanwhile."""
        by_guard = self.step in ("restoring", "restored") and self.victim != "agent"
        holder = "guard" if by_guard else "agent"
        return f"{holder} {self.step}" + ("" if self.victim == holder else " held up")

    @property
    def endings(self) -> frozenset[Ending]:
        """Without controller, or after its guard has acted, a node must not keep the change."""
        restored_only = (
            self.victim in ("controller", "paused agent") or self.after_applied is not Phase.VERIFY
        )
        return frozenset({"restored"}) if restored_only else frozenset({"confirmed", "restored"})


_STEPS = ("armed", "applying", "applied", "confirming")
AGENT_POINTS = (
    *(KillPoint("agent", step) for step in (*_STEPS, "confirmed")),
    KillPoint("agent", "restoring", after_applied=Phase.ROLL_BACK),
    *(KillPoint("guard", step) for step in _STEPS),
    *(KillPoint("guard", step, after_applied=None) for step in ("restoring", "restored")),
    *(KillPoint("controller", step) for step in _STEPS),
    *(KillPoint("paused agent", step) for step in _STEPS),
)
DAEMON_POINTS = (
    *(KillPoint("daemon", step) for step in _STEPS),
    KillPoint("daemon", "restoring", after_applied=None),
)
"""Only where a daemon routes."""


class NotReachedError(Exception):
    """The change ended before the step: on a busy machine the guard may be first."""


class Backend:
    """The backend's part: asks for the next phase once the node has reported the last one."""

    def __init__(self, node: ChangedNode, after_applied: Phase | None) -> None:
        self._node = node
        self._following: dict[NodePhase, Phase | None] = {
            **_FOLLOWING,
            NodePhase.APPLIED: after_applied,
        }

    def advance(self) -> NodePhase | None:
        """Ask for what follows; returns the phase reported last."""
        reports, assignment = self._node.reports(), self._node.assignment
        if not reports or assignment is None:
            return None
        reached = reports[-1].phase
        wanted = self._following.get(reached)
        if wanted is not None and _ORDER.index(wanted) > _ORDER.index(assignment.phase):
            self._node.want(wanted)
        return reached


def play(node: ChangedNode, point: KillPoint, limit_s: float) -> Ending:
    """Run a prepared change to its end while the victim dies; returns how the node says that it ended.

    An agent that died is started again. Raises NotReachedError; TimeoutError if the change does not end.
    """
    node.fault.write_text(point.fault)
    backend = Backend(node, point.after_applied)
    struck, end = point.fault == f"{point.victim} {point.step}", time.monotonic() + limit_s
    while True:
        reached = backend.advance()
        if not struck and not node.fault.exists():
            _strike(node, point, end - time.monotonic())
            struck = True
        if not node.driver_runs:
            node.start()
        if reached in ENDED and _agrees(node, reached):
            if node.fault.exists():
                raise NotReachedError(f"{reached} before {point.step}: {node.reports()[-1].reason}")
            return _ENDINGS[reached]
        if time.monotonic() > end:
            raise TimeoutError(
                f"{point.victim} at {point.step}: reported {reached}, journal at {node.step()!r}"
            )
        time.sleep(_POLL_S)


def _agrees(node: ChangedNode, reached: NodePhase) -> bool:
    return node.step() == _ENDINGS[reached]


def _strike(node: ChangedNode, point: KillPoint, left_s: float) -> None:
    """Kill the victim while agent or guard is stopped at the step, then let that one continue."""
    holder = node.guard_pid() if point.fault.startswith("guard") else node.driver_pid
    wait_until(lambda: _is_stopped(holder), max(1.0, left_s))
    strikes: dict[Victim, Callable[[], object]] = {
        "guard": node.kill_guard,
        "daemon": node.engine.kill,
        "controller": node.controller.stop,
        "paused agent": lambda: wait_until(lambda: node.step() == "restored", max(1.0, left_s)),
    }
    strikes[point.victim]()
    os.kill(holder, signal.SIGCONT)


def _is_stopped(pid: int) -> bool:
    """Whether a process is stopped by a signal (proc_pid_stat(5), third field)."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
