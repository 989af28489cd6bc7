"""Routing of a node: its engine, the ordered gateways of each policy, and the files for the next boot.

The order of gateways depends on which are alive: the preferred one is first while it is alive, another one
otherwise. The planner therefore renders every text that the checker may need, shows it in the plan and sends
it along: the agent renders nothing.

A *preference* is gated's: lower wins. It equals FRR's administrative distance and the kernel's metric. BIRD's
preference, where higher wins, is 260 minus it: gated's 60 is BIRD's 200, and both are the default for static
routes.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, IPvAnyAddress, IPvAnyNetwork

from backstay_wire.base import Message, Name, Text
from backstay_wire.engines import AbsolutePath, Engine, EngineKind
from backstay_wire.path_rules import CONFIGURATION
from backstay_wire.report import ReportBase

MAX_ROUTES = 8_192
"""Maximum number of managed routes of one node: a router with a return path to each of 5,000 nodes, and room
to grow. Bounded because an agent reads a node's whole routing at once: 8,192 routes of two gateways are 2 MB.
"""
MAX_CONFIG = 4 * 1024 * 1024
"""Maximum number of characters of one configuration file: `MAX_ROUTES` blocks of 512. A report with all of it
is a third of what ingest accepts (`MAX_BATCH_BYTES`)."""
MAX_STATE_TEXT = 262_144
"""Maximum number of characters of a state that is only displayed."""
ConfigText = Annotated[str, Field(max_length=MAX_CONFIG)]
Digest = Annotated[str, Field(pattern=r"^(|[0-9a-f]{64})$")]
"""SHA-256 of a file's octets in hex; empty: there is no such file."""


def marks(policy: str, prefix: str) -> tuple[str, str]:
    """The lines that open and close a route's block in a configuration file; `#` begins a comment in all
    engines."""
    return f"# BEGIN backstay {policy} {prefix}", f"# END backstay {policy} {prefix}"


class Detection(StrEnum):
    """What detects that a gateway is dead."""

    CHECKER = "checker"
    BFD = "bfd"
    PROTOCOL = "protocol"


class Timers(Message):
    """When a gateway counts as dead or alive again, and when to fail back."""

    interval_ms: Annotated[int, Field(ge=10, le=60_000)] = 50
    fail_after: Annotated[int, Field(ge=1, le=100)] = 3
    """Consecutive lost probes that make a gateway dead."""
    recover_after: Annotated[int, Field(ge=1, le=10_000)] = 20
    """Consecutive answered probes that make a dead gateway alive."""
    hold_down_s: Annotated[float, Field(ge=0, le=3600)] = 2.0
    """Minimum time between switches, unless the active gateway dies."""
    revert: Literal["now", "after", "manual"] = "now"
    """Failback to a better gateway that is alive again: at once, after `revert_after_s` without a failure, or
    by hand."""
    revert_after_s: Annotated[float, Field(ge=0, le=86_400)] = 60.0


class Hop(Message):
    """One gateway of a policy as this node reaches it."""

    gateway: Name
    address: IPvAnyAddress
    port: Name
    """This node's port towards it."""
    preference: Annotated[int, Field(ge=1, le=254)]


class PolicyRoute(Message):
    """One prefix of one policy on this node: gateways in order, and failure detection."""

    policy: Name
    prefix: IPvAnyNetwork
    hops: Annotated[list[Hop], Field(min_length=1, max_length=16)]
    """In order of preference."""
    detection: Detection
    timers: Timers = Timers()
    target: IPvAnyAddress | None = None
    """End-to-end target that the checker reaches through each gateway; None: the gateways themselves."""
    variants: dict[Name, ConfigText] = {}
    """Gateway -> the text between this route's `marks` in the configuration file while that gateway comes
    first: for the checker, moves and drills. Empty for the kernel, which is switched by netlink."""


class FileIntent(Message):
    """Desired content of a file for the next boot."""

    path: Annotated[AbsolutePath, CONFIGURATION]
    text: ConfigText
    base: Digest
    """Digest of the file that the plan was computed from: a different file means that the plan is stale."""


