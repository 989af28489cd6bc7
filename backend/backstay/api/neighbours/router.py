"""Neighbour tables: entries, utilisation per port, address history, and duplicates."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.alerts.selectors.neighbours import neighbour_tables
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Column, ListQuery, Text
from backstay.api.http.schemas import READ, Page
from backstay.api.neighbours.present import duplicates_out, entry_out, holdings_out, tables_out
from backstay.api.neighbours.schemas import DuplicateOut, NeighbourHistory, NeighbourOut, NeighbourTable
from backstay.core.errors import Invalid
from backstay.core.model.hardware import spelled
from backstay.core.timerange import moment
from backstay.telemetry.selectors import neighbours as selectors

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
    """Entries per port against the device's capacity, and the main sources of growth."""
    site = site_of(request, query.site)
    rows = neighbour_tables(site, timezone.now(), node=query.node, text=query.q)
    shown, following = query.rows(rows, TABLE_SORTS, "node")
    return Page(items=tables_out(site, shown), next=following)


@router.get(
    "/neighbours/history", response={200: NeighbourHistory, **READ}, operation_id="get_neighbour_history"
)
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
    return Page(items=duplicates_out(site, shown), next=following)


def _address(text: str) -> str:
    """An address as stored; Invalid when malformed."""
    try:
        return str(ip_address(text.strip().partition("%")[0]))
    except ValueError as cause:
        expected = "expected an IPv4 or IPv6 address"
        raise Invalid(
            f"address={text!r} is not an address: {expected}.", fields={"address": expected}
        ) from cause
