"""When each node last reported, through which agent, and the outcome of its collector."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max, OuterRef, Q, QuerySet, Subquery

from backstay.accounts.models import Agent
from backstay.core.model.freshness import max_age_s
from backstay.core.model.state import ReportTimes
from backstay.inventory.models import Node, Site
from backstay.telemetry.models import NodeState
from backstay.telemetry.row_cache import RowCache, version_sql
from backstay.telemetry.states.tables import runs_of

_UNHEARD = frozenset({"timeout", "failed"})


@dataclass(frozen=True, slots=True)
class NodeNow:
    """One node's freshness; `since`: when it last became stale or reported again."""

    report_times: ReportTimes
    since: datetime | None
    watcher_id: int | None = None
    """The node whose agent collects from it."""


def nodes_now(site: Site, nodes: Collection[int] | None = None) -> dict[int, NodeNow]:
    """Node id -> freshness, for these nodes or all; one query, of all one more for what changed."""
    if nodes is None:
        return _known.rows(site.pk).values
    return _nodes_now(Node.objects.filter(site=site, pk__in=nodes))


# Another agent of the watcher is another row, with a version of its own.
_VERSIONS = f"""
SELECT node.id, {version_sql("node", "state", "agent")} AS version
FROM inventory_node AS node
LEFT JOIN telemetry_nodestate AS state ON state.node_id = node.id
LEFT JOIN inventory_node AS watcher ON watcher.id = node.watcher_id
LEFT JOIN accounts_agent AS agent ON agent.id = watcher.agent_id
WHERE node.site_id = %(site)s
"""  # noqa: S608 - only names of tables are put in


def _read(site: int, nodes: Sequence[int]) -> dict[int, NodeNow]:
    return _nodes_now(Node.objects.filter(site=site, pk__in=nodes))


_known = RowCache(_VERSIONS, _read)


def lost_nodes(site: Site, now: datetime) -> dict[int, NodeNow]:
    """As `nodes_now`, of the nodes that do not report or that no agent collects from."""
    oldest = now - timedelta(seconds=max_age_s(site.interval_s))
    silent = Q(state__last_reported_at=None) | Q(state__last_reported_at__lt=oldest)
    return _nodes_now(Node.objects.filter(silent | Q(watcher=None), site=site))


def _nodes_now(chosen: QuerySet[Node]) -> dict[int, NodeNow]:
    rows = chosen.values_list(
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
            watcher,
        )
        for node_id, watcher, last_reported_at, changed_at, outcome, detail, agent_at in rows
    }


@dataclass(frozen=True, slots=True)
class CollectorNow:
    """The last reported run of one collector of a device."""

    name: str
    outcome: str
    detail: str
    duration_ms: float
    at: datetime
    since: datetime | None
    """Start of the runs with this outcome; None: before it was recorded."""
    answered_at: datetime | None
    """Last reported run with data; None: none is recorded."""
    agent: str | None
    """Node whose agent reported the run; None: it was removed, or not recorded."""
    tables: Sequence[Mapping[str, Any]]
    """Newest read of each SNMP table, as the wire's TableReading."""


def collectors_of(node: Node) -> list[CollectorNow]:
    """The collectors of a node with their last reported runs, by name; two queries."""
    state = NodeState.objects.filter(node=node).only("collectors", "collectors_runs").first()
    known: Mapping[str, Mapping[str, Any]] = runs_of(state) if state else {}
    idents = {run["agent"] for run in known.values() if run.get("agent")}
    rows = Agent.objects.filter(pk__in=idents).values_list("pk", "node") if idents else ()
    agents = {str(ident): name for ident, name in rows}
    return [
        CollectorNow(
            name=name,
            outcome=run["outcome"],
            detail=run["detail"],
            duration_ms=run["duration_ms"],
            at=datetime.fromisoformat(run["at"]),
            since=_moment(run.get("since")),
            answered_at=_moment(run.get("answered_at")),
            agent=agents.get(run.get("agent", "")),
            tables=run.get("tables", []),
        )
        for name, run in sorted(known.items())
    ]


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def with_last_report(sites: QuerySet[Site], text: str | None = None) -> QuerySet[Site]:
    """Sites with `last_reported_at`, the last report of any node; `text` searches names and titles."""
    reports = Node.objects.filter(site=OuterRef("pk")).order_by().values("site")
    newest = reports.annotate(at=Max("state__last_reported_at")).values("at")
    rows = sites.annotate(last_reported_at=Subquery(newest))
    return rows.filter(Q(name__icontains=text) | Q(title__icontains=text)) if text else rows
