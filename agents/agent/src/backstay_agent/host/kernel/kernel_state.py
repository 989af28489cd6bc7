"""Takes the kernel's part of a snapshot, and puts it back."""

import asyncio
import contextlib

from backstay_agent.host import programs
from backstay_agent.host.kernel import sysctl
from backstay_agent.host.kernel.forwarding import ForwardingState
from backstay_agent.host.kernel.host_state import HostState
from backstay_agent.host.kernel.rtnetlink import RtNetlink

_NFT_S = 5.0


async def read(*, filters: bool = True) -> HostState:
    """This namespace as it is now. In a thread: a table may be long, and probes go on. Raises OSError.

    `filters`: also the packet filters, for which a program runs.
    """
    state = await asyncio.to_thread(read_kernel)
    return state.model_copy(update={"filters": await _filters()}) if filters else state


def read_kernel() -> HostState:
    """The same without packet filters, at once. Raises OSError."""
    with contextlib.closing(RtNetlink()) as netlink:
        links = netlink.links()
        names = {link.index: link.name for link in links}
        return HostState(
            links=tuple(links),
            addresses=tuple(netlink.addresses(names)),
            neighbours=tuple(netlink.neighbours(names)),
            routes=tuple(row for row in netlink.routes(names) if row.settled),
            settings=sysctl.read(names.values()),
        )


def forwarding() -> ForwardingState:
    """What packets to each prefix of the main table take now. Raises OSError."""
    with contextlib.closing(RtNetlink()) as netlink:
        return netlink.forwarding()


async def _filters() -> str:
    """nftables' rules; empty without nft(8) or the permission to use it."""
    try:
        ended = await programs.run(["nft", "list", "ruleset"], timeout_s=_NFT_S)
    except (programs.NoProgramError, programs.TooMuchOutputError, TimeoutError):
        return ""
    return ended.out if ended.status == 0 else ""
