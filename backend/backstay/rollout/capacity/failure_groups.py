"""Shared risks of a site by name, and the components of failures that name them."""

from __future__ import annotations

from collections.abc import Iterable

from backstay.core.errors import NotFound
from backstay.core.model.search import Component, Failure, SharedRiskGroup
from backstay.core.model.topology import Topology
from backstay.inventory.models import Site
from backstay.policy.capacity_models import GROUP
from backstay.rollout.node_routes import component_named

_newest: dict[int, tuple[int, tuple[SharedRiskGroup, ...]]] = {}


def shared_risks(site: Site, topology: Topology) -> tuple[SharedRiskGroup, ...]:
    """By name; cached until the site's version changes, as its topology."""
    known = _newest.get(site.pk)
    if known is None or known[0] != site.version:
        known = _newest[site.pk] = (site.version, _read(site, topology))
    return known[1]


def _read(site: Site, topology: Topology) -> tuple[SharedRiskGroup, ...]:
    rows = list(site.shared_risks.order_by("name"))
    things = _named(topology) if rows else {}
    return tuple(
        SharedRiskGroup(
            name=row.name,
            kind=row.kind,  # type: ignore[arg-type]  # one of the column's choices
            members=frozenset(things[member] for member in row.members if member in things),
            missing=tuple(member for member in row.members if member not in things),
        )
        for row in rows
    )


def _named(topology: Topology) -> dict[str, Component]:
    """Every component by its name in the site file."""
    found: dict[str, Component] = {f"node:{node.name}": ("node", node.id) for node in topology.nodes.values()}
    for fabric in topology.fabrics.values():
        if ("fabric", fabric.id) in topology.neighbours:
            found[f"fabric:{fabric.name}"] = ("fabric", fabric.id)
    for link in topology.links.values():
        for port in (topology.ports[end] for end in (link.a, link.b) if end is not None):
            found[f"link:{topology.nodes[port.node_id].name}:{port.name}"] = ("link", link.id)
    return found


def failure_named(topology: Topology, risks: Iterable[SharedRiskGroup], names: Iterable[str]) -> Failure:
    """All components of the names, as in `component_named`, or `group:NAME`; raises NotFound."""
    groups = {risk.name: risk for risk in risks}
    failed: set[Component] = set()
    for name in names:
        if name.startswith(GROUP):
            failed |= _group(topology, groups.get(name.removeprefix(GROUP)), name).members
        else:
            failed.add(component_named(topology, name))
    return frozenset(failed)


def _group(topology: Topology, risk: SharedRiskGroup | None, name: str) -> SharedRiskGroup:
    if risk is None:
        raise NotFound(f"There is no shared risk {name.removeprefix(GROUP)!r} at {topology.site}.")
    if risk.missing:
        raise NotFound(f"The shared risk {risk.name} names {risk.missing[0]}, which {topology.site} lacks.")
    return risk