class NodeRouting(Message):
    """Desired routing of a node."""

    revision: Annotated[int, Field(ge=0)]
    """Fencing number of the change; a node rejects a lower one."""
    engine: Engine
    routes: Annotated[list[PolicyRoute], Field(max_length=MAX_ROUTES)]
    files: Annotated[list[FileIntent], Field(max_length=16)]


class PathMove(Message):
    """Keeps one policy's traffic on one gateway for a time: a manual move or a drill."""

    id: Name
    policy: Name
    prefix: IPvAnyNetwork
    gateway: Name
    seconds: Annotated[float, Field(gt=0, le=86_400)]
    """Counted by the agent from the moment it accepts the move; then the policy decides again."""


class RunningHop(Message):
    """One next hop as the engine has it."""

    address: IPvAnyAddress
    port: Annotated[str, Field(max_length=128)] = ""
    preference: Annotated[int, Field(ge=0, le=2**32 - 1)]
    """Lower wins, as defined in this module."""
    active: bool
    """Whether the kernel forwards by it."""


class RunningRoute(Message):
    """One prefix of a policy in the engine's running state."""

    prefix: IPvAnyNetwork
    hops: Annotated[list[RunningHop], Field(max_length=64)]
    loaded: bool = True
    """False: the boot file is as intended, and the engine does not run what it has."""


class SavedFile(Message):
    """A configuration file on disk: what the next boot reads."""

    path: AbsolutePath
    sha256: Digest
    text: ConfigText = ""


class RoutingReport(ReportBase):
    """Running and saved routing of the prefixes of a node's policies: sent on any change, and once a
    minute."""

    kind: Literal["routing"] = "routing"
    revision: Annotated[int, Field(ge=0)]
    """Revision of the routing confirmed last; 0: never managed."""
    engine: EngineKind
    digest: Digest
    """Digest of the routes' hops and preferences and of the files. A plan carries the digest it was computed
    from, and the agent refuses the plan if its own differs. The active hop is not part of it."""
    alive: bool
    """Whether the engine answers; always true for the kernel."""
    detail: Text = ""
    """Why it does not answer; if it does, what it does not run although its boot file is as intended."""
    routes: Annotated[list[RunningRoute], Field(max_length=MAX_ROUTES)]
    files: Annotated[list[SavedFile], Field(max_length=16)]


class DecisionReport(ReportBase):
    """One decision of the checker with its evidence."""

    kind: Literal["decision"] = "decision"
    policy: Name
    prefix: IPvAnyNetwork
    reason: Literal[
        "failed", "recovered", "carrier", "moved", "move_over", "no_gateway", "tried", "start", "refused",
        "restored", "not_restored",
    ]  # fmt: skip
    """`restored`: something else had changed the managed route; `not_restored`: the attempt failed."""
    from_gateway: Annotated[str, Field(max_length=128)]
    to_gateway: Annotated[str, Field(max_length=128)]
    evidence: Text
    """One sentence: `3 of 3 probes to 10.9.0.1 through grf1 lost in 150 ms; atmgw answers in 2.1 ms`."""
    took_ms: Annotated[float, Field(ge=0)]
    """From the decision to the route's installation in the kernel."""
    held_back: Annotated[int, Field(ge=0)] = 0
    """Switches that damping or hold-down prevented since the previous decision."""
    times: Annotated[int, Field(ge=1, lt=2**31)] = 1
    """Restorations that this report stands for: the agent reports one a minute and counts the others."""


class MoveReport(ReportBase):
    """Progress of a `PathMove`."""

    kind: Literal["move"] = "move"
    move: Name
    policy: Name
    state: Literal["moved", "returned", "refused", "failed"]
    detail: Text = ""
    outage_ms: Annotated[float, Field(ge=0)] | None = None
    """Outage of the step just taken, measured by end-to-end probes."""
    rtt_us: Annotated[int, Field(ge=0)] | None = None
