"""Reads of neighbour tables: utilisation, current and former holders of an address, and conflicts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_address

from django.db.models import Q, QuerySet

from backstay.core.diagnosis.neighbours import PortTable
from backstay.core.model.hardware import spelled
from backstay.core.wiring.identity import plain_mac
from backstay.inventory.models import Port, Site
from backstay.inventory.sql import fetch_rows
from backstay.telemetry.models import DuplicateAddress, Neighbour, NeighbourWatch, PortState
from backstay.telemetry.states.neighbour_watch import tables_of

MOST_PAST = 1000
"""Maximum rows of an address's history."""

_PAST = """
SELECT node.name, node.id, past.port, past.mac, past.since, past.until
FROM telemetry_neighbourpast AS past
JOIN inventory_node AS node ON node.id = past.node_id AND node.site_id = %(site)s
WHERE past.address = %(address)s::inet
    AND (%(at)s::timestamptz IS NULL OR (past.until >= %(at)s AND past.since <= %(at)s))
UNION ALL
SELECT node.name, node.id, known.port, known.mac, known.held_since, NULL
FROM telemetry_neighbour AS known
JOIN inventory_node AS node ON node.id = known.node_id AND node.site_id = %(site)s
WHERE known.address = %(address)s::inet AND known.mac <> ''
    AND (%(at)s::timestamptz IS NULL OR known.held_since <= %(at)s)
ORDER BY 6 DESC NULLS FIRST, 5 DESC LIMIT %(most)s
"""
_CLASHES = """
SELECT host(clash.address), clash.since, node.id, node.name, known.port, port.fabric_id, known.mac,
    known.state, known.held_since
FROM telemetry_neighbourclash AS clash
JOIN telemetry_neighbour AS known ON known.address = clash.address AND known.mac <> ''
JOIN inventory_node AS node ON node.id = known.node_id AND node.site_id = clash.site_id
LEFT JOIN inventory_port AS port ON port.node_id = node.id AND port.name = known.port
WHERE clash.site_id = %(site)s AND known.state <> 'failed'
    AND (%(addresses)s::inet[] IS NULL OR clash.address = ANY (%(addresses)s::inet[]))
ORDER BY clash.address, node.name, known.port
"""
_BEHIND = """
SELECT DISTINCT ON (1) entry ->> 'peer_id', node.name, entry ->> 'port'
FROM telemetry_adjacencyset AS known
JOIN inventory_node AS node ON node.id = known.node_id
CROSS JOIN LATERAL jsonb_array_elements(known.entries) AS entry
WHERE node.site_id = %(site)s AND known.source = 'fdb' AND entry ->> 'peer_id' = ANY (%(macs)s)
ORDER BY 1, node.name
"""
"""The bridge port at which only this address was learnt."""
_THROUGH = """
SELECT node.id, node.name, route.port, route.prefix, host(route.via),
    coalesce(known.mac, ''), coalesce(known.state, '')
FROM telemetry_route AS route
JOIN inventory_node AS node ON node.id = route.node_id
LEFT JOIN telemetry_neighbour AS known
    ON known.node_id = route.node_id AND known.port = route.port AND known.address = route.via
WHERE node.site_id = %(site)s AND node.id <> %(gateway)s
    AND (route.via = ANY (%(addresses)s::inet[]) OR known.mac = ANY (%(macs)s))
    AND NOT EXISTS (SELECT FROM telemetry_route AS better WHERE better.node_id = route.node_id
        AND better.prefix = route.prefix AND better.metric < route.metric)
ORDER BY node.name, route.prefix
"""
"""Of a prefix's routes the kernel uses those with the lowest metric."""


@dataclass(frozen=True, slots=True)
class WatchNow:
    """One device's tables as last reported."""

    node_id: int
    node: str
    at: datetime
    capacity: Mapping[str, int]
    """Family -> entries; missing: unknown."""
    overflows: Mapping[str, int]
    tables: Mapping[str, PortTable]


@dataclass(frozen=True, slots=True)
class Claim:
    """One table's entry for an address."""

    address: str
    since: datetime
    node_id: int
    node: str
    port: str
    fabric_id: int | None
    mac: str
    state: str
    held_since: datetime


@dataclass(frozen=True, slots=True)
class UsedRoute:
    """A route in use whose next hop is a certain node, and the neighbour entry of that next hop."""

    node_id: int
    node: str
    port: str
    prefix: str
    via: str
    mac: str
    """Empty: the next hop is not resolved."""
    state: str


