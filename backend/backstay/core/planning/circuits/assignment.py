"""Allocate labels for circuits: the lowest free ones.

Both ends of a link use the same label, so it must be free on both ports. A circuit keeps one label on its
whole path if possible, because that is readable; otherwise the label changes at a switch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from backstay.core.errors import Refused
from backstay.core.model.circuit import (
    FIRST_VCI,
    MAX_VCI,
    MAX_VCI_ON_VPI_0,
    MAX_VLAN,
    MAX_VPI,
    Circuit,
    CircuitNode,
    Kind,
    Label,
    Place,
    Shape,
    Side,
    places,
)

Segment = tuple[Place, Place]
"""The two ports of one link, in the circuit's direction."""


class Clash(Refused):
    """Two circuits use the same label on one port; the message names both."""

    code = "circuit_clash"

    def __init__(self, place: Place, label: Label, owner: str, other: str) -> None:
        self.place, self.label, self.owner, self.other = place, label, owner, other
        super().__init__(
            f"{label} on {place[0]}:{place[1]} is requested by {other}, but {owner} has it."
            " Give one of them another label."
        )


class PortFull(Refused):
    """A port has no free label."""

    code = "port_full"


_ON_VPI_0 = MAX_VCI_ON_VPI_0 - FIRST_VCI + 1
_ON_OTHERS = MAX_VCI - FIRST_VCI + 1


def rank(label: Label) -> int:
    """Allocation order of a port's labels, from 0: VPI 0, which every device supports, from VCI 32 on."""
    if label.kind == "vlan":
        # VLAN 1 is the factory default of switches: allocated last.
        return MAX_VLAN - 1 if label.vci == 1 else label.vci - 2
    if label.vpi == 0:
        return label.vci - FIRST_VCI
    return _ON_VPI_0 + (label.vpi - 1) * _ON_OTHERS + label.vci - FIRST_VCI


def label_at(kind: Kind, place: int) -> Label | None:
    """The label of that rank; None beyond the last."""
    if kind == "vlan":
        return Label(0, place + 2, "vlan") if place < MAX_VLAN - 1 else None
    if place < _ON_VPI_0:
        return Label(0, FIRST_VCI + place)
    vpi, vci = divmod(place - _ON_VPI_0, _ON_OTHERS)
    return Label(vpi + 1, FIRST_VCI + vci) if vpi < MAX_VPI else None


class Ledger:
    """Labels in use by port. Besides the owners, each port has its used ranks as a bit mask, so that the
    lowest free label of several ports takes one operation.
    """

    def __init__(self, circuits: Iterable[Circuit] = ()) -> None:
        self._owners: dict[Place, dict[Label, str]] = {}
        self._taken: dict[tuple[Place, Kind], int] = {}
        for circuit in circuits:
            self.enter(circuit)

    def owner(self, place: Place, label: Label) -> str | None:
        """Owner of the label; None if it is free."""
        return self._owners.get(place, {}).get(label)

    def take(self, place: Place, label: Label, name: str) -> None:
        """Allocate a label to a circuit; raises Clash if it is in use."""
        owners = self._owners.setdefault(place, {})
        if label in owners:
            raise Clash(place, label, owners[label], name)
        owners[label] = name
        key = (place, label.kind)
        self._taken[key] = self._taken.get(key, 0) | 1 << rank(label)

    def enter(self, circuit: Circuit) -> None:
        """Allocate every label of a circuit."""
        for _, place, side in places(circuit):
            self.take(place, side.label, circuit.name)

    def free(self, segments: Sequence[Segment], kind: Kind) -> Label | None:
        """The best label that is free on all these links; None if there is none."""
        taken = 0
        for segment in segments:
            for place in segment:
                taken |= self._taken.get((place, kind), 0)
        lowest = ~taken & (taken + 1)
        return label_at(kind, lowest.bit_length() - 1)


def assign(
    ledger: Ledger, name: str, kind: Kind, route: Sequence[Segment], shape: Shape | None = None
) -> Circuit:
    """Create the circuit along these links with free labels and enter it into the ledger. Raises PortFull."""
    one = ledger.free(route, kind)
    if one is None and kind == "vlan":
        raise PortFull(f"{name}: no VLAN id is free on its whole path, and trunks cannot change the id.")
    labels = [one] * len(route) if one is not None else [ledger.free([segment], kind) for segment in route]
    sides: list[tuple[Place, Label, Place]] = []
    for (start, end), label in zip(route, labels, strict=True):
        if label is None:
            raise PortFull(f"{name}: no label is free between {':'.join(start)} and {':'.join(end)}.")
        sides.append((start, label, end))
    circuit = Circuit(name, kind, tuple(_hops(sides, shape)))
    ledger.enter(circuit)
    return circuit


def _hops(sides: Sequence[tuple[Place, Label, Place]], shape: Shape | None) -> Iterator[CircuitNode]:
    into: Side | None = None
    node = sides[0][0][0]
    for start, label, end in sides:
        yield CircuitNode(node, into, Side(start[1], label), shape)
        node, into = end[0], Side(end[1], label)
    yield CircuitNode(node, into, None, shape)
