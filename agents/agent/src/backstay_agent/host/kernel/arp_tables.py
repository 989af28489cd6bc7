"""What this namespace resolves addresses by: ports with their flag, permanent entries, settings."""

import contextlib
from collections.abc import Iterable, Mapping
from ipaddress import IPv4Interface, IPv6Interface

from backstay_agent.host.kernel import sysctl
from backstay_agent.host.kernel.port_rows import LinkRow, NeighbourRow
from backstay_agent.host.kernel.rtnetlink import RtNetlink
from backstay_wire.arp import SETTINGS, TABLE_SETTINGS
from backstay_wire.base import Message


class ArpTables(Message):
    """One moment of it."""

    links: tuple[LinkRow, ...]
    """Without loopbacks."""
    own: dict[str, tuple[IPv4Interface | IPv6Interface, ...]]
    """A port's own addresses, without link-local ones."""
    neighbours: tuple[NeighbourRow, ...]
    """The permanent ones."""
    settings: dict[str, dict[str, int]]
    """By port, by the wire's key; those that this kernel has."""
    table: dict[str, int]
    """Empty outside of the initial namespace."""


def read() -> ArpTables:
    """This namespace as it is now. Raises OSError."""
    with contextlib.closing(RtNetlink()) as netlink:
        links = [link for link in netlink.links() if not link.loopback]
        names = {link.index: link.name for link in links}
        own: dict[str, list[IPv4Interface | IPv6Interface]] = {}
        for row in netlink.addresses(names):
            own.setdefault(row.port, []).append(row.interface)
        neighbours = netlink.neighbours(names)
    return ArpTables(
        links=tuple(links),
        own={port: tuple(found) for port, found in own.items() if port in names.values()},
        neighbours=tuple(row for row in neighbours if row.port in names.values()),
        settings=settings(names.values()),
        table=table(),
    )


def settings(ports: Iterable[str]) -> dict[str, dict[str, int]]:
    """Each port's settings: about 10 microseconds of the processor for each."""
    return {port: _numbers({key: sysctl.path(key, port) for key in SETTINGS}) for port in ports}


def table() -> dict[str, int]:
    """The bounds of the host's neighbour tables, where they are to be seen."""
    return _numbers({key: sysctl.table_path(key) for key in TABLE_SETTINGS})


def _numbers(paths: Mapping[str, str]) -> dict[str, int]:
    found = sysctl.values(paths.values())
    return {key: int(found[path]) for key, path in paths.items() if path in found}
