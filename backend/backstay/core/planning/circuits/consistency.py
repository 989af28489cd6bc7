"""Consistency of a circuit: its hops compared with each other and with the tables of its devices.

A device reports its circuits (ATM-MIB atmVclTable, NETSTAR grAtmV1VcTable) or its VLANs. If a table was read
and lacks the label, that hop is faulty; without a table nothing is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Interface, IPv6Interface
from itertools import pairwise
from typing import Literal

from backstay.core.formatting import listing
from backstay.core.model.circuit import Circuit, CircuitNode, Label, Place, Shape, Side, places
from backstay.core.model.state import StateRule, decide

FaultKind = Literal["label", "shape", "subnet", "missing", "crossed", "down"]
CUTS: frozenset[FaultKind] = frozenset({"label", "subnet", "missing", "crossed", "down"})
"""Faults that interrupt the circuit."""
Judgement = Literal["ok", "warning", "critical", "unknown"]
CIRCUIT_STATES: Sequence[StateRule[Judgement]] = (
    StateRule("critical", {"is_cut": True}),
    StateRule("warning", {"is_faulty": True}),
    StateRule("unknown", {"is_reported": False}),
    StateRule("ok"),
)
CircuitState = Literal["up", "down", "unknown"]
Direction = Literal["into", "out"]
Addresses = Mapping[Place, tuple[IPv4Interface | IPv6Interface, ...]]
_PARAMETERS = ("peak", "sustain", "burst", "qos")


@dataclass(frozen=True, slots=True)
class ReportedCircuits:
    """Current report of a device about one port."""

    labels: Mapping[Label, CircuitState] = field(default_factory=dict)
    """Every label in its table."""
    off: frozenset[Label] = frozenset()
    """Labels that are administratively down."""
    wrong: Mapping[Label, str] = field(default_factory=dict)
    """Label -> reason why it does not forward, as the device reports it."""
    crossed: Mapping[Label, Side] = field(default_factory=dict)
    """Label -> destination of a cross connection."""


@dataclass(frozen=True, slots=True)
class CircuitFault:
    """One fault and its hop."""

    kind: FaultKind
    hop: int
    """From 0."""
    direction: Direction | None
    node: str
    text: str


@dataclass(frozen=True, slots=True)
class Network:
    """Data that a circuit is compared with."""

    addresses: Addresses
    reported: Mapping[Place, ReportedCircuits]
    """Only ports with a current table."""
    owned: Mapping[Place, frozenset[Label]]
    """Labels of the inventory's circuits, by port."""


def owned(circuits: Iterable[Circuit]) -> dict[Place, frozenset[Label]]:
    """Labels by port over all circuits."""
    found: dict[Place, set[Label]] = {}
    for circuit in circuits:
        for _, place, side in places(circuit):
            found.setdefault(place, set()).add(side.label)
    return {place: frozenset(labels) for place, labels in found.items()}


def check(circuit: Circuit, network: Network) -> list[CircuitFault]:
    """All faults of a circuit, from the first hop to the last; device reports come first."""
    return [*reported_faults(circuit, network), *declared_faults(circuit, network)]


def reported_faults(circuit: Circuit, network: Network) -> list[CircuitFault]:
    """Faults that the devices on the path report."""
    return list(_live(circuit, network))


def declared_faults(circuit: Circuit, network: Network) -> list[CircuitFault]:
    """Hops that do not fit each other; reports only decide which hop is blamed."""
    return [*_labels(circuit, network), *_shapes(circuit), *_subnet(circuit, network.addresses)]


def judge(circuit: Circuit, faults: Sequence[CircuitFault], network: Network) -> Judgement:
    """State by the worst fault; unknown if no device on the path reports."""
    facts = {
        "is_cut": is_cut(faults),
        "is_faulty": bool(faults),
        "is_reported": is_reported(circuit, network),
    }
    return decide(CIRCUIT_STATES, facts).state


def is_cut(faults: Iterable[CircuitFault]) -> bool:
    """Whether a fault interrupts the circuit."""
    return any(fault.kind in CUTS for fault in faults)


def is_reported(circuit: Circuit, network: Network) -> bool:
    """Whether a device on the path reports its table."""
    return any(place in network.reported for _, place, _ in places(circuit))


def _live(circuit: Circuit, network: Network) -> Iterator[CircuitFault]:
    for number, hop in enumerate(circuit.hops):
        for direction, side in _directions(hop):
            reported = network.reported.get((hop.node, side.port))
            if reported is None:
                continue
            port_fault = _reported_fault(hop, side, reported, network)
            if port_fault is not None:
                yield CircuitFault(port_fault[0], number, direction, hop.node, port_fault[1])
        yield from _crossing(number, hop, network)


def _crossing(number: int, hop: CircuitNode, network: Network) -> Iterator[CircuitFault]:
    """Whether a switch forwards the incoming label to the circuit's outgoing port and label."""
    if hop.into is None or hop.out is None:
        return
    reported = network.reported.get((hop.node, hop.into.port))
    passed = reported.crossed.get(hop.into.label) if reported is not None else None
    if passed is not None and passed != hop.out:
        text = f"{hop.node} forwards {hop.into} to {passed}, not to {hop.out}."
        yield CircuitFault("crossed", number, "out", hop.node, text)


