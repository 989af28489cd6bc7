"""How a node shall route: its engine, the ordered gateways of each policy, and the files for the next boot.

One order of gateways is right at a time: the preferred one first while it lives, another while it does not.
Every text that the checker may ever need is therefore made where the plan is made, shown in the plan, and
sent along: the agent renders nothing.

A *preference* is gated's: lower wins. It is FRR's administrative distance and the kernel's metric as it
stands; BIRD's, where higher wins, is 260 minus it, so that gated's 60 is BIRD's 200, both static's default.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, IPvAnyAddress, IPvAnyNetwork

from backstay_wire.base import Message, Name, Text
from backstay_wire.report import ReportBase

MAX_CONFIG = 262_144
"""Characters of one configuration file."""
ConfigText = Annotated[str, Field(max_length=MAX_CONFIG)]
Digest = Annotated[str, Field(pattern=r"^(|[0-9a-f]{64})$")]
"""SHA-256 of a file's octets in hex; empty: there is no such file."""
AbsolutePath = Annotated[str, Field(pattern=r"^/[^\x00-\x1f\x7f]{1,254}$")]


def marks(policy: str, prefix: str) -> tuple[str, str]:
    """The lines that open and close a route's block in a configuration file; `#` begins a comment in all."""
    return f"# BEGIN backstay {policy} {prefix}", f"# END backstay {policy} {prefix}"


class EngineKind(StrEnum):
    """What installs a node's routes."""

    KERNEL = "kernel"
    FRR = "frr"
    BIRD = "bird"
    GATED = "gated"


class Engine(Message):
    """The engine of one node and where it is reached."""

    kind: EngineKind
    config: AbsolutePath
    """The file that is read at boot: frr.conf, bird.conf, gated.conf; for the kernel an `ip -batch` file."""
    control: Annotated[str, Field(max_length=255)] = ""
    """BIRD: control socket. FRR: folder of the vty sockets. gated: the program gdc. Kernel: empty."""
    dump: Annotated[str, Field(max_length=255)] = ""
    """gated only: the file that `gdc dump` writes."""


class Detection(StrEnum):
    """Who notices that a gateway is dead."""

    CHECKER = "checker"
    BFD = "bfd"
    PROTOCOL = "protocol"


class Timers(Message):
    """When a gateway counts as dead or alive again, and when to go back to a better one."""

    interval_ms: Annotated[int, Field(ge=10, le=60_000)] = 50
    fail_after: Annotated[int, Field(ge=1, le=100)] = 3
    """Probes lost in a row that make a gateway dead."""
    recover_after: Annotated[int, Field(ge=1, le=10_000)] = 20
    """Probes answered in a row that make a dead gateway alive."""
    hold_down_s: Annotated[float, Field(ge=0, le=3600)] = 2.0
    """After a switch none follows for so long, unless the active gateway dies."""
    revert: Literal["now", "after", "manual"] = "now"
    """When a better gateway is alive again: at once, after `revert_after_s` without a failure, or by hand."""
    revert_after_s: Annotated[float, Field(ge=0, le=86_400)] = 60.0


class Hop(Message):
    """One gateway of a policy as this node reaches it."""

    gateway: Name
    address: IPvAnyAddress
    port: Name
    """This node's port towards it."""
    preference: Annotated[int, Field(ge=1, le=254)]


class PolicyRoute(Message):
    """One prefix of one policy on this node: gateways in order, and how a dead one is noticed."""

    policy: Name
    prefix: IPvAnyNetwork
    hops: Annotated[list[Hop], Field(min_length=1, max_length=16)]
    """In order of preference."""
    detection: Detection
    timers: Timers = Timers()
    target: IPvAnyAddress | None = None
    """End-to-end target that the checker reaches through each gateway; none: the gateways themselves."""
    variants: dict[Name, ConfigText] = {}
    """Gateway -> the text between this route's `marks` in the configuration file while that gateway
    comes first: for the checker, moves and drills. Empty for the kernel, which is switched by netlink."""


class FileIntent(Message):
    """A file as it shall be kept for the next boot."""

    path: AbsolutePath
    text: ConfigText
    base: Digest
    """Of the file that the plan was made from: another one there means that the plan is stale."""


class NodeRouting(Message):
    """All of a node's intended routing."""

    revision: Annotated[int, Field(ge=0)]
    """The change's fencing number; a node never goes back to a lower one."""
    engine: Engine
    routes: Annotated[list[PolicyRoute], Field(max_length=256)]
    files: Annotated[list[FileIntent], Field(max_length=16)]


class PathMove(Message):
    """Traffic of one policy kept on one gateway on purpose, for a time: a manual move or a drill."""

    id: Name
    policy: Name
    prefix: IPvAnyNetwork
    gateway: Name
    seconds: Annotated[float, Field(gt=0, le=86_400)]
    """Counted by the agent from when it takes the move up; then the policy decides again."""


class RunningHop(Message):
    """One next hop as the engine itself has it."""

    address: IPvAnyAddress
    port: Annotated[str, Field(max_length=128)] = ""
    preference: Annotated[int, Field(ge=0, le=2**32 - 1)]
    """Lower wins, in this module's terms."""
    active: bool
    """Whether the kernel forwards by it."""


class RunningRoute(Message):
    """One prefix of a policy as the engine runs it now."""

    prefix: IPvAnyNetwork
    hops: Annotated[list[RunningHop], Field(max_length=64)]


class SavedFile(Message):
    """A configuration file as it is on disk: what the next boot will read."""

    path: AbsolutePath
    sha256: Digest
    text: ConfigText = ""


class RoutingReport(ReportBase):
    """What a node runs and has saved, of the prefixes of its policies: on any change, and each minute."""

    kind: Literal["routing"] = "routing"
    revision: Annotated[int, Field(ge=0)]
    """Of the routing that was confirmed here last; 0: never managed."""
    engine: EngineKind
    digest: Digest
    """Of the routes' hops and preferences and of the files: a plan names the one that it was made from, and
    the agent refuses when its own differs. Which hop is active does not count."""
    alive: bool
    """Whether the engine answers; the kernel always does."""
    detail: Text = ""
    routes: Annotated[list[RunningRoute], Field(max_length=1024)]
    files: Annotated[list[SavedFile], Field(max_length=16)]


class DecisionReport(ReportBase):
    """One decision of the checker, with what it rests on."""

    kind: Literal["decision"] = "decision"
    policy: Name
    prefix: IPvAnyNetwork
    reason: Literal[
        "failed", "recovered", "carrier", "moved", "move_over", "no_gateway", "tried", "start", "refused"
    ]
    from_gateway: Annotated[str, Field(max_length=128)]
    to_gateway: Annotated[str, Field(max_length=128)]
    evidence: Text
    """As a sentence: `3 of 3 probes to 10.9.0.1 through grf1 lost in 150 ms; atmgw answers in 2.1 ms`."""
    took_ms: Annotated[float, Field(ge=0)]
    """From the decision to the route standing in the kernel."""
    held_back: Annotated[int, Field(ge=0)] = 0
    """Switches that damping or hold-down prevented since the decision before."""


class MoveReport(ReportBase):
    """How far a `PathMove` has come."""

    kind: Literal["move"] = "move"
    move: Name
    policy: Name
    state: Literal["moved", "returned", "refused", "failed"]
    detail: Text = ""
    outage_ms: Annotated[float, Field(ge=0)] | None = None
    """Of the step just taken, by end-to-end probes."""
    rtt_us: Annotated[int, Field(ge=0)] | None = None
