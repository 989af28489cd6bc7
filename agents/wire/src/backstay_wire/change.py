"""A change on one node: what the agent applies, guarded, and how far it has come.

A change is desired state too. The backend names the phase that it wants of this node; the agent goes there
and reports the state reached. Before it touches anything the agent arms the *guard*: a process of its own
with a journal on disk and CLOCK_BOOTTIME, which restores the node unless it learns in time that all is
well. Only the backend's `confirm`, received after the change was applied, disarms it.
"""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, IPvAnyAddress, model_validator

from backstay_wire.arp import NodeArp
from backstay_wire.base import Message, Text
from backstay_wire.report import Nanoseconds, ReportBase
from backstay_wire.routing import ConfigText, Digest, NodeRouting


class Phase(StrEnum):
    """What is wanted of a node."""

    PREPARE = "prepare"
    """Check the new configuration with the engine's own checker; touch nothing."""
    APPLY = "apply"
    CONFIRM = "confirm"
    """Write the boot files and disarm the guard."""
    ROLL_BACK = "roll_back"


class ChangeProbe(Message):
    """An echo that must be answered after the change was applied."""

    name: Text
    """`grf1`, `10.9.0.1 through grf1`."""
    address: IPvAnyAddress
    via: IPvAnyAddress | None = None
    """Next hop to send it by, regardless of the route; none: by the route."""
    port: Annotated[str, Field(max_length=128)] = ""


class ChangeAssignment(Message):
    """One change as one node shall carry it out."""

    change: Annotated[int, Field(ge=1)]
    revision: Annotated[int, Field(ge=1)]
    """Fencing: a node that has seen a higher one refuses."""
    phase: Phase
    base: Digest = ""
    """`RoutingReport.digest` that the plan was made from; empty without `routing`."""
    routing: NodeRouting | None = None
    """None: this change leaves the node's routing alone."""
    arp: NodeArp | None = None
    """None: this change leaves the node's address resolution alone."""
    arp_base: Digest = ""
    """`ArpReport.digest` that the plan was made from; empty without `arp`."""
    probes: Annotated[list[ChangeProbe], Field(max_length=32)] = []
    probe_s: Annotated[float, Field(gt=0, le=120)] = 5.0
    """How long the probes may take to succeed after applying."""
    timeout_s: Annotated[float, Field(ge=5, le=600)] = 120.0
    """After so long from arming the guard rolls back by itself."""

    @model_validator(mode="after")
    def _about_something(self) -> Self:
        if self.routing is None and self.arp is None:
            raise ValueError("a change is about routing, or ARP, or both")
        return self


class NodePhase(StrEnum):
    """The state that a node has reached."""

    PREPARED = "prepared"
    REFUSED = "refused"
    """Nothing was touched: stale base, older revision, or the engine's checker rejected it."""
    APPLIED = "applied"
    """Applied, probes passed, the controller was reached since; the guard still waits."""
    CONFIRMED = "confirmed"
    ROLLED_BACK = "rolled_back"
    """Restored, and verified to equal the state before."""
    FAILED = "failed"
    """Restored, but the state read afterwards differs: manual intervention needed."""


class Evidence(Message):
    """One thing that was looked at."""

    what: Text
    ok: bool
    found: Text = ""
    stage: Literal["", "checked", "applied", "probed", "saved", "restored"] = ""
    """When: before anything was touched, once applied, by the probes then, once saved, once restored."""


class ChangeReport(ReportBase):
    """The state that one node reached in one change: at each step, and again until the assignment is gone."""

    kind: Literal["change"] = "change"
    change: Annotated[int, Field(ge=1)]
    revision: Annotated[int, Field(ge=1)]
    phase: NodePhase
    reason: Text = ""
    """Why it was refused or rolled back, in a sentence."""
    by: Literal["agent", "guard", ""] = ""
    """Who rolled back."""
    evidence: Annotated[list[Evidence], Field(max_length=256)] = []
    before: ConfigText = ""
    """The managed state before, as text (`ip route` style lines and file digests)."""
    after: ConfigText = ""
    guard_until: Nanoseconds | None = None
    """When the guard will roll back, by this host's wall clock; None: not armed."""