def _directions(hop: CircuitNode) -> Iterator[tuple[Direction, Side]]:
    if hop.into is not None:
        yield "into", hop.into
    if hop.out is not None:
        yield "out", hop.out


def _reported_fault(
    hop: CircuitNode, side: Side, reported: ReportedCircuits, network: Network
) -> tuple[FaultKind, str] | None:
    where = f"{hop.node}:{side.port}"
    state = reported.labels.get(side.label)
    if state is None:
        return "missing", f"{where} has no {side.label}{_instead(hop, side, reported, network)}."
    if side.label in reported.off:
        return "down", f"{side.label} on {where} is administratively down."
    if state == "down":
        return "down", f"{side.label} on {where} is down."
    if side.label in reported.wrong:
        return "down", f"{side.label} on {where}: {reported.wrong[side.label]}."
    return None


def _instead(hop: CircuitNode, side: Side, reported: ReportedCircuits, network: Network) -> str:
    """Unused labels in the port's table: probably the same circuit with a typing error."""
    place = (hop.node, side.port)
    strays = sorted(set(reported.labels) - network.owned.get(place, frozenset()))
    if len(strays) == 1:
        return f"; it has {strays[0]}, which no circuit uses: probably this circuit with a wrong label"
    if strays:
        return f"; {listing([str(label) for label in strays])} belong to no circuit"
    return ""


def _labels(circuit: Circuit, network: Network) -> Iterator[CircuitFault]:
    """The outgoing label of a hop must equal the next hop's incoming label. If not, the device's own table
    shows which side is wrong.
    """
    for number, (hop, following) in enumerate(pairwise(circuit.hops)):
        sent, expected = hop.out, following.into
        if sent is None or expected is None or sent.label == expected.label:
            continue
        text = (
            f"{hop.node} sends {sent.label} out of {sent.port}, and {following.node} expects"
            f" {expected.label} on {expected.port}"
        )
        usual = _usual(circuit, number)
        if usual is not None and sent.label != usual == expected.label:
            yield CircuitFault("label", number, "out", hop.node, f"{text}: all other hops have {usual}.")
        elif usual is not None and expected.label != usual == sent.label:
            yield CircuitFault(
                "label", number + 1, "into", following.node, f"{text}: all other hops have {usual}."
            )
        elif _has(network, following, expected, sent.label):
            yield CircuitFault(
                "label", number + 1, "into", following.node, f"{text}; its table has {sent.label}."
            )
        else:
            yield CircuitFault("label", number, "out", hop.node, f"{text}.")


def _has(network: Network, hop: CircuitNode, side: Side, label: Label) -> bool:
    """Whether the device has the other label instead of the one in the inventory."""
    reported = network.reported.get((hop.node, side.port))
    return reported is not None and label in reported.labels and side.label not in reported.labels


def _usual(circuit: Circuit, link: int) -> Label | None:
    """The label common to all sides except those of this link; None if a switch changes the label anyway."""
    others = {
        side.label
        for number, hop in enumerate(circuit.hops)
        for direction, side in _directions(hop)
        if (number, direction) not in {(link, "out"), (link + 1, "into")}
    }
    return others.pop() if len(others) == 1 else None


def _shapes(circuit: Circuit) -> Iterator[CircuitFault]:
    """Hops whose shape differs from the most common one; of two, the second."""
    shaped = [(hop.node, hop.shape) for hop in circuit.hops if hop.shape is not None]
    if not shaped:
        return
    (usual, _), *_ = Counter(_parameters(shape) for _, shape in shaped).most_common(1)
    model = next(node for node, shape in shaped if _parameters(shape) == usual)
    for number, hop in enumerate(circuit.hops):
        if hop.shape is None or _parameters(hop.shape) == usual:
            continue
        unlike = [
            f"{name} {_parameter_text(mine)} instead of {_parameter_text(theirs)}"
            for name, mine, theirs in zip(_PARAMETERS, _parameters(hop.shape), usual, strict=True)
            if mine != theirs
        ]
        text = f"{hop.node} and {model} shape it differently: {listing(unlike)}."
        yield CircuitFault("shape", number, None, hop.node, text)


def _parameters(shape: Shape) -> tuple[object, ...]:
    return shape.peak, shape.sustain, shape.burst, shape.qos


def _parameter_text(value: object) -> str:
    return "none" if value is None else str(value)


def _subnet(circuit: Circuit, addresses: Addresses) -> Iterator[CircuitFault]:
    """The ports of both ends need a common network. A port without an address is a switch port and is not
    checked.
    """
    first, last = circuit.hops[0], circuit.hops[-1]
    if first.out is None or last.into is None:
        return
    near = addresses.get((first.node, first.out.port), ())
    far = addresses.get((last.node, last.into.port), ())
    if near and far and not {item.network for item in near} & {item.network for item in far}:
        text = (
            f"{last.node}:{last.into.port} has {far[0]}, which is in no network of"
            f" {first.node}:{first.out.port} ({near[0]}): no packet is sent over it."
        )
        yield CircuitFault("subnet", len(circuit.hops) - 1, "into", last.node, text)
