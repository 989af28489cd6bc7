"""Nodes with their states, for lists: filtered and sorted in PostgreSQL."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Concat

from backstay.alerts.selectors.incidents import CRITICAL, has_incident
from backstay.core.model.state import NODE_STATES, REPORTINGS
from backstay.inventory.models import Node, Site
from backstay.inventory.state_sql import fact, freshness, state_case
from backstay.policy.models import PolicyGateway


def nodes(site: Site, now: datetime, *, state: str | None = None, **filters: Any) -> QuerySet[Node]:
    """Rows of `plain_nodes` with `status`, ports and collector."""
    rows = plain_nodes(site, **filters).prefetch_related("ports").select_related("state", "watcher")
    rows = rows.alias(
        is_collected=fact(Q(watcher__isnull=False)),
        is_fresh=freshness("state__last_reported_at", site, now),
        has_reported=fact(Q(state__last_reported_at__isnull=False)),
        has_critical=has_incident("node", CRITICAL),
        has_warning=has_incident("node", ~CRITICAL),
    )
    rows = rows.alias(reporting=state_case(REPORTINGS)).annotate(status=state_case(NODE_STATES))
    return rows if state is None else rows.filter(status=state)


def plain_nodes(
    site: Site, *, kind: str | None = None, gateway: bool | None = None, text: str | None = None
) -> QuerySet[Node]:
    """A site's nodes; `text` searches names and titles.

    `gateway`: only nodes that are, or are not, a gateway of a policy.
    """
    rows = Node.objects.filter(site=site)
    rows = rows if kind is None else rows.filter(kind=kind)
    if gateway is not None:
        named = PolicyGateway.objects.filter(policy__site=site).values("node")
        rows = rows.filter(pk__in=named) if gateway else rows.exclude(pk__in=named)
    if text:
        rows = rows.alias(searched=Concat("name", Value(" "), "title")).filter(searched__icontains=text)
    return rows
