"""Neighbour tables: entries, utilisation per port, address history, and duplicates."""

from collections.abc import Collection, Iterable
from ipaddress import ip_address
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.neighbours import neighbour_tables
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Column, ListQuery, Text
from backstay.api.http.schemas import READ, Page
from backstay.api.neighbours.present import (
    View,
    clash_of,
    duplicate_out,
    entry_out,
    fingerprints_of,
    holdings_out,
    table_out,
)
from backstay.api.neighbours.schemas import DuplicateOut, NeighbourHistory, NeighbourOut, NeighbourTable
from backstay.core.diagnosis.duplicates import duplicates
from backstay.core.errors import Invalid
from backstay.core.model.freshness import is_fresh
from backstay.core.model.hardware import spelled
from backstay.core.timerange import moment
from backstay.inventory.selectors import fabric_names, fabrics_of_ports
from backstay.inventory.standby_reads import reads_standby
from backstay.telemetry.selectors import neighbours as selectors
from backstay.telemetry.selectors.nodes import nodes_now

if TYPE_CHECKING:
    from backstay.inventory.models import Site
    from backstay.telemetry.models import DuplicateAddress, NeighbourPort

router = Router(tags=["neighbours"])
SORTS = {
    "address": Column("address"),
    "mac": Column("mac"),
    "node": Column("node__name", natural=True),
    "port": Column("port", natural=True),
    "state": Column("state"),
    "since": Column("held_since"),
    "age": Column("held_since", backwards=True),
}


class NeighbourQuery(ListQuery):
    """Filters of `list_neighbours`."""

    node: Text | None = None
    port: Text | None = None
    address: Text | None = None
    mac: Text | None = None
    state: Text | None = None


@router.get("/neighbours", response={200: Page[NeighbourOut], **READ}, operation_id="list_neighbours")
@reads_standby
def list_neighbours(request: HttpRequest, query: Query[NeighbourQuery]) -> Page[NeighbourOut]:
    """Current entries of all tables; filters are exact. `mac` in any notation."""
    row, now = site_of(request, query.site), timezone.now()
    rows = selectors.entries(
        row,
        text=query.q,
        node__name=query.node,
        port=query.port,
        address=None if query.address is None else _address(query.address),
        mac=None if query.mac is None else spelled(query.mac),
        state=query.state,
    )
    shown, following = query.rows(rows, SORTS, "address")
    known = selectors.owners(row, {item.mac for item in shown})
    return Page(items=[entry_out(item, known, now) for item in shown], next=following)


TABLE_SORTS = {
    "node": Column("label", natural=True),
    "entries": Column("entries"),
    "ipv4": Column("ipv4"),
    "ipv6": Column("ipv6"),
    "permanent": Column("permanent"),
    "top": Column("top_mac_entries"),
    "fabric": Column("fabric__name", natural=True, nullable=True),
    "incomplete": Column("incomplete"),
    "age": Column("at", backwards=True),
    "state": Column("rank"),
    "share": Column("share", nullable=True),
    "growth": Column("growth"),
    "broadcasts": Column("broadcasts", nullable=True),
}
DUPLICATE_SORTS = {
    "address": Column("address"),
    "since": Column("since"),
    "age": Column("since", backwards=True),
}


class NeighbourTableQuery(ListQuery):
    """Filters of `list_neighbour_tables`."""

    node: Text | None = None


@router.get(
    "/neighbours/tables", response={200: Page[NeighbourTable], **READ}, operation_id="list_neighbour_tables"
)
def list_neighbour_tables(request: HttpRequest, query: Query[NeighbourTableQuery]) -> Page[NeighbourTable]:
    """Entries per port, the device's capacity, and the main sources of growth."""
    site = site_of(request, query.site)
    rows = neighbour_tables(site, timezone.now(), node=query.node, text=query.q)
    shown, following = query.rows(rows, TABLE_SORTS, "node")
    return Page(items=_tables_out(site, shown), next=following)


@router.get(
    "/neighbours/history", response={200: NeighbourHistory, **READ}, operation_id="get_neighbour_history"
)
@reads_standby
def get_neighbour_history(
    request: HttpRequest, *, address: Text, site: Text | None = None, at: Text | None = None
) -> NeighbourHistory:
    """Owners of an address over time, from all tables of the site; `at=now-1h`: at that time."""
    row, wanted = site_of(request, site), _address(address)
    when = None if at is None else moment(at, timezone.now(), "at")
    rows = selectors.history(row, wanted, when)
    known = selectors.owners(row, {item.mac for item in rows})
    return NeighbourHistory(
        address=wanted, at=when, kept_days=settings.HOT_DAYS, items=holdings_out(rows, known)
    )


@router.get(
    "/neighbours/duplicates", response={200: Page[DuplicateOut], **READ}, operation_id="list_duplicates"
)
def list_duplicates(request: HttpRequest, query: Query[ListQuery]) -> Page[DuplicateOut]:
    """Addresses that currently have several hardware addresses on one fabric."""
    site = site_of(request, query.site)
    shown, following = query.rows(selectors.duplicates_of(site), DUPLICATE_SORTS, "address")
    return Page(items=_duplicates_out(site, shown), next=following)


def _address(text: str) -> str:
    """An address as stored; Invalid when malformed."""
    try:
        return str(ip_address(text.strip().partition("%")[0]))
    except ValueError as cause:
        expected = "expected an IPv4 or IPv6 address"
        raise Invalid(
            f"address={text!r} is not an address: {expected}.", fields={"address": expected}
        ) from cause


def _tables_out(site: "Site", rows: "Iterable[NeighbourPort]") -> list[NeighbourTable]:
    """Tables of these ports, in order."""
    places = [(row.node_id, row.port) for row in rows]
    watches = selectors.watches_of({node for node, _ in places})
    # A watch may have been stored again since the rows were read.
    known = [
        (watches[node], port, watches[node].tables[port])
        for node, port in places
        if node in watches and port in watches[node].tables
    ]
    view = _view_of(
        site,
        macs={mac for _, _, table in known for mac in (table.top_mac, table.talker)},
        nodes=watches.keys(),
        fingerprints={text for watch, port, _ in known for text in fingerprints_of(watch.node_id, port)},
    )
    return [table_out(view, watch, port, table) for watch, port, table in known]


def _duplicates_out(site: "Site", rows: "Iterable[DuplicateAddress]") -> list[DuplicateOut]:
    places = [(row.address, row.fabric_id) for row in rows]
    found = duplicates(selectors.claims(site, {address for address, _ in places}))
    known = {(item.address, item.fabric_id): item for item in found}
    shown = [known[place] for place in places if place in known]
    view = _view_of(
        site,
        macs={mac for item in shown for mac in item.macs},
        fingerprints={clash_of(item) for item in shown},
    )
    names = fabric_names(site)
    return [duplicate_out(view, item, names.get(item.fabric_id or 0)) for item in shown]


def _view_of(
    site: "Site", *, macs: set[str], fingerprints: Collection[str], nodes: Collection[int] = ()
) -> View:
    now = timezone.now()
    reported = nodes_now(site, nodes).items()
    return View(
        now=now,
        interval_s=site.interval_s,
        owners=selectors.owners(site, macs),
        fabrics=fabrics_of_ports(nodes),
        fresh=frozenset(
            node for node, state in reported if is_fresh(state.report_times.at, now, site.interval_s)
        ),
        incidents=incidents.with_fingerprints(site, fingerprints),
    )
