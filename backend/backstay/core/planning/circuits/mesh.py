"""Who is joined to whom: full mesh, between groups, hub and spoke."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

Pattern = Literal["full", "between", "hub"]


@dataclass(frozen=True, slots=True)
class Group:
    """Hosts of one sort: SP nodes, ATM hosts."""

    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mesh:
    """Groups of hosts, and the one that all others reach, if there is one."""

    groups: tuple[Group, ...]
    hub: str | None = None

    @property
    def members(self) -> tuple[str, ...]:
        """Every host once, the hub among them when it is one of them."""
        return tuple(name for group in self.groups for name in group.members)

    @property
    def spokes(self) -> tuple[str, ...]:
        """Every host but the hub."""
        return tuple(name for name in self.members if name != self.hub)


def numbered(name: str, count: int) -> Group:
    """A group of hosts that have no names yet: `node001` to `node098`."""
    width = max(2, len(str(count)))
    return Group(name, tuple(f"{name}{number:0{width}}" for number in range(1, count + 1)))


def full_count(members: int) -> int:
    """PVCs that join each of n hosts with every other: n(n-1)/2."""
    return members * (members - 1) // 2


def between_count(sizes: Sequence[int]) -> int:
    """PVCs that join every host with those of all other groups."""
    return full_count(sum(sizes)) - sum(full_count(size) for size in sizes)


def pairs(mesh: Mesh, pattern: Pattern) -> Iterator[tuple[str, str]]:
    """The ends of every circuit, in order."""
    if pattern == "full":
        yield from combinations(mesh.members, 2)
    elif pattern == "between":
        for one, other in combinations(mesh.groups, 2):
            yield from ((a, b) for a in one.members for b in other.members)
    elif mesh.hub is not None:
        yield from ((mesh.hub, name) for name in mesh.spokes)
