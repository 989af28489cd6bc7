"""Conversion of inventory rows to core values.

Only an import or a rewiring changes the inventory, and both increment `Site.version`; each process caches the
newest topology of each site and reloads it when the version changes.
"""

from __future__ import annotations

from django.db.models import Q

from backstay.core.model.topology import Fabric, Link, Node, Port, Topology
from backstay.inventory import models

_newest: dict[int, tuple[int, Topology]] = {}


def load(site: models.Site) -> Topology:
    """The site as values: declared and linked ports only, rates on the wire (after `rate_scale`), bit/s."""
    known = _newest.get(site.pk)
    if known is None or known[0] != site.version:
        known = _newest[site.pk] = (site.version, read(site))
    return known[1]


def read(site: models.Site) -> Topology:
    """As `load`, without the cache: four queries."""
    return Topology(
        site=site.name,
        fabrics={fabric.id: fabric for fabric in _fabrics(site)},
        nodes={node.id: node for node in _nodes(site)},
        ports={port.id: port for port in _ports(site)},
        links={link.id: link for link in _links(site)},
    )


def _fabrics(site: models.Site) -> list[Fabric]:
    return [fabric(row, site.rate_scale) for row in site.fabrics.all()]


def fabric(row: models.Fabric, rate_scale: float) -> Fabric:
    """A row as a value; `rate_scale` is its site's."""
    return Fabric(
        id=row.pk,
        name=row.name,
        title=row.title,
        kind=row.kind,
        media_rate=round(row.media_rate * rate_scale),
        usable_rate=round(row.usable_rate * rate_scale),
        mtu=row.mtu,
        arp=row.arp,
    )


def _nodes(site: models.Site) -> list[Node]:
    rows = site.nodes.values_list(
        "id", "name", "kind", "role", "title", "node_number", "labels", "switch_node_number"
    )
    return [Node(*row[:6], tuple(sorted(row[6].items())), row[7]) for row in rows]


def _ports(site: models.Site) -> list[Port]:
    rows = models.Port.objects.filter(in_snapshot(), node__site=site)
    values = rows.values_list("id", "node_id", "name", "fabric_id", "management", "addresses")
    return [Port(*row[:5], tuple(row[5])) for row in values]


def port_of(row: models.Port) -> Port:
    """One port as in a snapshot."""
    return Port(row.pk, row.node_id, row.name, row.fabric_id, row.management, tuple(row.addresses))


def in_snapshot(port: str = "") -> Q:
    """The ports that `load` reads: declared or linked. `port`: prefix of their columns, such as `ports__`."""
    linked = Q(**{f"{port}link_as_a__isnull": False}) | Q(**{f"{port}link_as_b__isnull": False})
    return Q(**{f"{port}declared": True}) | linked


def _links(site: models.Site) -> list[Link]:
    rows = site.links.values_list("id", "a_id", "b_id", "fabric_id", "circuit")
    return [Link(*row) for row in rows]
