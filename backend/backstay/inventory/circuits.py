"""Conversion of circuits between rows and core values, their import, and the record of their versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from backstay.core.model.circuit import Circuit, CircuitNode, Kind, Shape, Side, read_label
from backstay.core.model.topology import Topology
from backstay.core.planning.circuits.consistency import Addresses, Network, declared_faults, is_cut
from backstay.inventory import models

Json = dict[str, Any]


def circuits(site: models.Site) -> dict[int, Circuit]:
    """A site's circuits by id, in order of name."""
    return {row.pk: value(row) for row in site.circuits.order_by("name")}


def addresses_of(topology: Topology) -> Addresses:
    """Addresses of the ports that have some."""
    names = {port.id: (topology.nodes[port.node_id].name, port.name) for port in topology.ports.values()}
    return {names[port]: interfaces for port, interfaces in topology.interfaces.items() if interfaces}


def judge_declared(site: models.Site, topology: Topology) -> None:
    """Store the worst declared fault of each of a site's circuits."""
    network = Network(addresses_of(topology), {}, {})
    changed = [row for row in site.circuits.order_by("pk") if _judge(row, network)]
    models.Circuit.objects.bulk_update(changed, ["declared_fault"], batch_size=1000)


def _judge(row: models.Circuit, network: Network) -> bool:
    """Whether the worst fault changed."""
    before, faults = row.declared_fault, declared_faults(value(row), network)
    row.declared_fault = "" if not faults else "cut" if is_cut(faults) else "fault"
    return row.declared_fault != before


def value(row: models.Circuit | models.CircuitVersion) -> Circuit:
    """A row as a value."""
    kind: Kind = "vlan" if row.kind == "vlan" else "pvc"
    return Circuit(row.name, kind, tuple(_hop(kind, hop) for hop in row.hops))


def _hop(kind: Kind, hop: Json) -> CircuitNode:
    shape = Shape(**hop["shape"]) if hop["shape"] is not None else None
    return CircuitNode(hop["node"], _side(kind, hop["in"]), _side(kind, hop["out"]), shape)


def _side(kind: Kind, side: Json | None) -> Side | None:
    return None if side is None else Side(side["port"], read_label(kind, side["label"]))


def stored(circuit: Circuit) -> list[Json]:
    """The hops as stored in a row."""
    return [
        {
            "node": hop.node,
            "in": _stored_side(hop.into),
            "out": _stored_side(hop.out),
            "shape": asdict(hop.shape) if hop.shape is not None else None,
        }
        for hop in circuit.hops
    ]


def _stored_side(side: Side | None) -> Json | None:
    return None if side is None else {"port": side.port, "label": str(side.label)}


def wanted(found: Iterable[tuple[Circuit, str]]) -> Mapping[str, Mapping[str, object]]:
    """Columns of each circuit's row by name, from (circuit, note)."""
    return {
        circuit.name: {"kind": circuit.kind, "note": note, "hops": stored(circuit)} for circuit, note in found
    }


def record_versions(site: models.Site, wanted: Mapping[str, Mapping[str, object]], now: datetime) -> None:
    """End the versions that an import replaces or removes, and begin the new ones; `wanted` as of `wanted()`.

    In the import's transaction, a fixed number of statements. After a step of the clock backwards, a version
    may be empty, but none overlaps another.
    """
    in_force = {row.name: row for row in site.circuit_versions.filter(until__isnull=True)}
    begun = {name for name, values in wanted.items() if not _has_values(in_force.get(name), values)}
    ended = {name: row for name, row in in_force.items() if name not in wanted or name in begun}
    for row in ended.values():
        row.until = now if row.since is None else max(now, row.since)
    models.CircuitVersion.objects.bulk_update(ended.values(), ["until"], batch_size=1000)
    new = [
        models.CircuitVersion(
            site=site, name=name, since=ended[name].until if name in ended else now, **wanted[name]
        )
        for name in sorted(begun)
    ]
    models.CircuitVersion.objects.bulk_create(new, batch_size=1000)


def _has_values(row: models.CircuitVersion | None, values: Mapping[str, object]) -> bool:
    return row is not None and all(getattr(row, name) == value for name, value in values.items())
