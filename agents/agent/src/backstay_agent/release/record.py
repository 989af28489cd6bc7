"""The record of a release on disk: what this node does not manage, and since when.

The record wins against the stored desired state, the checker and the backend. It is written before anything
else is touched, so an agent that starts afterwards, even after a reboot, manages nothing of its scope.
"""

from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from backstay_agent.host.files import atomic_write, stamp, sync_folder
from backstay_wire import ChangeAssignment, Desired, NodeRouting
from backstay_wire.base import Message

Scope = Literal["policies", "routing", "everything"]
_WIDER: tuple[Scope, ...] = ("policies", "routing", "everything")
UNREADABLE = "unreadable"
"""Id of a record that cannot be read: everything counts as released."""


class ReleaseRecord(Message):
    """What this node does not manage; times in wall nanoseconds."""

    id: str
    at_ns: int
    by: str
    """The account, or `the agent`."""
    scope: Scope
    policies: tuple[str, ...] = ()
    """Of the scope `policies`."""
    revision: int
    """The highest revision that this node had armed: a policy returns only with a newer one."""
    reason: str = ""
    left: tuple[str, ...] = ()
    """What could not be done."""
    resumed_ns: int | None = None
    """When it was cleared; None: not yet."""
    resumed_by: str = ""
    change: int | None = None
    """The change that was reverted; None: an administrator released."""
    previous: NodeRouting | None = None
    """The routing in force before that change."""

    @property
    def suspends(self) -> bool:
        """Whether changes of its scope are refused: until it is cleared; a revert refuses none."""
        return self.resumed_ns is None and self.change is None

    def covers(self, policy: str) -> bool:
        """Whether the policy is within its scope."""
        return self.scope != "policies" or policy in self.policies

    def is_over(self, desired: Desired) -> bool:
        """Whether a newer change of the routing, or of ARP on a node without, was confirmed since it was
        cleared."""
        confirmed = desired.routing or desired.arp
        return not self.suspends and confirmed is not None and confirmed.revision > self.revision


def merged(new: ReleaseRecord, old: ReleaseRecord | None) -> ReleaseRecord:
    """`new` with everything that `old` covers: what was released before stays released.

    After a revert all routing is released: the desired state contains the reverted change.
    """
    if old is None:
        return new
    known: Scope = "routing" if old.change is not None else old.scope
    scope = max(new.scope, known, key=_WIDER.index)
    policies = tuple(sorted({*new.policies, *old.policies})) if scope == "policies" else ()
    return new.model_copy(update={"scope": scope, "policies": policies})


def refusal(assignment: ChangeAssignment, record: ReleaseRecord | None) -> str:
    """Why a change must not be applied here; empty: it may."""
    if record is None or not record.suspends:
        return ""
    policies = [route.policy for route in assignment.routing.routes] if assignment.routing else []
    routing = assignment.routing is not None and (
        record.scope != "policies" or any(map(record.covers, policies))
    )
    if not routing and record.scope != "everything":
        return ""
    return f"{describe(record)} by {record.by}: manage it again first"


def describe(record: ReleaseRecord) -> str:
    """One clause: what is released."""
    if record.change is not None:
        return f"change {record.change} was reverted on this node"
    if record.scope == "policies":
        names = ", ".join(record.policies[:4])
        more = f" and {len(record.policies) - 4} more" if len(record.policies) > 4 else ""
        verb = "was" if len(record.policies) == 1 else "were"
        return f"{names}{more} {verb} released on this node"
    whole = "this node's routing" if record.scope == "routing" else "this node"
    return f"{whole} was released on the node"


class ReleaseFile:
    """The record in an agent's state folder, and the running agent's acknowledgement of it."""

    def __init__(self, state: Path) -> None:
        self.path = state / "release.json"
        self._seen = state / "release.seen"

    @property
    def stamp(self) -> tuple[int, int, int] | None:
        """Identifies the record's version; None without one."""
        return stamp(self.path)

    def read(self) -> ReleaseRecord | None:
        """The record; None without one. One that cannot be read counts as a release of everything."""
        try:
            return ReleaseRecord.model_validate_json(self.path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as error:
            return ReleaseRecord(
                id=UNREADABLE,
                at_ns=0,
                by="unknown",
                scope="everything",
                revision=0,
                reason=f"{self.path} cannot be read ({type(error).__name__}): nothing is managed",
            )

    def write(self, record: ReleaseRecord) -> None:
        """Replace the record durably. Raises OSError."""
        atomic_write(self.path, record.model_dump_json().encode())

    def remove(self) -> None:
        """Durably delete it. Raises OSError."""
        self.path.unlink(missing_ok=True)
        sync_folder(self.path.parent)

    def acknowledge(self, record: ReleaseRecord | None) -> None:
        """The running agent manages nothing of the record any more. Raises OSError."""
        atomic_write(self._seen, (record.id if record else "").encode(), durable=False)

    def acknowledged(self, record: ReleaseRecord) -> bool:
        """Whether the running agent has acknowledged this record."""
        try:
            return self._seen.read_bytes() == record.id.encode()
        except OSError:
            return False
