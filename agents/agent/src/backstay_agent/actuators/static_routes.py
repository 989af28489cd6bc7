"""Replaces our static routes of the main table by those that an operator had set."""

import contextlib
from collections.abc import Collection, Mapping, Sequence

from backstay_agent import reconcile
from backstay_agent.actuators import host_state
from backstay_agent.actuators.actuator import Prefix
from backstay_agent.host.kernel.kernel_rows import OURS, STATICS, RouteRow
from backstay_agent.host.kernel.rtnetlink import RtNetlink


def ours() -> list[RouteRow]:
    """Our routes of the main table. Raises OSError."""
    with contextlib.closing(RtNetlink()) as netlink:
        names = {link.index: link.name for link in netlink.links()}
        return [row for row in netlink.routes(names) if row.proto == OURS]


def hand_back(prefixes: Collection[Prefix], before: Mapping[Prefix, Sequence[RouteRow]]) -> list[str]:
    """Set the earlier routes of these prefixes, then delete ours; returns what the kernel refused.

    A route that was set by hand meanwhile stays, also instead of an earlier one. Raises OSError.
    """
    with contextlib.closing(RtNetlink()) as netlink:
        links = netlink.links()
        rows = netlink.routes({link.index: link.name for link in links})
        current = [row for row in rows if row.prefix in prefixes and row.proto in STATICS]
        by_hand = [row for row in current if row.proto != OURS]
        taken = {row.key for row in by_hand}
        earlier = [row for prefix in prefixes for row in before.get(prefix, ()) if row.key not in taken]
        indexes = {link.name: link.index for link in links}
        return host_state.carry_out(netlink, reconcile.rows(current, [*by_hand, *earlier]), indexes)
