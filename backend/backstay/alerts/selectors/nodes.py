"""Nodes with their states, for lists: filtered and sorted in PostgreSQL."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Concat

from backstay.alerts.selectors.incidents import CRITICAL, has_incident
from backstay.core.model.state import NODE_STATES, REPORTINGS
from backstay.inventory import selectors as inventory
from backstay.inventory.models import Node, Site
from backstay.inventory.state_sql import fact, freshness, state_case
from backstay.policy.models import PolicyGateway


def nodes(
    site: Site,
    now: datetime,
    *,
    kind: str | None = None,
    state: str | None = None,
    gateway: bool | None = None,
    text: str | None = None,
) -> QuerySet[Node]:
    """A site's nodes with `status`, ports and collector; `text` searches names and titles.

    `gateway`: only nodes that are, or are not, a gateway of a policy.
    """
    rows = inventory.nodes(site, kind)
    if gateway is not None:
        named = PolicyGateway.objects.filter(policy__site=site).values("node")
        rows = rows.filter(pk__in=named) if gateway else rows.exclude(pk__in=named)
    rows = rows.alias(
        is_collected=fact(Q(watcher__isnull=False)),
        is_fresh=freshness("state__last_reported_at", site, now),
        has_reported=fact(Q(state__last_reported_at__isnull=False)),
        has_critical=has_incident("node", CRITICAL),
        has_warning=has_incident("node", ~CRITICAL),
    )
    rows = rows.alias(reporting=state_case(REPORTINGS)).annotate(status=state_case(NODE_STATES))
    if text:
        rows = rows.alias(searched=Concat("name", Value(" "), "title")).filter(searched__icontains=text)
    return rows if state is None else rows.filter(status=state)
