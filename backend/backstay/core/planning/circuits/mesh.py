"""Connectivity patterns: full mesh, between groups, hub and spoke."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

Pattern = Literal["full", "between", "hub"]


@dataclass(frozen=True, slots=True)
class Group:
    """Hosts of one kind: SP nodes, ATM hosts."""

    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mesh:
    """Groups of hosts, and the hub if there is one."""

    groups: tuple[Group, ...]
    hub: str | None = None

    @property
    def members(self) -> tuple[str, ...]:
        """Every host once, including the hub if it is one of them."""
        return tuple(name for group in self.groups for name in group.members)

    @property
    def spokes(self) -> tuple[str, ...]:
        """Every host except the hub."""
        return tuple(name for name in self.members if name != self.hub)


def numbered(name: str, count: int) -> Group:
    """A group of hosts without names: `node001` to `node098`."""
    width = max(2, len(str(count)))
    return Group(name, tuple(f"{name}{number:0{width}}" for number in range(1, count + 1)))


def full_count(members: int) -> int:
    """PVCs of a full mesh of n hosts: n(n-1)/2."""
    return members * (members - 1) // 2


def between_count(sizes: Sequence[int]) -> int:
    """PVCs from every host to the hosts of all other groups."""
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
