"""Circuits: virtual links that pass from port to port under a label, ATM's PVCs and Ethernet's VLANs.

A label has a meaning on one link alone: VPI/VCI on ATM, where a switch may change it from hop to hop, and the
VLAN id on a trunk, which stays. Both directions of a circuit use the same labels here, as PVCs that people
configure do. Pure values; the limits are the GigaRouter's, which are the narrowest of the devices we know.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["pvc", "vlan"]
KINDS: tuple[Kind, ...] = ("pvc", "vlan")

MAX_VPI = 15
MAX_VCI_ON_VPI_0 = 32_767
MAX_VCI = 511
"""On VPI 1 to 15 (GRF manual, gratm.conf)."""
FIRST_VCI = 32
"""0 to 31 are reserved: signalling has 0/5, ILMI 0/16 (ITU-T I.361, ATM Forum UNI)."""
MIN_VLAN, MAX_VLAN = 1, 4094
"""IEEE 802.1Q: 0 is no VLAN and 4095 is reserved."""
PORT_CAPACITY = (MAX_VCI_ON_VPI_0 - FIRST_VCI + 1) + MAX_VPI * (MAX_VCI - FIRST_VCI + 1)
"""Labels of one ATM port: 32,736 on VPI 0 and 480 on each of 15 more."""

_LABEL = re.compile(r"(0|[1-9]\d{0,4})/(0|[1-9]\d{0,5})")
_VLAN = re.compile(r"0|[1-9]\d{0,4}")


@dataclass(frozen=True, slots=True, order=True)
class Label:
    """VPI and VCI; of a VLAN, its id as `vci`."""

    vpi: int
    vci: int
    kind: Kind = "pvc"

    def __str__(self) -> str:
        return f"{self.vpi}/{self.vci}" if self.kind == "pvc" else str(self.vci)


def read_label(kind: Kind, text: str) -> Label:
    """`0/130` or `130`. Raises ValueError with what was expected instead."""
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
    """What was expected of a label that no port takes; empty when it is good."""
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
    """How fast a sender may send into a circuit (ATM Forum TM 4.0 in the GigaRouter's words)."""

    name: str
    peak: int
    """bit/s."""
    sustain: int | None = None
    """bit/s; None: not told."""
    burst: int | None = None
    """As the device counts it."""
    qos: Literal["high", "low"] | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """Where a circuit enters or leaves a node."""

    port: str
    label: Label

    def __str__(self) -> str:
        return f"{self.port} {self.label}"


@dataclass(frozen=True, slots=True)
class Hop:
    """One node of a circuit. The first one has only `out`, the last one only `into`."""

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
    hops: tuple[Hop, ...]

    @property
    def ends(self) -> tuple[str, str]:
        """Names of its first and its last node."""
        return self.hops[0].node, self.hops[-1].node


Place = tuple[str, str]
"""Node and port."""


def places(circuit: Circuit) -> list[tuple[int, Place, Side]]:
    """Every side of every hop: hop from 0, where it is, and the side."""
    return [
        (number, (hop.node, side.port), side) for number, hop in enumerate(circuit.hops) for side in hop.sides
    ]
