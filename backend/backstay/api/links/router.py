"""Links and their history."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import partial

import numpy as np
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.history.history_snapshot import PastLinks, past_links
from backstay.alerts.selectors.links import LIVE, LinkRows, labelled_links, links, live_values
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.selectors.state_deadline import next_state_change
from backstay.api.http.array_page import page_numbers
from backstay.api.http.auth import (
    Lookup,
    found,
    site_of,
)
from backstay.api.http.conditional_reads import INCIDENTS, INVENTORY, PATHS, SAMPLES, STATES, depends_on
from backstay.api.http.list_query import At, Column, Id, ListQuery, Points, Text, page, past_at, sort_of
from backstay.api.http.schemas import READ, Page, State
from backstay.api.links.present import Proof, history_out, link_out, link_since, link_status
from backstay.api.links.schemas import LinkHistory, LinkOut
from backstay.core.model.history import capacity_over
from backstay.core.model.load import Load
from backstay.core.model.state import OpenIncidents
from backstay.core.model.topology import Link
from backstay.core.timerange import span
from backstay.inventory import selectors
from backstay.inventory import snapshot as inventory_snapshot
from backstay.inventory.lookups import sorts_by
from backstay.inventory.standby_reads import reads_standby
from backstay.telemetry.selectors.history import best_measured, port_baselines, port_history
from backstay.telemetry.selectors.loads import Loads, port_ids
from backstay.telemetry.wiring import last_evidence

router = Router(tags=["links"])
_link = Lookup("link", selectors.link)


SORTS = {
    "name": Column("label", natural=True),
    "state": Column("status"),
    "fabric": Column("fabric__name", natural=True),
    "carrier": Column("carrier"),
    "carries": Column("carries"),
    "usable_rate": Column("fabric__usable_rate"),
    "utilisation": Column("utilisation", nullable=True),
    "forward": Column("forward", nullable=True),
    "back": Column("back", nullable=True),
    "age": Column("age", backwards=True, nullable=True),
    "since": Column("up_since", nullable=True),
    "incidents": Column("open_incidents"),
}


STORED = {"name": SORTS["name"], "fabric": SORTS["fabric"], "usable_rate": SORTS["usable_rate"]}
"""Columns that are the same at a past moment: only the links of the page are read."""


class LinkQuery(ListQuery):
    """Filters of `list_links`."""

    fabric: Text | None = None
    state: State | None = None
    node: Text | None = None
    at: At = None


@router.get("/links", response={200: Page[LinkOut], **READ}, operation_id="list_links")
@depends_on(INVENTORY, STATES, SAMPLES, INCIDENTS, PATHS, {"telemetry_adjacencyset"}, clock=next_state_change)
@reads_standby
def list_links(request: HttpRequest, query: Query[LinkQuery]) -> Page[LinkOut]:
    """A site's links with load in both directions. `utilisation` sorts by the larger direction.

    At a past moment loads are means of five minutes, and there is no sort by `age`.
    """
    snapshot = SiteSnapshot(site_of(request, query.site), timezone.now())
    rows = labelled_links(snapshot.site, fabric=query.fabric, node=query.node, text=query.q)
    if (at := past_at(query.at, snapshot.now)) is not None:
        return _past_links(snapshot, query, rows, at)
    is_live = sorts_by(query.sort, *LIVE)
    if query.state is not None or not (is_live or query.sorts_by_column_of(rows, SORTS, "name")):
        rows = links(snapshot, rows, state=query.state)
    shown, following = _by_live(snapshot, query, rows) if is_live else query.keys(rows, SORTS, "name")
    return Page(items=_links_out(snapshot, shown), next=following)


def _by_live(snapshot: SiteSnapshot, query: LinkQuery, rows: LinkRows) -> tuple[list[int], str | None]:
    """Ids of the links of a page that is sorted by one of `LIVE`."""
    sort = sort_of(query.sort, "name", SORTS)
    column = SORTS[sort.field]
    idents, values = live_values(snapshot, sort.field)
    if (query.fabric, query.state, query.node, query.q) != (None,) * 4:
        chosen = np.isin(idents, list(rows.order_by().values_list("pk", flat=True)))
        idents, values = idents[chosen], values[chosen]
    return page_numbers(idents, values, column, sort=sort, cursor=query.cursor, limit=query.limit)


def _past_links(now: SiteSnapshot, query: LinkQuery, rows: LinkRows, at: datetime) -> Page[LinkOut]:
    """Loads of a moment come from arrays of roll-ups: a list that depends on them reads all its links."""
    sort = sort_of(query.sort, "name", PAST_KEYS)
    if query.state is None and sort.field in STORED:
        chosen, following = query.rows(rows.only("pk"), STORED, "name")
        past = past_links(now.site, at, now.now, [row.pk for row in chosen])
        shown = list(past.links)
    else:
        past = past_links(now.site, at, now.now, list(rows.values_list("pk", flat=True)))
        keys = {sort.field: partial(PAST_KEYS[sort.field], past)}
        shown, following = page(
            _in_state(past, query.state), keys, lambda link: link.id,
            sort=sort, cursor=query.cursor, limit=query.limit,
        )  # fmt: skip
    items = [link_out(past.snapshot, link, past.incidents, None) for link in shown]
    return Page(items=items, next=following)


def _in_state(past: PastLinks, state: State | None) -> list[Link]:
    if state is None:
        return list(past.links)
    return [link for link in past.links if link_status(past.snapshot, link, past.incidents).state == state]


def _greatest(loads: Loads) -> float | None:
    return max((load.utilisation for load in loads if load is not None), default=None)


def _bps(load: Load | None) -> int | None:
    return None if load is None else load.bps


PAST_KEYS: Mapping[str, Callable[[PastLinks, Link], object]] = {
    "name": lambda past, link: past.snapshot.link_name(link),
    "state": lambda past, link: link_status(past.snapshot, link, past.incidents).state,
    "fabric": lambda past, link: past.snapshot.topology.fabrics[link.fabric_id].name,
    "carrier": lambda past, link: link_status(past.snapshot, link, past.incidents).carrier,
    "carries": lambda past, link: past.snapshot.carries.get(link.id, "none"),
    "usable_rate": lambda past, link: past.snapshot.topology.fabrics[link.fabric_id].usable_rate,
    "utilisation": lambda past, link: _greatest(past.snapshot.loads[link.id]),
    "forward": lambda past, link: _bps(past.snapshot.loads[link.id][0]),
    "back": lambda past, link: _bps(past.snapshot.loads[link.id][1]),
    "since": lambda past, link: link_since(past.snapshot, link),
    "incidents": lambda past, link: past.incidents.get(link.id, OpenIncidents()).total,
}
"""Field -> value to sort by at a past moment."""


@router.get("/links/{id}", response={200: LinkOut, **READ}, operation_id="get_link")
@depends_on(INVENTORY, STATES, SAMPLES, INCIDENTS, PATHS, {"telemetry_adjacencyset"}, clock=next_state_change)
def get_link(request: HttpRequest, id: Id) -> LinkOut:  # noqa: A002  (the name in the path)
    """One link."""
    snapshot = SiteSnapshot(_link(request, id).site, timezone.now())
    return found(next(iter(_links_out(snapshot, [id])), None), "link")


@router.get("/links/{id}/history", response={200: LinkHistory, **READ}, operation_id="get_link_history")
@reads_standby
def get_link_history(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    start: Text = "now-1h",
    end: Text = "now",
    points: Points = 600,
    *,
    baseline: bool = False,
) -> LinkHistory:
    """A link's load over time, from the end with the most samples in the range.

    `baseline`: also the usual load by the hour of the week.
    """
    site = _link(request, id).site
    since, until = span(start, end, timezone.now())
    topology = inventory_snapshot.load(site)
    link = topology.links[id]
    port = topology.ports[best_measured(port_ids([link]), since, until)]
    history = port_history(port, since, until, points=points, interval_s=site.interval_s)
    usable = topology.fabrics[link.fabric_id].usable_rate
    changes = selectors.rate_changes(link.fabric_id)
    capacity = capacity_over(usable, changes, since.timestamp(), until.timestamp())
    name = f"{topology.nodes[port.node_id].name}:{port.name}"
    baselines = port_baselines(port, history.bins) if baseline else None
    return history_out(history, capacity, name, baselines, at_source=port.id == link.a)


def _links_out(snapshot: SiteSnapshot, links: Collection[int]) -> list[LinkOut]:
    """These links in order; links removed meanwhile are omitted."""
    limited = snapshot.of_links(links)
    troubles, evidence = incidents.of_links(links), selectors.link_evidence(links)
    nodes = {item["node_id"] for _, known, conflicts in evidence.values() for item in (*known, *conflicts)}
    proof = Proof(evidence, last_evidence(nodes - {None}), snapshot.site.imported_at)
    return [link_out(limited, link, troubles, proof) for link in limited.links]
