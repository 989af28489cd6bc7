"""What is measured of the objects of an incident: what its page draws around its time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from backstay.alerts.models import Incident
from backstay.alerts.rule import MetricSeries
from backstay.alerts.rules import RULES
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.model.topology import Topology
from backstay.inventory.models import Node
from backstay.policy.models import Path

MOST_METRICS, MOST_LINKS, MOST_PATHS = 4, 4, 12
"""Of one incident: more make no page clearer."""
_WORST_FIRST = ("dead_paths", "rerouted_paths", "standby_paths")


@dataclass(frozen=True, slots=True)
class IncidentCharts:
    """Objects with a stored history, the worst first; empty if there is none."""

    metrics: Sequence[MetricSeries] = ()
    links: Sequence[int] = ()
    paths: Sequence[Path] = ()
    """With node and policy."""
    clock: Node | None = None
    """The node whose clock it is about: the last offsets are drawn."""
    more: int = 0
    """Further objects with a history, which are left out."""


def incident_charts(incident: Incident, snapshot: SiteSnapshot) -> IncidentCharts:
    """Metrics of its rule, or its clock, or the links of its objects; its paths.

    At most one query for the paths, besides those of its rule. The incident's paths are loaded.
    """
    metrics = RULES[incident.rule.kind].series(snapshot, incident)
    # A metric says more about its device than the load of all of the device's links.
    clock = incident.node if RULES[incident.rule.kind].is_about_a_clock else None
    links = [] if metrics or clock else _links(snapshot.topology, incident)
    paths = list(dict.fromkeys(_paths(incident)))
    counts = ((len(metrics), MOST_METRICS), (len(links), MOST_LINKS), (len(paths), MOST_PATHS))
    return IncidentCharts(
        metrics[:MOST_METRICS],
        links[:MOST_LINKS],
        _rows(incident, paths[:MOST_PATHS]),
        clock,
        sum(max(0, number - most) for number, most in counts),
    )


def _links(topology: Topology, incident: Incident) -> list[int]:
    if incident.link_id is not None:
        return [incident.link_id] if incident.link_id in topology.links else []
    if incident.node_id is None:
        return [link for link in incident.affected.get("links", ()) if link in topology.links]
    ports = topology.node_ports.get(incident.node_id, ())
    found = [topology.link_of_port[port.id].id for port in ports if port.id in topology.link_of_port]
    return list(dict.fromkeys(found))


def _rows(incident: Incident, wanted: Sequence[int]) -> list[Path]:
    """In this order; paths that were deleted are left out."""
    if not wanted:
        return []
    rows = Path.objects.filter(policy__site=incident.site_id).select_related("node", "policy")
    found = rows.in_bulk(wanted)
    return [found[ident] for ident in wanted if ident in found]


def _paths(incident: Incident) -> Iterable[int]:
    for name in _WORST_FIRST:
        yield from incident.affected.get(name, ())
    yield from sorted(path.pk for path in incident.paths.all())
