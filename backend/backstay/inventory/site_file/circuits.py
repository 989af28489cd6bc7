"""The site file's `traffic_shapes` and `circuits`: virtual links hop by hop, and their checks.

An inconsistent circuit (one hop sends 0/131, the next expects 0/130) is imported and reported, because real
sites have such faults. Errors of the file are impossible configurations: a label out of range, two circuits
with one label on one port, an unknown port.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Protocol

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from backstay.core.model.circuit import Circuit, CircuitNode, Kind, Qos, Shape, Side, read_label
from backstay.inventory.site_file.errors import Path
from backstay.inventory.site_file.types import Item, NodeName, Printable, Rate, invalid

Found = Iterator[tuple[Path, str]]
FABRICS: dict[Kind, str] = {"pvc": "atm", "vlan": "ethernet"}
"""Which kind of fabric a kind of circuit runs on."""


def _side(value: str) -> str:
    port, _, label = value.rpartition(" ")
    if not port or not label:
        raise invalid("port and label, such as ga030 0/130")
    return value


SideText = Annotated[str, StringConstraints(max_length=160, pattern=Printable), AfterValidator(_side)]
ShapeName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,31}$")]
CircuitName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]


class ShapeItem(Item):
    name: ShapeName
    peak: Rate
    sustain: Rate | None = None
    burst: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    qos: Qos | None = None


class HopItem(Item):
    """One node of a circuit, with its ingress and egress."""

    node: NodeName
    into: SideText | None = Field(None, alias="in")
    out: SideText | None = None
    shape: ShapeName | None = None


class CircuitItem(Item):
    """A circuit from end to end."""

    name: CircuitName
    kind: Kind = "pvc"
    shape: ShapeName | None = None
    note: Annotated[str, StringConstraints(max_length=2000)] = ""
    hops: Annotated[list[HopItem], Field(min_length=2, max_length=64)]

    @model_validator(mode="after")
    def _ends(self) -> CircuitItem:
        last = len(self.hops) - 1
        for number, hop in enumerate(self.hops):
            if (hop.into is not None) != (number > 0) or (hop.out is not None) != (number < last):
                raise invalid("only out of the first hop, only in of the last one, and both of all between")
        if len({hop.node for hop in self.hops}) != len(self.hops):
            raise invalid("each node once")
        return self


class Attachment(Protocol):
    """The part of a port item that the checks need."""

    @property
    def fabric(self) -> str | None: ...


Ports = Mapping[str, Attachment]
"""`node:port` -> the port."""


def check(
    circuits: Mapping[int, CircuitItem],
    shapes: set[str],
    ports: Ports,
    kinds: Mapping[str, str],
    links: Mapping[str, str],
) -> Found:
    """Errors between circuits and the rest of the file.

    `kinds`: fabric -> its kind; `links`: `node:port` -> the port that a link joins it to, both ways.
    """
    owners: dict[tuple[str, str], str] = {}
    for index, circuit in circuits.items():
        at: Path = ("circuits", index)
        if circuit.shape is not None and circuit.shape not in shapes:
            yield (*at, "shape"), "the name of one of traffic_shapes"
        for number, hop in enumerate(circuit.hops):
            if hop.shape is not None and hop.shape not in shapes:
                yield (*at, "hops", number, "shape"), "the name of one of traffic_shapes"
        for path, end, label in _sides(circuit, at):
            yield from _side_errors(circuit.kind, path, end, label, ports, kinds)
            owner = owners.setdefault((end, label), circuit.name)
            if owner != circuit.name:
                yield (
                    path,
                    f"a label that no other circuit has on {end}: {owner} and {circuit.name} want {label}",
                )
        yield from _wires(circuit, at, ports, links)


def _sides(circuit: CircuitItem, at: Path) -> Iterator[tuple[Path, str, str]]:
    """Path in the file, `node:port` and label of each side."""
    for number, hop in enumerate(circuit.hops):
        for key, text in (("in", hop.into), ("out", hop.out)):
            if text is not None:
                port, _, label = text.rpartition(" ")
                yield (*at, "hops", number, key), f"{hop.node}:{port}", label


def _side_errors(  # noqa: PLR0917 - one question with all it is asked of
    kind: Kind, path: Path, end: str, label: str, ports: Ports, kinds: Mapping[str, str]
) -> Found:
    try:
        read_label(kind, label)
    except ValueError as expected:
        yield path, str(expected)
    if end not in ports:
        yield path, f"a port of this file; there is no {end}"
        return
    fabric = ports[end].fabric
    if fabric is None or kinds.get(fabric, FABRICS[kind]) != FABRICS[kind]:
        yield path, f"a port on a fabric of kind {FABRICS[kind]}, required for a {kind}"


def _wires(circuit: CircuitItem, at: Path, ports: Ports, links: Mapping[str, str]) -> Found:
    """`out` of a hop and `in` of the next are the two ends of one cable."""
    for number, (hop, following) in enumerate(pairwise(circuit.hops), 1):
        out, into = _end(hop.node, hop.out), _end(following.node, following.into)
        path: Path = (*at, "hops", number, "in")
        if out not in ports or into not in ports:
            continue
        if ports[out].fabric != ports[into].fabric:
            yield path, f"a port on the fabric of {out}, which is {ports[out].fabric}"
        elif links.get(out, into) != into:
            yield path, f"{links[out]}, which is linked to {out}"
        elif links.get(into, out) != out:
            yield path, f"a port linked to {out}; {into} is linked to {links[into]}"


def _end(node: str, side: str | None) -> str:
    return f"{node}:{(side or '').rpartition(' ')[0]}"


def value_of(item: CircuitItem, shapes: Mapping[str, ShapeItem]) -> Circuit:
    """Convert an item without errors."""
    hops = []
    for hop in item.hops:
        name = hop.shape or item.shape
        shape = Shape(**shapes[name].model_dump()) if name is not None else None
        hops.append(CircuitNode(hop.node, _read(item.kind, hop.into), _read(item.kind, hop.out), shape))
    return Circuit(item.name, item.kind, tuple(hops))


def _read(kind: Kind, text: str | None) -> Side | None:
    if text is None:
        return None
    port, _, label = text.rpartition(" ")
    return Side(port, read_label(kind, label))
