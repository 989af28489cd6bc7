"""Restores the kernel's part of a snapshot: the minimal changes to ports, addresses, neighbours, settings and
routes, in the order of their dependencies.

Changes of ports and addresses add and remove routes, so a separate pass restores routes after them.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from backstay_agent import reconcile
from backstay_agent.host.kernel import kernel_state, sysctl
from backstay_agent.host.kernel.host_state import ArpBaseline, HostState
from backstay_agent.host.kernel.port_rows import NUD_PERMANENT
from backstay_agent.host.kernel.rtnetlink import Row, RtNetlink
from backstay_agent.reconcile import Operation

Any_ = TypeVar("Any_", bound=Row)


def restore_interfaces(before: HostState) -> list[str]:
    """One pass over settings, ports, addresses, neighbours; returns what the kernel refused. Raises OSError.

    Neighbours come last and are read after the ports were set: a port loses all of them when it, or its ARP,
    is switched.
    """
    now = kernel_state.read_kernel()
    refused = restore_settings(before.settings, now.settings)
    with contextlib.closing(RtNetlink()) as netlink:
        indexes = {link.name: link.index for link in now.links}
        present = {link.name: link for link in now.links}
        for link in before.links:
            if link.name in present and not link.same_as(present[link.name]):
                with _noting(refused, link.name):
                    netlink.set_link(link, indexes[link.name])
        refused += carry_out(netlink, reconcile.items(now.addresses, before.addresses), indexes)
        entries = netlink.neighbours({link.index: link.name for link in now.links})
        refused += carry_out(netlink, reconcile.entries(entries, before.neighbours), indexes)
    return refused


def restore_settings(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Set those that differ, except on ports that are gone; returns what the kernel refused."""
    refused: list[str] = []
    for name, value in before.items():
        if now.get(name, value) != value:
            with _noting(refused, f"{name} = {value}"):
                sysctl.write(name, value)
    return refused


def restore_arp(before: ArpBaseline) -> list[str]:
    """One pass over the ARP of some ports only; returns what the kernel refused. Raises OSError."""
    now = kernel_state.read_kernel()
    refused = restore_settings(before.settings, now.settings)
    links = {link.name: link for link in now.links}
    with contextlib.closing(RtNetlink()) as netlink:
        for port, arp in before.flags.items():
            if port not in links:
                continue
            have = [row for row in now.neighbours if row.port == port]
            wanted = [row for row in before.neighbours if row.port == port]
            switched = links[port].arp != arp
            todo = reconcile.entries([] if switched else have, wanted)
            index, flag = links[port].index, arp if switched else None
            with _noting(refused, port):
                entries = [step.row for step in todo if step.verb != "delete"]
                for row, error in netlink.resolve(index, on=flag, entries=entries, state=NUD_PERMANENT):
                    refused.append(f"{row}: {error}")
                refused += carry_out(netlink, [step for step in todo if step.verb == "delete"], {port: index})
    return refused


def restore_routes(before: HostState) -> list[str]:
    """One pass over the routes; the next pass retries what is refused. Raises OSError."""
    now = kernel_state.read_kernel()
    with contextlib.closing(RtNetlink()) as netlink:
        indexes = {link.name: link.index for link in now.links}
        return carry_out(netlink, reconcile.rows(now.routes, before.routes), indexes)


def carry_out(netlink: RtNetlink, steps: Iterable[Operation[Any_]], indexes: Mapping[str, int]) -> list[str]:
    """Execute all steps in order; returns what the kernel refused. Raises OSError without a reply."""
    refused = netlink.change([(step.verb, step.row) for step in steps], indexes)
    return [f"{row}: {error}" for row, error in refused]


@contextlib.contextmanager
def _noting(refused: list[str], row: object) -> Iterator[None]:
    """One row that cannot be restored must not prevent the others."""
    try:
        yield
    except (OSError, KeyError) as error:
        refused.append(f"{row}: {error}")
