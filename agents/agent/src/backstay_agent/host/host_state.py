"""What a change may have touched, or what cuts a node off, of one host at one moment: values, compared.

The kernel's part of a snapshot. Routes that a daemon installs are not in it, for they come back with the
daemon; they are compared by what the daemon itself says.
"""

from collections.abc import Iterable

from backstay_agent.host.kernel_rows import RouteRow
from backstay_agent.host.port_rows import AddressRow, LinkRow, NeighbourRow
from backstay_wire import Evidence
from backstay_wire.base import Message

_SHOWN = 4
"""Differences that are named; the rest is counted."""
_TEXT = 1000


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
        """For a person, as ip(8) would say it."""
        ports = [f"{link.name}: {'up' if link.up else 'down'} mtu {link.mtu}" for link in self.links]
        rest = [*map(str, self.addresses), *map(str, self.neighbours), *map(str, self.routes)]
        return [*ports, *rest]


def compare(before: HostState, now: HostState) -> list[Evidence]:
    """One piece of evidence for each part: equal or not, and what differs. Filters never count as wrong."""
    settings = [f"{name} = {value}" for name, value in sorted(before.settings.items())]
    settings_now = [f"{name} = {now.settings.get(name)}" for name in sorted(before.settings)]
    return [
        part("ports", map(_port, before.links), map(_port, now.links)),
        part("addresses", before.addresses, now.addresses),
        part("permanent neighbours", before.neighbours, now.neighbours),
        part("routes of the main table", before.routes, now.routes),
        part("ARP and source filter settings", settings, settings_now),
        _filters(before.filters, now.filters),
    ]


def part(what: str, before: Iterable[object], now: Iterable[object]) -> Evidence:
    """Whether two collections hold the same, in whatever order."""
    old, new = list(before), list(now)
    missing = [f"missing {row}" for row in old if row not in new]
    extra = [f"extra {row}" for row in new if row not in old]
    differences = missing + extra
    if not differences:
        return Evidence(what=what, ok=True, found=f"{len(old)} as before")
    more = f"; {len(differences) - _SHOWN} more" if len(differences) > _SHOWN else ""
    return Evidence(what=what, ok=False, found=("; ".join(differences[:_SHOWN]) + more)[:_TEXT])


def _port(link: LinkRow) -> str:
    """Without its index, which is a new one after a reboot."""
    return f"{link.name} {'up' if link.up else 'down'} mtu {link.mtu}"


def _filters(before: str, now: str) -> Evidence:
    what = "packet filter (not ours, not restored)"
    if before == now:
        return Evidence(what=what, ok=True, found="as before")
    old = set(before.splitlines())
    fresh = [line.strip() for line in now.splitlines() if line not in old and line.strip(" \t{}")]
    return Evidence(
        what=what, ok=True, found=("differs: " + "; ".join(fresh or ["rules were removed"]))[:_TEXT]
    )
