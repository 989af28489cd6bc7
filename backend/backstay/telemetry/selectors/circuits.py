"""Current circuits: the inventory's, compared with the reports of the devices on their path."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Exists, OuterRef, Q, QuerySet

from backstay.core.model.circuit import Circuit, Label, Place, places
from backstay.core.model.circuit_table import METRICS, ReportedState, Tables, sides, tables
from backstay.core.model.device_metric import is_fresh
from backstay.core.model.state import WORST_FIRST
from backstay.core.model.topology import Topology
from backstay.core.planning.circuits.consistency import (
    CIRCUIT_STATES,
    CircuitFault,
    Judgement,
    Network,
    ReportedCircuits,
    check,
    judge,
    owned,
)
from backstay.inventory import models, snapshot
from backstay.inventory.circuits import addresses_of, circuits
from backstay.inventory.models import Site
from backstay.inventory.state_sql import fact, rank_case
from backstay.telemetry.evidence_models import CircuitEvidence
from backstay.telemetry.selectors.evidence import counted, valid_now
from backstay.telemetry.selectors.metrics import MetricNow, metrics_now

SideState = Literal["up", "down", "unknown", "missing", "off"]


@dataclass(frozen=True, slots=True)
class CircuitNow:
    """One circuit, its faults, and the reports of its sides."""

    id: int
    circuit: Circuit
    state: Judgement
    faults: tuple[CircuitFault, ...]
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
    rows: QuerySet[models.Circuit], site: Site, now: datetime, only: Judgement | None = None
) -> QuerySet[models.Circuit]:
    """A site's circuits with `rank`, worst first; `only` filters by state."""
    evidence = valid_now(CircuitEvidence.objects.filter(circuit=OuterRef("pk")), site, now)
    rows = rows.alias(
        has_reported_fault=Exists(evidence.filter(is_faulty=True)), is_reported=Exists(evidence)
    )
    rows = rows.alias(
        is_cut=fact(Q(declared_fault="cut") | Q(has_reported_fault=True)),
        is_faulty=fact(~Q(declared_fault="") | Q(has_reported_fault=True)),
    ).annotate(rank=rank_case(CIRCUIT_STATES))
    return rows if only is None else rows.filter(Q(rank=WORST_FIRST[only]))


def reported_states(metrics: Iterable[MetricNow]) -> dict[int, dict[str, list[ReportedState]]]:
    """Node id -> collector -> what it reports of circuits, of the collectors that count."""
    found: dict[int, dict[str, list[ReportedState]]] = {}
    for item in metrics:
        state = ReportedState(item.node, item.metric, item.subject, item.reading.state or "")
        found.setdefault(item.node_id, {}).setdefault(item.collector, []).append(state)
    return {node: {name: states[name] for name in counted(states)} for node, states in found.items()}


def reported_circuits(read: Tables, known: Iterable[Circuit]) -> dict[Place, ReportedCircuits]:
    """What devices report of each port; a whole table without a port has none of its circuits."""
    reported = {
        place: ReportedCircuits(table.labels, frozenset(table.off), table.wrong, table.crossed)
        for place, table in read.by_place.items()
    }
    for circuit in known:
        for _, place, _ in places(circuit):
            if (place[0], circuit.kind) in read.whole:
                reported.setdefault(place, ReportedCircuits())
    return reported


def _tables(site: Site, now: datetime, nodes: Collection[int] | None) -> Tables:
    metrics = metrics_now(site, nodes, METRICS)
    fresh = {
        (item.node_id, item.collector) for item in metrics if is_fresh(item.reading, now, site.interval_s)
    }
    return tables(
        state
        for node, collectors in reported_states(metrics).items()
        for name, states in collectors.items()
        if (node, name) in fresh
        for state in states
    )


def _network(topology: Topology, known: dict[int, Circuit], read: Tables) -> Network:
    reported = reported_circuits(read, known.values())
    return Network(addresses_of(topology), reported, owned(known.values()))


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
