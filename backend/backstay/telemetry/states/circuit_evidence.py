"""What each device reports of the circuits on its ports, stored for lists of circuits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from django.db.models import Q

from backstay.core.model.circuit import Circuit
from backstay.core.model.circuit_table import METRICS, ReportedState, tables
from backstay.core.planning.circuits.consistency import Network, is_reported, owned, reported_faults
from backstay.inventory import models
from backstay.inventory.circuits import value
from backstay.inventory.models import Site
from backstay.telemetry.evidence_models import CircuitEvidence
from backstay.telemetry.selectors.circuits import reported_circuits, reported_states
from backstay.telemetry.selectors.evidence import subsets
from backstay.telemetry.selectors.metrics import metrics_now

BATCH = 1000
"""Rows of one statement."""
Key = tuple[int, int, tuple[str, ...]]
"""(circuit id, node id, fresh collectors)."""


def judge(site: Site, nodes: Collection[int] | None = None) -> None:
    """Store the evidence of these devices, or of all of the site. Few queries for any number of circuits."""
    names = site.nodes.all() if nodes is None else site.nodes.filter(pk__in=nodes)
    named = dict(names.values_list("name", "pk"))
    known = _circuits(site, None if nodes is None else named)
    reported = reported_states(metrics_now(site, nodes, METRICS)) if known else {}
    wanted = {_key(row): row for row in _evidence(known, named, reported)}
    stored = CircuitEvidence.objects.filter(node__in=named.values())
    _store(wanted, {_key(row): row for row in stored})


def _circuits(site: Site, nodes: Iterable[str] | None) -> dict[int, Circuit]:
    rows = models.Circuit.objects.filter(site=site)
    if nodes is not None:
        there = Q(pk__in=())
        for node in nodes:
            there |= Q(hops__contains=[{"node": node}])
        rows = rows.filter(there)
    return {row.pk: value(row) for row in rows}


def _evidence(
    known: Mapping[int, Circuit],
    nodes: Mapping[str, int],
    reported: Mapping[int, Mapping[str, list[ReportedState]]],
) -> Iterator[CircuitEvidence]:
    through: dict[int, dict[int, Circuit]] = {}
    for ident, circuit in known.items():
        for hop in circuit.hops:
            if hop.node in nodes:
                through.setdefault(nodes[hop.node], {})[ident] = circuit
    for node, collectors in reported.items():
        mine = through.get(node, {})
        for current, stale in subsets(tuple(collectors)):
            read = tables(state for name in current for state in collectors[name])
            network = Network({}, reported_circuits(read, mine.values()), owned(mine.values()))
            for ident, circuit in mine.items():
                if is_reported(circuit, network):
                    faulty = bool(reported_faults(circuit, network))
                    yield CircuitEvidence(
                        circuit_id=ident, node_id=node, current=current, stale=stale, is_faulty=faulty
                    )


def _store(wanted: Mapping[Key, CircuitEvidence], stored: Mapping[Key, CircuitEvidence]) -> None:
    gone = [row.pk for key, row in stored.items() if key not in wanted]
    CircuitEvidence.objects.filter(pk__in=gone).delete()
    changed = [row for key, row in wanted.items() if key not in stored or not _same(row, stored[key])]
    CircuitEvidence.objects.bulk_create(
        changed,
        BATCH,
        update_conflicts=True,
        unique_fields=["circuit", "node", "current"],
        update_fields=["stale", "is_faulty"],
    )


def _key(row: CircuitEvidence) -> Key:
    return row.circuit_id, row.node_id, tuple(row.current)


def _same(row: CircuitEvidence, other: CircuitEvidence) -> bool:
    return (row.is_faulty, list(row.stale)) == (other.is_faulty, list(other.stale))
