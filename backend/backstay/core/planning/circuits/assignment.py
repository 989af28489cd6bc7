"""Labels for circuits: lowest free ones that clash with nobody's.

On one link both ends use the same label, so it must be free on both ports. A circuit has one label on its
whole way where there is one, because that is what people can read; only else it changes at a switch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from backstay.core.errors import Refused
from backstay.core.model.circuit import (
    FIRST_VCI,
    MAX_VCI,
    MAX_VCI_ON_VPI_0,
    MAX_VLAN,
    MAX_VPI,
    Circuit,
    Hop,
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
    """Two circuits want one label on one port; the message names both."""

    code = "circuit_clash"

    def __init__(self, place: Place, label: Label, owner: str, other: str) -> None:
        self.place, self.label, self.owner, self.other = place, label, owner, other
        super().__init__(
            f"{label} on {place[0]}:{place[1]} is wanted by {other}, but {owner} has it."
            " Give one of them another label there."
        )


class PortFull(Refused):
    """A port has no label left."""

    code = "port_full"


def candidates(kind: Kind) -> Iterator[Label]:
    """All labels of a port, best first: VPI 0, which every device knows, from 32 on."""
    if kind == "vlan":
        yield from (Label(0, number, "vlan") for number in range(2, MAX_VLAN + 1))
        return
    on_0 = (Label(0, vci) for vci in range(FIRST_VCI, MAX_VCI_ON_VPI_0 + 1))
    rest = (Label(vpi, vci) for vpi in range(1, MAX_VPI + 1) for vci in range(FIRST_VCI, MAX_VCI + 1))
    yield from chain(on_0, rest)


class Ledger:
    """Who has which label where."""

    def __init__(self, circuits: Iterable[Circuit] = ()) -> None:
        self._owners: dict[Place, dict[Label, str]] = {}
        for circuit in circuits:
            self.enter(circuit)

    def owner(self, place: Place, label: Label) -> str | None:
        """Whose it is; None: nobody's."""
        return self._owners.get(place, {}).get(label)

    def take(self, place: Place, label: Label, name: str) -> None:
        """Give a label to a circuit; Clash when it is another's, or its own already."""
        taken = self._owners.setdefault(place, {})
        if label in taken:
            raise Clash(place, label, taken[label], name)
        taken[label] = name

    def enter(self, circuit: Circuit) -> None:
        """Every label of a circuit."""
        for _, place, side in places(circuit):
            self.take(place, side.label, circuit.name)

    def free(self, segments: Sequence[Segment], kind: Kind) -> Label | None:
        """The best label that is free on all these links; None: there is none."""
        taken = [self._owners[place] for segment in segments for place in segment if place in self._owners]
        return next((label for label in candidates(kind) if not any(label in own for own in taken)), None)

    def used(self, place: Place) -> int:
        """How many labels of a port are taken."""
        return len(self._owners.get(place, {}))


def assign(
    ledger: Ledger, name: str, kind: Kind, way: Sequence[Segment], shape: Shape | None = None
) -> Circuit:
    """The circuit along these links with free labels, entered into the ledger. Raises PortFull."""
    one = ledger.free(way, kind)
    if one is None and kind == "vlan":
        raise PortFull(f"{name}: no VLAN id is free on its whole way, and a trunk does not change it.")
    labels = [one] * len(way) if one is not None else [ledger.free([segment], kind) for segment in way]
    sides: list[tuple[Place, Label, Place]] = []
    for (start, end), label in zip(way, labels, strict=True):
        if label is None:
            raise PortFull(f"{name}: no label is free between {':'.join(start)} and {':'.join(end)}.")
        sides.append((start, label, end))
    circuit = Circuit(name, kind, tuple(_hops(sides, shape)))
    ledger.enter(circuit)
    return circuit


def _hops(sides: Sequence[tuple[Place, Label, Place]], shape: Shape | None) -> Iterator[Hop]:
    into: Side | None = None
    node = sides[0][0][0]
    for start, label, end in sides:
        yield Hop(node, into, Side(start[1], label), shape)
        node, into = end[0], Side(end[1], label)
    yield Hop(node, into, None, shape)