@dataclass(frozen=True, slots=True)
class Holding:
    """A period in which a table had an address at one place. `until` None: current."""

    node: str
    node_id: int
    port: str
    mac: str
    since: datetime
    until: datetime | None


def watches(site: Site, also: Collection[int] | None = None) -> list[WatchNow]:
    """Devices with an active table, and those in `also`; None: all. One query."""
    rows = NeighbourWatch.objects.filter(node__site=site).order_by("node__name")
    return _watches(rows if also is None else rows.filter(Q(stirring=True) | Q(node__in=also)))


def watches_of(nodes: Collection[int]) -> dict[int, WatchNow]:
    """Node id -> its tables; one query."""
    return {watch.node_id: watch for watch in _watches(NeighbourWatch.objects.filter(node__in=nodes))}


def _watches(rows: QuerySet[NeighbourWatch]) -> list[WatchNow]:
    return [
        WatchNow(
            node_id=row.node_id,
            node=row.node.name,
            at=row.at,
            capacity=row.capacity,
            overflows=row.overflows,
            tables=tables_of(row),
        )
        for row in rows.select_related("node")
    ]


def duplicates_of(site: Site) -> QuerySet[DuplicateAddress]:
    """Addresses with several hardware addresses on one fabric now."""
    return DuplicateAddress.objects.filter(site=site)


def history(site: Site, address: str, at: datetime | None = None) -> list[Holding]:
    """Current and former places of an address in all tables, newest first; at `at`, or at any time."""
    known = {"site": site.pk, "address": address, "at": at, "most": MOST_PAST}
    return [Holding(*row) for row in fetch_rows(_PAST, known)]


def claims(site: Site, addresses: Collection[str] | None = None) -> list[Claim]:
    """Entries for addresses of which two once disagreed, all or these, by address."""
    wanted = None if addresses is None else list(addresses)
    return [Claim(*row) for row in fetch_rows(_CLASHES, {"site": site.pk, "addresses": wanted})]


def routes_through(site: Site, gateway: int) -> list[UsedRoute]:
    """Routes of other nodes that lead to a node: by its address, or by the entry of their next hop."""
    known = {
        "site": site.pk,
        "gateway": gateway,
        "addresses": sorted(_held(site, gateway)),
        "macs": sorted({spelled(mac) for mac in _macs_of(gateway)} - {"", "00:00:00:00:00:00"}),
    }
    return [UsedRoute(*row) for row in fetch_rows(_THROUGH, known)]


def _held(site: Site, node: int) -> set[str]:
    """A node's addresses that no other node holds: a virtual one may have moved."""
    rows = Port.objects.filter(node=node).values_list("addresses", "state__addresses")
    texts = {text for declared, reported in rows for text in (*declared, *(reported or ()))}
    others = PortState.objects.filter(port__node__site=site, addresses__overlap=list(texts))
    moved = {
        text
        for found in others.exclude(port__node=node).values_list("addresses", flat=True)
        for text in found
    }
    held = {text.partition("/")[0] for text in texts - moved}
    return {address for address in held if not ip_address(address).is_link_local}


def owners(site: Site, macs: Iterable[str]) -> dict[str, str]:
    """Hardware address -> its `node:port`, else the `switch:port` behind which it is alone."""
    wanted = set(macs) - {""}
    if not wanted:
        return {}
    rows = PortState.objects.filter(port__node__site=site, mac__in=wanted)
    found = {
        spelled(mac): f"{node}:{port}"
        for mac, node, port in rows.values_list("mac", "port__node__name", "port__name")
    }
    plain = {plain: mac for mac in wanted - found.keys() if (plain := plain_mac(mac))}
    behind = fetch_rows(_BEHIND, {"site": site.pk, "macs": list(plain)}) if plain else ()
    return found | {plain[mac]: f"{node}:{port}" for mac, node, port in behind}


def _macs_of(node: int) -> Iterable[str]:
    return PortState.objects.filter(port__node=node).values_list("mac", flat=True)


def entries(site: Site, *, text: str | None = None, **columns: object) -> QuerySet[Neighbour]:
    """Entries with their nodes. None does not filter."""
    rows = Neighbour.objects.filter(node__site=site).select_related("node")
    rows = rows.filter(**{name: value for name, value in columns.items() if value is not None})
    if not text:
        return rows
    return rows.filter(Q(address__icontains=text) | Q(mac__icontains=text) | Q(node__name__icontains=text))
