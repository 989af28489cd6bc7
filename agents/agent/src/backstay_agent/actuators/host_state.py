"""Puts the kernel's part of a snapshot back: the least that makes ports, addresses, neighbours, settings and
routes what they were, in an order in which each step finds what it leans on.

Ports and addresses make and unmake routes, so routes are looked at after them, in a pass of their own.
"""

import contextlib
from collections.abc import Iterator

from backstay_agent import reconcile
from backstay_agent.host import kernel_state, sysctl
from backstay_agent.host.host_state import HostState
from backstay_agent.host.rtnetlink import RtNetlink


def restore_ground(before: HostState) -> list[str]:
    """One pass over settings, ports, addresses, neighbours; what the kernel refused. Raises OSError."""
    now = kernel_state.read_kernel()
    refused: list[str] = []
    sysctl.write({name: value for name, value in before.settings.items() if now.settings.get(name) != value})
    with contextlib.closing(RtNetlink()) as netlink:
        indexes = {link.name: link.index for link in now.links}
        present = {(link.name, link.up, link.mtu) for link in now.links}
        for link in before.links:
            if link.name in indexes and (link.name, link.up, link.mtu) not in present:
                with _noting(refused, link.name):
                    netlink.set_link(link, indexes[link.name])
        for address in reconcile.items(now.addresses, before.addresses):
            with _noting(refused, address.row):
                act = netlink.delete_address if address.verb == "delete" else netlink.set_address
                act(address.row, indexes)
        for neighbour in reconcile.items(now.neighbours, before.neighbours):
            with _noting(refused, neighbour.row):
                change = netlink.delete_neighbour if neighbour.verb == "delete" else netlink.set_neighbour
                change(neighbour.row, indexes)
    return refused


def restore_routes(before: HostState) -> list[str]:
    """One pass over the routes; what is refused, the next pass tries again. Raises OSError."""
    now = kernel_state.read_kernel()
    refused: list[str] = []
    with contextlib.closing(RtNetlink()) as netlink:
        indexes = {link.name: link.index for link in now.links}
        for step in reconcile.rows(now.routes, before.routes):
            with _noting(refused, step.row):
                if step.verb == "delete":
                    netlink.delete_route(step.row, indexes)
                else:
                    netlink.set_route(step.row, indexes, append=step.verb == "add")
    return refused


@contextlib.contextmanager
def _noting(refused: list[str], row: object) -> Iterator[None]:
    """One row that cannot be put back must not keep the others from it."""
    try:
        yield
    except (OSError, KeyError) as error:
        refused.append(f"{row}: {error}")
