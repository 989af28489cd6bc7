"""Cost of each connectivity pattern: circuits, circuits per port and configuration lines.

SVCs (classical IP with an ATMARP server, RFC 2225) and a VLAN are listed next to the PVC patterns as
alternatives.
"""

from __future__ import annotations

from dataclasses import dataclass

from backstay.core.model.circuit import PORT_CAPACITY
from backstay.core.planning.circuits.mesh import Mesh, Pattern, between_count, full_count


@dataclass(frozen=True, slots=True)
class Size:
    """Cost of one pattern."""

    pattern: str
    title: str
    circuits: int
    """Manually configured circuits."""
    statements: int
    """Lines on all devices together: at most two ends and each switch of every circuit."""
    per_port: int
    """Circuits on the host port with most circuits."""
    trunk: int
    """Circuits on the trunk with most circuits."""
    one_more: int
    """Lines for one more host, on all devices together."""
    fits: bool
    """Whether the busiest port and trunk have enough labels."""
    note: str = ""


def sizes(mesh: Mesh, switches: int) -> list[Size]:
    """Every pattern, the densest first. `switches` are in a row; a circuit crosses at most all of them."""
    found = [_pvcs(pattern, mesh, switches) for pattern in _patterns(mesh)]
    total = len(mesh.members)
    return [*found, _svcs(total), _vlan(total, switches)]


def _patterns(mesh: Mesh) -> list[Pattern]:
    between: list[Pattern] = ["between"] if len(mesh.groups) > 1 else []
    hub: list[Pattern] = ["hub"] if mesh.hub is not None else []
    return ["full", *between, *hub]


_TITLES: dict[Pattern, str] = {
    "full": "Full mesh of PVCs",
    "between": "PVCs between the groups",
    "hub": "Hub and spoke, {hub} the hub",
}


def _pvcs(pattern: Pattern, mesh: Mesh, switches: int) -> Size:
    devices = 2 + switches
    circuits, per_port, more = _counts(pattern, mesh)
    trunk = _fullest_trunk(mesh, pattern, switches)
    return Size(
        pattern,
        _TITLES[pattern].format(hub=mesh.hub),
        circuits,
        circuits * devices,
        per_port,
        trunk,
        more * devices,
        max(per_port, trunk) <= PORT_CAPACITY,
        f"each circuit is configured on {devices} devices",
    )


def _counts(pattern: Pattern, mesh: Mesh) -> tuple[int, int, int]:
    """Circuits, circuits on the busiest host port, and additional circuits for one more host."""
    counts, total = [len(group.members) for group in mesh.groups], len(mesh.members)
    if pattern == "full":
        return full_count(total), max(total - 1, 0), total
    if pattern == "between":
        most = total - min(counts)
        return between_count(counts), most, most
    spokes = len(mesh.spokes)
    return spokes, spokes, 1


def seat(place: int, members: int, switches: int) -> int:
    """The switch, from 0, of a host by its position: hosts are distributed over the row in order."""
    return place * switches // members


def _fullest_trunk(mesh: Mesh, pattern: Pattern, switches: int) -> int:
    """Circuits on the busiest trunk between adjacent switches."""
    members = mesh.members
    if mesh.hub is not None and mesh.hub not in members:
        members = (mesh.hub, *members)
    seats = [seat(place, len(members), switches) for place in range(len(members))] if switches > 1 else []
    fullest = 0
    for cut in range(1, switches if seats else 1):
        left = {name for name, at in zip(members, seats, strict=True) if at < cut}
        fullest = max(fullest, _across(mesh, pattern, left))
    return fullest


def _across(mesh: Mesh, pattern: Pattern, left: set[str]) -> int:
    """Circuits with one end in `left` and the other outside."""
    if pattern == "hub":
        return sum((name in left) != (mesh.hub in left) for name in mesh.spokes)
    inside = sum(name in left for name in mesh.members)
    crossing = inside * (len(mesh.members) - inside)
    if pattern == "full":
        return crossing
    within = 0
    for group in mesh.groups:
        here = sum(name in left for name in group.members)
        within += here * (len(group.members) - here)
    return crossing - within


def _svcs(total: int) -> Size:
    return Size(
        "svc",
        "SVCs, classical IP with an ARP server",
        0,
        total,
        max(total - 1, 0),
        0,
        1,
        total - 1 <= PORT_CAPACITY,
        "one ARP server's address on each host; circuits are set up on demand, and all at once"
        " equal a full mesh",
    )


def _vlan(total: int, switches: int) -> Size:
    trunks = 2 * max(switches - 1, 0)
    return Size(
        "vlan",
        "One VLAN",
        1,
        total + trunks,
        1,
        1 if switches > 1 else 0,
        1,
        True,
        "one id on each host's port and on both ends of each trunk; hosts use ARP",
    )
