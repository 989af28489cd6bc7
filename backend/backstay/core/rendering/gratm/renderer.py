"""Write traffic shapes, interfaces and PVCs to a GigaRouter's `/etc/gratm.conf`.

Only `Traffic_Shape`, `Interface` and `PVC` are written, whose syntax the GRF Reference Guide 1.4 documents.
Rates are in kbit/s (155000 on an OC-3 card). Our lines are one marked block at the end of the file; all other
text stays unchanged byte for byte. If an operator's line conflicts with ours, the error names it and nothing
is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from backstay.core.model.circuit import Circuit, CircuitNode, Label, Shape, Side
from backstay.core.rendering import blocks
from backstay.core.rendering.gratm.statements import Interface, Pvc, Statements, read

PATH = "/etc/gratm.conf"
BLOCK = ("circuits", "atm")
"""The name of our block in its marks."""
_PORT = re.compile(r"ga0[0-9a-f]{2}")
"""g, a for ATM, chassis 0, slot and logical interface in hex (grifconfig.conf)."""
_SHAPE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}")


@dataclass(frozen=True, slots=True)
class HandOver:
    """The file that a person installs on the router."""

    before: str
    after: str
    path: str = PATH
    reset: tuple[int, ...] = ()
    """Slots of the cards to reset: `grreset SLOT`."""

    @property
    def differs(self) -> bool:
        """Whether the file changes."""
        return self.before != self.after


def statements(node: str, circuits: Iterable[Circuit]) -> Statements:
    """The statements of this router for the PVCs that end on it or cross it. Raises ValueError."""
    pvcs: dict[tuple[str, Label], Pvc] = {}
    shapes: dict[str, Shape] = {}
    for circuit in circuits:
        for hop in circuit.hops if circuit.kind == "pvc" else ():
            if hop.node != node:
                continue
            if hop.shape is not None and shapes.setdefault(hop.shape.name, hop.shape) != hop.shape:
                raise ValueError(f"the shape {hop.shape.name} has two definitions on {node}")
            for pvc in _pvcs(hop):
                if (pvc.port, pvc.label) in pvcs:
                    raise ValueError(f"{pvc.label} on {node}:{pvc.port} occurs twice")
                pvcs[pvc.port, pvc.label] = pvc
    return Statements(
        tuple(shapes[name] for name in sorted(shapes)), (), tuple(pvcs[key] for key in sorted(pvcs))
    )


def _pvcs(hop: CircuitNode) -> list[Pvc]:
    """A PVC that ends here carries IP; a PVC that crosses the router has two sides that name each other."""
    shape = hop.shape.name if hop.shape is not None else None
    if hop.into is not None and hop.out is not None:
        return [_passing(hop.into, hop.out, shape), _passing(hop.out, hop.into, shape)]
    return [Pvc(side.port, side.label, "ip", shape=shape) for side in hop.sides]


def _passing(side: Side, other: Side, shape: str | None) -> Pvc:
    return Pvc(side.port, side.label, "raw", shape=shape, dest_if=other.port, dest_vc=other.label)


def write(content: Statements) -> str:
    """The statements as lines. Raises ValueError for the first value that is not allowed."""
    lines = [
        *(_shape_line(shape) for shape in content.shapes),
        *(_interface_line(interface) for interface in content.interfaces),
        *(_pvc_line(pvc) for pvc in content.pvcs),
    ]
    return "".join(f"{line}\n" for line in lines)


def _shape_line(shape: Shape) -> str:
    fields = [f"Traffic_Shape name={_named(shape.name)}", f"peak={_kilobits(shape.peak)}"]
    if shape.sustain is not None:
        fields.append(f"sustain={_kilobits(shape.sustain)}")
    if shape.burst is not None:
        fields.append(f"burst={shape.burst}")
    if shape.qos is not None:
        fields.append(f"qos={shape.qos}")
    return " ".join(fields)


def _interface_line(interface: Interface) -> str:
    fields = [f"Interface {_port(interface.port)}"]
    if interface.service is not None:
        fields.append(f"service={_named(interface.service)}")
    if interface.shape is not None:
        fields.append(f"traffic_shape={_named(interface.shape)}")
    return " ".join(fields)


def _pvc_line(pvc: Pvc) -> str:
    fields = [f"PVC {_port(pvc.port)} {pvc.label} proto={pvc.proto}"]
    if pvc.input_aal is not None:
        fields.append(f"input_aal={pvc.input_aal}")
    if pvc.shape is not None:
        fields.append(f"traffic_shape={_named(pvc.shape)}")
    if pvc.dest_if is not None:
        fields.append(f"dest_if={_port(pvc.dest_if)}")
        if pvc.dest_vc is not None:
            fields.append(f"dest_vc={pvc.dest_vc}")
    return " ".join(fields)


def _kilobits(bits: int) -> int:
    if bits % 1000 or bits <= 0:
        raise ValueError(f"gratm.conf counts kbit/s, and {bits} bit/s is not a multiple of 1000")
    return bits // 1000


def _named(name: str) -> str:
    if not _SHAPE.fullmatch(name):
        raise ValueError(f"the name {name!r} contains characters that are not allowed in gratm.conf")
    return name


def _port(name: str) -> str:
    if not _PORT.fullmatch(name):
        raise ValueError(f"{name!r} is not an ATM interface of a GigaRouter such as ga030")
    return name


def hand_over(node: str, circuits: Iterable[Circuit], current: str) -> HandOver:
    """The complete file with exactly this router's PVCs in our block. Raises ValueError with line
    and reason.
    """
    ours = statements(node, circuits)
    theirs = read(blocks.masked(current))
    content = write(_without(ours, theirs))
    after = _placed(current, content)
    before_all, after_all = read(current), read(after)
    moved = {pvc.port for pvc in set(before_all.pvcs) ^ set(after_all.pvcs)}
    moved |= _reshaped(before_all, after_all)
    return HandOver(current, after, reset=tuple(sorted({int(port[3], 16) for port in moved})))


def _reshaped(before: Statements, after: Statements) -> set[str]:
    """Ports whose shapes changed."""
    names = {shape.name for shape in set(before.shapes) ^ set(after.shapes)}
    return {pvc.port for pvc in after.pvcs if pvc.shape in names}


def _placed(current: str, content: str) -> str:
    there = any(block.name == BLOCK for block in blocks.find(current))
    if not content:
        return blocks.remove(current, BLOCK) if there else current
    if there:
        return blocks.replace(current, BLOCK, content)
    return blocks.insert(current, len(current), BLOCK, content)


def _without(ours: Statements, theirs: Statements) -> Statements:
    """Our statements without those that the operator's lines already contain. Raises ValueError on a
    conflict.
    """
    by_label = {(pvc.port, pvc.label): pvc for pvc in theirs.pvcs}
    by_name = {shape.name: shape for shape in theirs.shapes}
    for pvc in ours.pvcs:
        found = by_label.get((pvc.port, pvc.label))
        if found is not None and found != pvc:
            raise ValueError(
                f"the file has PVC {pvc.port} {pvc.label} already, but different: {_pvc_line(found)}"
            )
    for shape in ours.shapes:
        known = by_name.get(shape.name)
        if known is not None and known != shape:
            raise ValueError(
                f"the file has the shape {shape.name} already, but different: {_shape_line(known)}"
            )
    return Statements(
        tuple(shape for shape in ours.shapes if shape.name not in by_name),
        (),
        tuple(pvc for pvc in ours.pvcs if (pvc.port, pvc.label) not in by_label),
    )


def unlike(node: str, circuits: Sequence[Circuit], text: str) -> list[str]:
    """Differences between a router's file and the circuits, as sentences."""
    wanted = {(pvc.port, pvc.label): pvc for pvc in statements(node, circuits).pvcs}
    there = {(pvc.port, pvc.label): pvc for pvc in read(text).pvcs}
    found = [f"{PATH} lacks PVC {port} {label}." for port, label in sorted(wanted.keys() - there.keys())]
    found += [
        f"{PATH} has PVC {port} {label}, which no circuit uses."
        for port, label in sorted(there.keys() - wanted.keys())
    ]
    both = sorted(wanted.keys() & there.keys())
    return found + [
        f"{PATH} has PVC {port} {label}, but different: {_pvc_line(there[port, label])}."
        for port, label in both
        if wanted[port, label] != there[port, label]
    ]
