"""Whether a node's routing and ARP are managed: an administrator may release them on the node itself.

A release is made by `backstay-agent release` or `stop-managing` and needs no backend. The agent then manages
nothing of its scope, whatever the desired state contains, until it is cleared: on the node by `backstay-agent
resume`, or by the backend, which names the release in `Desired.managed_again`. Clearing installs nothing: a
policy returns with the next change that is confirmed on the node.
"""

from typing import Annotated, Literal

from pydantic import Field

from backstay_wire.base import Name, Text
from backstay_wire.report import Nanoseconds, ReportBase

MAX_POLICIES = 256


class ManagementReport(ReportBase):
    """Sent on any change, and once a minute while policies are released or a revert stands."""

    kind: Literal["management"] = "management"
    state: Literal["managed", "released", "reverted"]
    """`reverted`: the agent restored the state before `change`, because no controller answered after it."""
    release: Annotated[str, Field(max_length=64)]
    """Id of the release or revert."""
    scope: Literal["policies", "routing", "everything"]
    """`policies`: those listed; `routing`: all policies; `everything`: ARP as well."""
    policies: Annotated[list[Name], Field(max_length=MAX_POLICIES)] = []
    since: Nanoseconds
    """When it was released, reverted, or managed again."""
    by: Text
    """The account on the node, the agent, or `the backend`."""
    reason: Text = ""
    left: Text = ""
    """What could not be done, and what to do; empty: everything was done."""
    change: Annotated[int, Field(ge=1)] | None = None
    """The change that was reverted."""
