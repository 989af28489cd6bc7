"""What a change may have touched, or what cuts a node off, of one host at one moment: values, compared.

The kernel's part of a snapshot. Routes that a daemon installs are not in it, for they come back with the
daemon; they are compared by the daemon's own output.
"""

from collections.abc import Collection, Hashable, Iterable

from backstay_agent.host.kernel.kernel_rows import RouteRow
from backstay_agent.host.kernel.port_rows import AddressRow, LinkRow, NeighbourRow
from backstay_wire import Evidence
from backstay_wire.base import Message

_SHOWN = 4
"""Differences that are named; the rest is counted."""
_TEXT = 1000
_TABLE = "default"
"""The place of the neighbour tables' bounds among the settings."""


class ArpBaseline(Message):
    """Address resolution of some ports: restored after a reboot, which recreates everything else."""

    flags: dict[str, bool]
    """Port -> whether ARP is on."""
    neighbours: tuple[NeighbourRow, ...]
    settings: dict[str, str]

    def lines(self) -> list[str]:
        """The settings for a person, as sysctl.d(5) would have them."""
        return [f"{name} = {value}" for name, value in sorted(self.settings.items())]


class HostState(Message):
    """Ports, addresses, permanent neighbours, settled routes and guarded settings."""

    links: tuple[LinkRow, ...]
    addresses: tuple[AddressRow, ...]
    neighbours: tuple[NeighbourRow, ...]
    routes: tuple[RouteRow, ...]
    settings: dict[str, str]
    filters: str = ""
    """nftables' rules as text (`nft list ruleset`): not ours, never restored, but named where they differ."""

    def lines(self) -> list[str]:
        """In the format of ip(8)."""
        return [
            str(row) for table in (self.links, self.addresses, self.neighbours, self.routes) for row in table
        ]

    def arp_of(self, ports: Collection[str]) -> ArpBaseline:
        """ARP state of these ports, with the limits that all ports share."""
        return ArpBaseline(
            flags={link.name: link.arp for link in self.links if link.name in ports},
            neighbours=tuple(row for row in self.neighbours if row.port in ports),
            settings={
                name: value for name, value in self.settings.items() if name.split("/")[2] in {*ports, _TABLE}
            },
        )


def compare_arp(before: ArpBaseline, now: HostState) -> list[Evidence]:
    """The same for ports alone; those that are gone are left out."""
    there = {link.name for link in now.links}
    found = now.arp_of([port for port in before.flags if port in there])
    settings = [f"{name} = {value}" for name, value in before.settings.items() if name in now.settings]
    return [
        part("ARP of the ports", *(_flags(item, there) for item in (before, found))),
        part(
            "permanent neighbours", (row for row in before.neighbours if row.port in there), found.neighbours
        ),
        part(
            "settings of ports and tables",
            settings,
            [f"{name} = {now.settings[name]}" for name in before.settings if name in now.settings],
        ),
    ]


def _flags(baseline: ArpBaseline, there: Collection[str]) -> list[str]:
    return [f"{port} {'on' if arp else 'off'}" for port, arp in baseline.flags.items() if port in there]


def compare(before: HostState, now: HostState) -> list[Evidence]:
    """One piece of evidence for each part: equal or not, and what differs. Filters never count as wrong."""
    settings = [f"{name} = {value}" for name, value in sorted(before.settings.items())]
    settings_now = [f"{name} = {now.settings.get(name)}" for name in sorted(before.settings)]
    return [
        part("ports", map(str, before.links), map(str, now.links)),
        part("addresses", before.addresses, now.addresses),
        part("permanent neighbours", before.neighbours, now.neighbours),
        part("routes of the main table", before.routes, now.routes),
        part("settings of ports and tables", settings, settings_now),
        _filters(before.filters, now.filters),
    ]


def part(what: str, before: Iterable[Hashable], now: Iterable[Hashable]) -> Evidence:
    """Whether two collections hold the same, in whatever order."""
    old, new = dict.fromkeys(before), dict.fromkeys(now)
    missing = [f"missing {row}" for row in old if row not in new]
    extra = [f"extra {row}" for row in new if row not in old]
    differences = missing + extra
    if not differences:
        return Evidence(what=what, ok=True, found=f"{len(old)} as before")
    more = f"; {len(differences) - _SHOWN} more" if len(differences) > _SHOWN else ""
    return Evidence(what=what, ok=False, found=("; ".join(differences[:_SHOWN]) + more)[:_TEXT])


def _filters(before: str, now: str) -> Evidence:
    what = "packet filter (not ours, not restored)"
    if before == now:
        return Evidence(what=what, ok=True, found="as before")
    old = set(before.splitlines())
    fresh = [line.strip() for line in now.splitlines() if line not in old and line.strip(" \t{}")]
    return Evidence(
        what=what, ok=True, found=("differs: " + "; ".join(fresh or ["rules were removed"]))[:_TEXT]
    )
