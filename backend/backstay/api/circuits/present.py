"""Circuits with each hop's declared labels and what its device reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from backstay.api.circuits.schemas import (
    CircuitHop,
    CircuitOut,
    CircuitShape,
    CircuitSide,
    CircuitVersionOut,
    DeclaredHop,
    DeclaredSide,
)
from backstay.api.http.urls import circuit_url
from backstay.core.formatting import count
from backstay.core.model.circuit import Circuit, CircuitNode, Place, Side
from backstay.core.model.topology import Topology
from backstay.core.planning.circuits.consistency import CircuitFault, Direction
from backstay.inventory.circuits import value

if TYPE_CHECKING:
    from backstay.inventory.models import CircuitVersion
    from backstay.telemetry.selectors.circuits import CircuitNow, CircuitsNow


@dataclass(frozen=True)
class CircuitContext:
    """Data shown with circuits."""

    topology: Topology
    now: CircuitsNow
    notes: Mapping[int, str]
    incidents: Mapping[str, int]
    """Circuit name -> open incident."""
    up: Mapping[int, bool | None]
    """Port id -> whether it is up."""
    nodes: Mapping[str, int] = field(init=False)
    ports: Mapping[Place, int] = field(init=False)

    def __post_init__(self) -> None:
        names = {node.id: node.name for node in self.topology.nodes.values()}
        ports = self.topology.ports.values()
        object.__setattr__(self, "nodes", {name: ident for ident, name in names.items()})
        object.__setattr__(self, "ports", {(names[port.node_id], port.name): port.id for port in ports})


def circuit_out(known: CircuitNow, context: CircuitContext) -> CircuitOut:
    """One circuit."""
    circuit = known.circuit
    shape = next((hop.shape.name for hop in circuit.hops if hop.shape is not None), None)
    return CircuitOut(
        id=known.id,
        name=circuit.name,
        kind=circuit.kind,
        state=known.state,
        state_text=_state_text(known),
        ends=list(circuit.ends),
        labels=_labels(circuit),
        shape=shape,
        note=context.notes.get(known.id, ""),
        hops=_hops(known, context),
        incident_id=context.incidents.get(circuit.name),
        url=circuit_url(known.id),
    )


def version_out(version: CircuitVersion, ident: int | None) -> CircuitVersionOut:
    """One version; `ident`: the circuit that has its name now."""
    circuit = value(version)
    hops = [
        DeclaredHop(
            node=hop.node,
            into=_declared(hop.into),
            out=_declared(hop.out),
            shape=_shape(hop),
            joins=joins,
        )
        for hop, joins in zip(circuit.hops, _all_join(circuit), strict=True)
    ]
    return CircuitVersionOut(
        id=version.pk,
        name=circuit.name,
        kind=circuit.kind,
        since=version.since,
        until=version.until,
        ends=list(circuit.ends),
        labels=_labels(circuit),
        note=version.note,
        hops=hops,
        circuit_id=ident,
        url=None if ident is None else circuit_url(ident),
    )


def _declared(side: Side | None) -> DeclaredSide | None:
    return None if side is None else DeclaredSide(port=side.port, label=str(side.label))


def _shape(hop: CircuitNode) -> CircuitShape | None:
    return None if hop.shape is None else CircuitShape(**asdict(hop.shape))


def _labels(circuit: Circuit) -> list[str]:
    return list(dict.fromkeys(str(side.label) for hop in circuit.hops for side in hop.sides))


def _state_text(known: CircuitNow) -> str:
    if known.faults:
        more = len(known.faults) - 1
        return known.faults[0].text.removesuffix(".") + (f", and {count(more, 'more fault')}" if more else "")
    if known.state == "unknown":
        return "no device on its path reports it"
    sides = sum(len(hop.sides) for hop in known.circuit.hops)
    return f"up (reported by {len(known.side_states)} of {sides} ends)"


def _hops(known: CircuitNow, context: CircuitContext) -> list[CircuitHop]:
    hops = zip(known.circuit.hops, _all_join(known.circuit), strict=True)
    return [_hop(known, number, hop, joined, context) for number, (hop, joined) in enumerate(hops)]


def _all_join(circuit: Circuit) -> list[bool]:
    return [_joins(hop, following) for hop, following in pairwise(circuit.hops)] + [True]


def _joins(hop: CircuitNode, following: CircuitNode) -> bool:
    if hop.out is None or following.into is None:
        return False
    return hop.out.label == following.into.label


def _hop(
    known: CircuitNow, number: int, hop: CircuitNode, joins: bool, context: CircuitContext
) -> CircuitHop:
    faults = [fault for fault in known.faults if fault.hop == number]
    return CircuitHop(
        node=hop.node,
        node_id=context.nodes.get(hop.node),
        into=_side(known, hop.node, hop.into, _at(faults, "into"), context),
        out=_side(known, hop.node, hop.out, _at(faults, "out"), context),
        shape=_shape(hop),
        faults=[fault.text for fault in faults],
        joins=joins,
    )


def _at(faults: list[CircuitFault], direction: Direction) -> str | None:
    return next((fault.text for fault in faults if fault.direction == direction), None)


def _side(
    known: CircuitNow, node: str, side: Side | None, fault: str | None, context: CircuitContext
) -> CircuitSide | None:
    if side is None:
        return None
    place = (node, side.port)
    port = context.ports.get(place)
    return CircuitSide(
        port=side.port,
        port_id=port,
        label=str(side.label),
        reported=known.side_states.get(place),
        port_up=None if port is None else context.up.get(port),
        strays=[str(label) for label in context.now.strays.get(place, ())],
        fault=fault,
    )
