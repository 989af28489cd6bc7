"""Circuits: virtual links identified by a label at each port (ATM PVCs and Ethernet VLANs).

A label is valid on one link only: VPI/VCI on ATM, which a switch may change at each hop, and the VLAN id on a
trunk, which stays the same. Both directions of a circuit use the same labels, as in manually configured PVCs.
The limits are those of the GigaRouter, the narrowest of the known devices.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["pvc", "vlan"]
Qos = Literal["high", "low"]

MAX_VPI = 15
MAX_VCI_ON_VPI_0 = 32_767
MAX_VCI = 511
"""On VPI 1 to 15 (GRF manual, gratm.conf)."""
FIRST_VCI = 32
"""0 to 31 are reserved: signalling has 0/5, ILMI 0/16 (ITU-T I.361, ATM Forum UNI)."""
MIN_VLAN, MAX_VLAN = 1, 4094
"""IEEE 802.1Q: 0 means no VLAN and 4095 is reserved."""
PORT_CAPACITY = (MAX_VCI_ON_VPI_0 - FIRST_VCI + 1) + MAX_VPI * (MAX_VCI - FIRST_VCI + 1)
"""Labels of one ATM port: 32,736 on VPI 0 and 480 on each of the other 15."""

_LABEL = re.compile(r"(0|[1-9]\d{0,4})/(0|[1-9]\d{0,5})")
_VLAN = re.compile(r"0|[1-9]\d{0,4}")


@dataclass(frozen=True, slots=True, order=True)
class Label:
    """VPI and VCI; for a VLAN, its id as `vci`."""

    vpi: int
    vci: int
    kind: Kind = "pvc"

    def __str__(self) -> str:
        return f"{self.vpi}/{self.vci}" if self.kind == "pvc" else str(self.vci)


def read_label(kind: Kind, text: str) -> Label:
    """Parse `0/130` or `130`. Raises ValueError with the expected format."""
    if kind == "vlan":
        if not _VLAN.fullmatch(text) or not MIN_VLAN <= int(text) <= MAX_VLAN:
            raise ValueError(f"a VLAN id from {MIN_VLAN} to {MAX_VLAN}")
        return Label(0, int(text), "vlan")
    match = _LABEL.fullmatch(text)
    if match is None:
        raise ValueError("VPI/VCI, such as 0/130")
    label = Label(int(match[1]), int(match[2]))
    wrong = out_of_range(label)
    if wrong:
        raise ValueError(wrong)
    return label


def out_of_range(label: Label) -> str:
    """The expected range of an invalid label; empty if the label is valid."""
    if label.kind == "vlan":
        return "" if MIN_VLAN <= label.vci <= MAX_VLAN else f"a VLAN id from {MIN_VLAN} to {MAX_VLAN}"
    if not 0 <= label.vpi <= MAX_VPI:
        return f"a VPI from 0 to {MAX_VPI}"
    most = MAX_VCI_ON_VPI_0 if label.vpi == 0 else MAX_VCI
    if label.vci < FIRST_VCI:
        return f"a VCI from {FIRST_VCI} on: the lower ones are reserved for signalling"
    return "" if label.vci <= most else f"a VCI of at most {most} on VPI {label.vpi}"


@dataclass(frozen=True, slots=True)
class Shape:
    """Traffic parameters of a circuit (ATM Forum TM 4.0 in the GigaRouter's terms)."""

    name: str
    peak: int
    """bit/s."""
    sustain: int | None = None
    """bit/s; None: not reported."""
    burst: int | None = None
    """In the device's unit."""
    qos: Qos | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """Port and label where a circuit enters or leaves a node."""

    port: str
    label: Label

    def __str__(self) -> str:
        return f"{self.port} {self.label}"


@dataclass(frozen=True, slots=True)
class CircuitNode:
    """One node of a circuit. The first hop has only `out`, the last one only `into`."""

    node: str
    into: Side | None = None
    out: Side | None = None
    shape: Shape | None = None

    @property
    def sides(self) -> tuple[Side, ...]:
        """In, then out."""
        return tuple(side for side in (self.into, self.out) if side is not None)


@dataclass(frozen=True, slots=True)
class Circuit:
    """A circuit from end to end."""

    name: str
    kind: Kind
    hops: tuple[CircuitNode, ...]

    @property
    def ends(self) -> tuple[str, str]:
        """Names of its first and its last node."""
        return self.hops[0].node, self.hops[-1].node


Place = tuple[str, str]
"""Node and port."""


def places(circuit: Circuit) -> list[tuple[int, Place, Side]]:
    """Every side of every hop: (hop number from 0, place, side)."""
    return [
        (number, (hop.node, side.port), side) for number, hop in enumerate(circuit.hops) for side in hop.sides
    ]
