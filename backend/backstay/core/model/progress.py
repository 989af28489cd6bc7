"""States of changes, drills, moves, holds, test runs, windows and incidents: names, labels, colours.

The only place that names them, for rows, API, pages and command line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from backstay.core.model.change import Kind, NodeState
from backstay.core.model.change import State as ChangeState
from backstay.core.model.plan import ImpactVerdict
from backstay.core.model.state import State
from backstay.core.model.throughput import CellState

DrillState = Literal["scheduled", "refused", "running", "returning", "passed", "failed", "cancelled"]
MoveReport = Literal["moved", "returned", "refused", "failed"]
MoveState = Literal["waiting", MoveReport]
HoldState = Literal["waiting", "held", "ending", "ended", "failed"]
OPEN_HOLDS: tuple[HoldState, ...] = ("waiting", "held", "ending")
"""States of a hold that the node may be carrying out."""
HoldOrigin = Literal["backend", "node"]
RunState = Literal["queued", "waiting", "running", "done", "cancelled", "failed"]
OPEN_RUNS: tuple[RunState, ...] = ("queued", "waiting", "running")
"""States of an active run: not started, waiting for a condition, at least one cell started."""
RunSource = Literal["lab", "live", "paper"]
AssignmentState = Literal["asked", "accepted", "running", CellState]
ReleaseState = Literal["released", "reverted"]
ManagementState = Literal["managed", ReleaseState]
WindowState = Literal["active", "scheduled", "over"]
"""Of a maintenance window: its current or next occurrence."""
ReleaseScope = Literal["policies", "routing", "everything"]


class Phase(StrEnum):
    """Of an incident. A `pending` one is not shown: it counts towards the rule's number of samples, or
    waits for its root cause."""

    PENDING = "pending"
    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    RESOLVED = "resolved"


ShownPhase = Literal["open", "acknowledged", "resolved"]
"""All but `pending`; text, because pydantic's messages would name members."""


@dataclass(frozen=True, slots=True)
class ProgressSpec:
    """How a state is shown: `tone` is its colour."""

    tone: State
    label: str


CHANGE_SPECS: Mapping[ChangeState, ProgressSpec] = {
    "draft": ProgressSpec("disabled", "draft"),
    "planned": ProgressSpec("warning", "planned"),
    "approved": ProgressSpec("warning", "approved"),
    "rolling": ProgressSpec("warning", "rolling"),
    "confirming": ProgressSpec("warning", "confirming"),
    "done": ProgressSpec("ok", "done"),
    "rolled_back": ProgressSpec("warning", "rolled back"),
    "stopped": ProgressSpec("warning", "stopped"),
    "failed": ProgressSpec("critical", "failed"),
    "superseded": ProgressSpec("disabled", "superseded"),
}
CHANGE_NODE_SPECS: Mapping[NodeState, ProgressSpec] = {
    "pending": ProgressSpec("disabled", "pending"),
    "preparing": ProgressSpec("disabled", "checking"),
    "prepared": ProgressSpec("disabled", "prepared"),
    "applying": ProgressSpec("warning", "applying"),
    "applied": ProgressSpec("warning", "applied, guarded"),
    "verifying": ProgressSpec("warning", "verifying"),
    "verified": ProgressSpec("warning", "verified"),
    "confirming": ProgressSpec("warning", "saving"),
    "confirmed": ProgressSpec("ok", "confirmed"),
    "rolling_back": ProgressSpec("warning", "rolling back"),
    "rolled_back": ProgressSpec("warning", "rolled back"),
    "refused": ProgressSpec("critical", "refused"),
    "failed": ProgressSpec("critical", "failed"),
}
IMPACT_SPECS: Mapping[ImpactVerdict, ProgressSpec] = {
    "holds": ProgressSpec("ok", "tolerated"),
    "saturates": ProgressSpec("warning", "overloads a link"),
    "cuts_off": ProgressSpec("critical", "isolates nodes"),
    "loops": ProgressSpec("critical", "loops"),
}
DRILL_SPECS: Mapping[DrillState, ProgressSpec] = {
    "scheduled": ProgressSpec("disabled", "scheduled"),
    "refused": ProgressSpec("warning", "refused"),
    "running": ProgressSpec("warning", "running"),
    "returning": ProgressSpec("warning", "returning"),
    "passed": ProgressSpec("ok", "passed"),
    "failed": ProgressSpec("critical", "failed"),
    "cancelled": ProgressSpec("disabled", "cancelled"),
}
MOVE_SPECS: Mapping[MoveState, ProgressSpec] = {
    "waiting": ProgressSpec("disabled", "waiting"),
    "moved": ProgressSpec("warning", "moved"),
    "returned": ProgressSpec("ok", "returned"),
    "refused": ProgressSpec("warning", "refused"),
    "failed": ProgressSpec("critical", "failed"),
}
RUN_SPECS: Mapping[RunState, ProgressSpec] = {
    "queued": ProgressSpec("disabled", "queued"),
    "waiting": ProgressSpec("warning", "waiting"),
    "running": ProgressSpec("ok", "running"),
    "done": ProgressSpec("ok", "done"),
    "cancelled": ProgressSpec("disabled", "cancelled"),
    "failed": ProgressSpec("critical", "failed"),
}
WINDOW_SPECS: Mapping[WindowState, ProgressSpec] = {
    "active": ProgressSpec("warning", "in maintenance"),
    "scheduled": ProgressSpec("disabled", "scheduled"),
    "over": ProgressSpec("disabled", "over"),
}
PROGRESS: Mapping[str, Mapping[Any, ProgressSpec]] = {
    "change": CHANGE_SPECS,
    "change_node": CHANGE_NODE_SPECS,
    "impact": IMPACT_SPECS,
    "drill": DRILL_SPECS,
    "move": MOVE_SPECS,
    "test_run": RUN_SPECS,
    "maintenance_window": WINDOW_SPECS,
}
"""By the kind of object, for clients."""

CHANGE_KIND_LABELS: Mapping[Kind, str] = {
    "policies": "deploy policies",
    "arp": "deploy ARP policies",
    "restore": "restore the intended state",
    "adopt": "adopt the running state",
    "retire": "remove policies",
    "undo": "undo a change",
    "drill": "drill",
}
