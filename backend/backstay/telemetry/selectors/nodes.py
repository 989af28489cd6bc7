"""When each node last reported, through which agent, and the outcome of its collector."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

from backstay.core.model.state import ReportTimes
from backstay.inventory.models import Node, Site

_UNHEARD = frozenset({"timeout", "failed"})


@dataclass(frozen=True, slots=True)
class NodeNow:
    """One node's freshness; `since`: when it last became stale or reported again."""

    report_times: ReportTimes
    since: datetime | None


def nodes_now(site: Site) -> dict[int, NodeNow]:
    """Node id -> its freshness; one query for the site."""
    rows = Node.objects.filter(site=site).values_list(
        "id",
        "watcher_id",
        "state__last_reported_at",
        "state__changed_at",
        "state__collector_outcome",
        "state__collector_detail",
        "watcher__agent__last_reported_at",
    )
    return {
        node_id: NodeNow(
            ReportTimes(
                at=last_reported_at,
                watched=watcher is not None,
                agent_at=agent_at,
                detail=(detail or outcome) if outcome in _UNHEARD else "",
            ),
            changed_at,
        )
        for node_id, watcher, last_reported_at, changed_at, outcome, detail, agent_at in rows
    }


def last_reported(sites: Iterable[Site]) -> dict[int, datetime]:
    """Site id -> when any of its nodes last reported; missing: never. One query."""
    report_times = Node.objects.filter(site__in=list(sites), state__last_reported_at__isnull=False)
    rows = report_times.order_by().values_list("site_id").annotate(at=Max("state__last_reported_at"))
    return dict(rows)
