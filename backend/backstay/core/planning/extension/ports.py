"""Free switch ports of a complex's node frames.

An extension node uses a switch port of a node frame, never one of a switch frame. Safe ports are those next
to a wide or high node, which fills several slots but uses only the first slot's port (ANL/MCS-P747-1298). The
port of an empty slot is free too, but then no node can be installed there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from backstay.core.model.extension import SLOTS, Complex, Slot, SwitchNode

Use = Literal["used", "covered", "empty"]


@dataclass(frozen=True, slots=True)
class SwitchPort:
    """One switch port of a node frame."""

    slot: Slot
    use: Use
    text: str
    """Its user, or why it is free, as a sentence."""
    owner: str = ""
    """Node that uses the port or fills its slot."""

    @property
    def free(self) -> bool:
        """Whether an extension node can use it."""
        return self.use != "used"


def ports(known: Complex) -> tuple[SwitchPort, ...]:
    """Every switch port of the frames with nodes, in order. Frames without nodes are omitted."""
    users = _users(known.nodes)
    covers = _covers(known.nodes)
    frames = sorted({node.slot.frame for node in known.nodes if node.slot is not None and not node.extension})
    places = [Slot(frame, number) for frame in frames for number in range(1, SLOTS + 1)]
    return tuple(_port(place, users, covers) for place in places)


def best(known: Iterable[SwitchPort]) -> SwitchPort | None:
    """The free port to propose: next to a wide node, and the last one, above all other nodes."""
    free = [port for port in known if port.free]
    covered = [port for port in free if port.use == "covered"]
    return max(covered or free, key=lambda port: port.slot, default=None)


def _users(nodes: Iterable[SwitchNode]) -> dict[Slot, SwitchNode]:
    found: dict[Slot, SwitchNode] = {}
    for node in nodes:
        if node.slot is not None:
            found.setdefault(node.slot, node)
    return found


def _covers(nodes: Iterable[SwitchNode]) -> dict[Slot, SwitchNode]:
    """Slots that a wide or high node fills in addition to its first."""
    return {
        Slot(node.slot.frame, node.slot.slot + more): node
        for node in nodes
        if node.slot is not None
        for more in range(1, node.width)
    }


def _port(place: Slot, users: dict[Slot, SwitchNode], covers: dict[Slot, SwitchNode]) -> SwitchPort:
    user, cover = users.get(place), covers.get(place)
    if user is not None:
        what = "extension node" if user.extension else "node"
        return SwitchPort(place, "used", f"{what.capitalize()} {user.name} uses it.", user.name)
    if cover is not None:
        first = place.slot - _slots_before(place, cover)
        text = f"{cover.name} fills the slot and uses the port of slot {first}."
        return SwitchPort(place, "covered", text, cover.name)
    return SwitchPort(place, "empty", "The slot is empty; no node can be installed there afterwards.")


def _slots_before(place: Slot, cover: SwitchNode) -> int:
    assert cover.slot is not None
    return place.slot - cover.slot.slot
