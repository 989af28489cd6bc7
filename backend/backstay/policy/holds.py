"""Holds of nodes as read by pages, plans and moves."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db.models import Q, QuerySet, TextField, Value
from django.db.models.functions import Concat

from backstay.core.formatting import clock_time, listing
from backstay.core.model.progress import OPEN_HOLDS
from backstay.inventory.models import Site
from backstay.policy.models import Hold


def open_holds(nodes: Collection[int]) -> dict[int, Hold]:
    """Node id -> its hold; the one that lasts longest. One query."""
    rows = Hold.objects.filter(node__in=nodes, state__in=OPEN_HOLDS).select_related("node")
    return {hold.node_id: hold for hold in rows.order_by("until", "pk")}


def holds_of_site(site: Site) -> dict[int, Hold]:
    """The same for a whole site."""
    rows = Hold.objects.filter(node__site=site, state__in=OPEN_HOLDS).select_related("node")
    return {hold.node_id: hold for hold in rows.order_by("until", "pk")}


def was_held(at: datetime) -> Q:
    """Whether a hold was not over at a past moment."""
    return Q(at__lte=at) & (Q(state__in=OPEN_HOLDS) | Q(since__gt=at))


def holds(
    site: Site, *, node: str | None = None, state: str | None = None, text: str | None = None
) -> QuerySet[Hold]:
    """A site's holds; state `open`: those that are not over. `text` looks into nodes, persons and reasons."""
    rows = Hold.objects.filter(node__site=site).select_related("node")
    rows = rows if node is None else rows.filter(node__name=node)
    if text:
        texts = ("node__name", Value(" "), "person", Value(" "), "reason")
        rows = rows.alias(searched=Concat(*texts, output_field=TextField())).filter(searched__icontains=text)
    if state is None:
        return rows
    return rows.filter(state__in=OPEN_HOLDS if state == "open" else [state])


def describe_hold(hold: Hold, now: datetime) -> str:
    """`held until 14:32 UTC by alice`."""
    until, place = clock_time(hold.until, now), " on the node" if hold.origin == "node" else ""
    if hold.state == "waiting":
        return f"to be held until {until} by {hold.person}, not confirmed by the node yet"
    ending = f", being ended by {hold.ended_by}" if hold.state == "ending" else ""
    return f"held until {until} by {hold.person}{place}{ending}"


def held_nodes(found: Iterable[Hold], now: datetime) -> str:
    """`sp05 is held until 14:32 UTC by alice`, for a refusal; empty without holds."""
    held = sorted(found, key=lambda hold: hold.node.name)
    return listing([f"{hold.node.name} is {describe_hold(hold, now)}" for hold in held])
