"""Current circuits: the inventory's, compared with the reports of the devices on their path."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import QuerySet

from backstay.core.model.circuit import Circuit, Label, Place, places
from backstay.core.model.circuit_table import METRICS, ReportedState, Tables, sides, tables
from backstay.core.model.device_metric import is_fresh
from backstay.core.model.state import WORST_FIRST
from backstay.core.model.topology import Topology
from backstay.core.planning.circuits.consistency import (
    Fault,
    Judgement,
    Network,
    ReportedCircuits,
    check,
    judge,
    owned,
)
from backstay.inventory import models, snapshot
from backstay.inventory.circuits import circuits
from backstay.inventory.lookups import with_numbers
from backstay.inventory.models import Site
from backstay.telemetry.selectors.metrics import MetricNow, metrics_now

SideState = Literal["up", "down", "unknown", "missing", "off"]


@dataclass(frozen=True, slots=True)
class CircuitNow:
    """One circuit, its faults, and the reports of its sides."""

    id: int
    circuit: Circuit
    state: Judgement
    faults: tuple[Fault, ...]
    side_states: dict[Place, SideState]
    """Sides that a device reports."""


@dataclass(frozen=True, slots=True)
class CircuitsNow:
    """A site's circuits, and labels in devices' tables that belong to no circuit."""

    circuits: dict[int, CircuitNow]
    strays: dict[Place, tuple[Label, ...]]


def circuits_now(site: Site, now: datetime, idents: Collection[int] | None = None) -> CircuitsNow:
    """All circuits of a site, or these in their order; no metrics query without circuits."""
    known = circuits(site)
    wanted = known if idents is None else {ident: known[ident] for ident in idents if ident in known}
    if not wanted:
        return CircuitsNow({}, {})
    topology = snapshot.load(site)
    names = {place[0] for circuit in wanted.values() for _, place, _ in places(circuit)}
    nodes = None if idents is None else [node.id for node in topology.nodes.values() if node.name in names]
    network = _network(topology, known, _tables(site, now, nodes))
    found = {ident: _now(ident, circuit, network) for ident, circuit in wanted.items()}
    strays = {
        place: tuple(sorted(left))
        for place, reported in network.reported.items()
        if (left := set(reported.labels) - network.owned.get(place, frozenset()))
    }
    return CircuitsNow(found, strays)


def is_of_a_circuit(metric: str, node: str, subject: str, labels: dict[Place, frozenset[Label]]) -> bool:
    """Whether a metric concerns a label of a circuit at that place."""
    return any(side.label in labels.get((node, side.port), ()) for side in sides(metric, subject))


def labels_of(site: Site) -> dict[Place, frozenset[Label]]:
    """Circuit labels by port."""
    return owned(circuits(site).values())


def with_state(
    rows: QuerySet[models.Circuit], site: Site, now: datetime, only: str | None
) -> QuerySet[models.Circuit]:
    """A site's circuits with `rank`, worst first; `only` filters by state."""
    states = {ident: item.state for ident, item in circuits_now(site, now).circuits.items()}
    if only is not None:
        rows = rows.filter(pk__in=[ident for ident, state in states.items() if state == only])
    return with_numbers(rows, "rank", {ident: WORST_FIRST[state] for ident, state in states.items()})


def _tables(site: Site, now: datetime, nodes: Collection[int] | None) -> Tables:
    reported = metrics_now(site, nodes, METRICS)
    return tables(_reported_state(item) for item in reported if is_fresh(item.reading, now, site.interval_s))


def _reported_state(now: MetricNow) -> ReportedState:
    return ReportedState(now.node, now.metric, now.subject, now.reading.state or "")


def _network(topology: Topology, known: dict[int, Circuit], read: Tables) -> Network:
    names = {port.id: (topology.nodes[port.node_id].name, port.name) for port in topology.ports.values()}
    reported = {
        place: ReportedCircuits(table.labels, frozenset(table.off), table.wrong, table.crossed)
        for place, table in read.by_place.items()
    }
    for circuit in known.values():
        for _, place, _ in places(circuit):
            if (place[0], circuit.kind) in read.whole:
                reported.setdefault(place, ReportedCircuits())
    addresses = {names[port]: interfaces for port, interfaces in topology.interfaces.items() if interfaces}
    return Network(addresses, reported, owned(known.values()))


def _now(ident: int, circuit: Circuit, network: Network) -> CircuitNow:
    faults = tuple(check(circuit, network))
    side_states = {
        place: _side_state(network.reported[place], side.label)
        for _, place, side in places(circuit)
        if place in network.reported
    }
    return CircuitNow(ident, circuit, judge(circuit, faults, network), faults, side_states)


def _side_state(reported: ReportedCircuits, label: Label) -> SideState:
    if label not in reported.labels:
        return "missing"
    if label in reported.off:
        return "off"
    return "down" if label in reported.wrong else reported.labels[label]
