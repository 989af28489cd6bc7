"""A change on one node: what the agent applies under the guard, and its progress.

A change is desired state too. The backend sets the phase for this node; the agent goes there and reports the
state reached. Before it touches anything the agent arms the *guard*: a separate process with a journal on
disk and CLOCK_BOOTTIME, which restores the node unless it is disarmed in time. Only the backend's `confirm`,
received after the change was applied, disarms it.
"""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, IPvAnyAddress, IPvAnyNetwork, model_validator

from backstay_wire.arp import NodeArp
from backstay_wire.base import Message, Text
from backstay_wire.report import Nanoseconds, ReportBase
from backstay_wire.routing import MAX_ROUTES, MAX_STATE_TEXT, Digest, NodeRouting

StateText = Annotated[str, Field(max_length=MAX_STATE_TEXT)]
MAX_PROBES = 1_024
"""Maximum number of probes of one node in a change."""


class Phase(StrEnum):
    """Phase requested of a node."""

    PREPARE = "prepare"
    """Check the new configuration with the engine's own checker; touch nothing."""
    APPLY = "apply"
    VERIFY = "verify"
    """Check once more that what was applied still runs: first half of a confirmation. Nothing is written; a
    failure rolls the node back."""
    CONFIRM = "confirm"
    """Write the boot files and disarm the guard."""
    ROLL_BACK = "roll_back"


class ChangeProbe(Message):
    """An echo that must be answered after the change is applied."""

    name: Text
    """`grf1`, `10.9.0.1 through grf1`."""
    address: IPvAnyAddress
    via: IPvAnyAddress | None = None
    """Next hop to send it by, regardless of the route; None: by the route."""
    port: Annotated[str, Field(max_length=128)] = ""


class ChangeAssignment(Message):
    """One change as one node executes it."""

    change: Annotated[int, Field(ge=1)]
    revision: Annotated[int, Field(ge=1)]
    """Fencing number: a node that has seen a higher one refuses."""
    phase: Phase
    base: Digest = ""
    """`RoutingReport.digest` that the plan was computed from; empty without `routing`."""
    routing: NodeRouting | None = None
    """None: this change does not affect the node's routing."""
    hand_back: Annotated[list[IPvAnyNetwork], Field(max_length=MAX_ROUTES)] = []
    """Prefixes that `routing` no longer has and that return to the operator: the routes that this agent found
    before it took them under management are set again."""
    arp: NodeArp | None = None
    """None: this change does not affect the node's address resolution."""
    arp_base: Digest = ""
    """`ArpReport.digest` that the plan was computed from; empty without `arp`."""
    probes: Annotated[list[ChangeProbe], Field(max_length=MAX_PROBES)] = []
    probe_s: Annotated[float, Field(gt=0, le=120)] = 5.0
    """Seconds within which the probes must succeed after applying."""
    timeout_s: Annotated[float, Field(ge=5, le=600)] = 120.0
    """Seconds from arming until the guard rolls back by itself."""
    ask_every_s: Annotated[float, Field(gt=0, le=60)] | None = None
    """Interval of the node's requests for the next phase while its wave is at work or about to start; None:
    the node decides."""

    @model_validator(mode="after")
    def _about_something(self) -> Self:
        if self.routing is None and self.arp is None:
            raise ValueError("a change needs routing, ARP settings or both")
        return self


class NodePhase(StrEnum):
    """The state that a node has reached."""

    PREPARED = "prepared"
    REFUSED = "refused"
    """Nothing was touched: stale base, older revision, or the engine's checker rejected it."""
    APPLIED = "applied"
    """Applied, probes passed, the controller was reached since; the guard is still armed."""
    VERIFIED = "verified"
    """Same boot, running state as applied, probes passed, controller reached; the guard is still armed."""
    CONFIRMED = "confirmed"
    ROLLED_BACK = "rolled_back"
    """Restored, and verified to equal the previous state."""
    FAILED = "failed"
    """Restored, but the state read afterwards differs: manual intervention needed."""


class Evidence(Message):
    """Result of one check."""

    what: Text
    ok: bool
    found: Text = ""
    stage: Literal["", "checked", "applied", "probed", "verified", "saved", "restored"] = ""
    """When: before anything was touched, once applied, by the probes after that, once more before saving,
    once saved, once restored."""


class ChangeReport(ReportBase):
    """The state that one node reached in one change: sent at each step and repeated until the assignment is
    gone."""

    kind: Literal["change"] = "change"
    change: Annotated[int, Field(ge=1)]
    revision: Annotated[int, Field(ge=1)]
    phase: NodePhase
    reason: Text = ""
    """Why it was refused or rolled back, in one sentence."""
    by: Literal["agent", "guard", ""] = ""
    """Which process rolled back."""
    evidence: Annotated[list[Evidence], Field(max_length=256)] = []
    before: StateText = ""
    """The managed state before the change, as text (`ip route` style lines and file digests)."""
    after: StateText = ""
    guard_until: Nanoseconds | None = None
    """When the guard rolls back, by this host's wall clock; None: not armed."""
