"""The overview page: headline, policies and the five tiles of one snapshot.

The totals of the tiles are the numbers of the headline.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from backstay.api.agents.present import agent_state
from backstay.api.capacity.present import summary_state
from backstay.api.changes.present import waiting_item
from backstay.api.events.present import group_url
from backstay.api.http.urls import capacity_url, incident_url, link_url, node_url, policy_paths_url
from backstay.api.links.present import Proof, link_out
from backstay.api.overview.schemas import (
    ActiveGateway,
    FallbacksOut,
    Overview,
    OverviewCountsOut,
    OverviewItem,
    OverviewTile,
    PolicyOutcomeOut,
    TileKind,
)
from backstay.api.sites.present import site_out
from backstay.core.alerting.event_groups import EventGroup
from backstay.core.alerting.headline import TILE_ITEMS, Culprit, HeadlineFacts, effect, headline
from backstay.core.formatting import count, duration, part_of, rate, share
from backstay.core.model.freshness import is_fresh
from backstay.core.model.state import OpenIncidents, node_state
from backstay.core.thresholds import SATURATED
from backstay.policy.holds import held_nodes

if TYPE_CHECKING:
    from backstay.alerts.models import Incident
    from backstay.alerts.selectors.history.history_overview import PastPolicy
    from backstay.alerts.selectors.overview import OverviewCounts, OverviewFacts
    from backstay.alerts.selectors.path_outcomes import PolicyOutcome
    from backstay.alerts.selectors.rounds import SiteEvaluation
    from backstay.alerts.selectors.site_snapshot import SiteSnapshot
    from backstay.core.alerting.link_rates import HighLoad, LoadSummary
    from backstay.telemetry.models import Event
    from backstay.telemetry.selectors.nodes import NodeNow

_URLS: dict[TileKind, str] = {
    "problems": "/incidents?phase=current",
    "nearly_full": "/links?sort=-utilisation",
    "recent_changes": "/events",
    "awaiting_confirmation": "/changes?state=current",
    "not_reporting": "/devices?state=unknown",
}


def overview_out(data: OverviewFacts) -> Overview:
    """Present one snapshot; every number comes from `data`."""
    snapshot, totals = data.snapshot, data.outcomes.totals
    tiles = tiles_of(data)
    proof = Proof(data.evidence.rows, data.evidence.last_reported, snapshot.site.imported_at)
    return Overview(
        site=site_out(snapshot.site),
        nodes_total=len(snapshot.topology.nodes),
        at=snapshot.now,
        headline=_headline(data, tiles),
        tiles=list(tiles.values()),
        top_links=[link_out(data.busiest, link, data.link_incidents, proof) for link in data.busiest.links],
        policies=[_policy_out(item) for item in data.outcomes.policies],
        fallbacks=_fallbacks_out(data),
        paths_total=totals.total,
        paths_on_fallback=totals.rerouted,
        paths_dead=totals.dead,
        paths_unknown=totals.unknown,
        open_incidents=len(data.incidents),
        root_causes=len(data.root_causes),
        awaiting=len(data.waiting),
        held_nodes=len(snapshot.holds),
        failed_deliveries=data.failed_deliveries,
        evaluation_late_s=_late_s(data.evaluation),
    )


def counts_out(counts: OverviewCounts) -> OverviewCountsOut:
    """The same numbers as in `Overview`."""
    return OverviewCountsOut(
        at=counts.at,
        open_incidents=counts.incidents.total,
        root_causes=counts.incidents.causes,
        awaiting=counts.awaiting,
        failed_deliveries=counts.failed_deliveries,
        evaluation_late_s=_late_s(counts.evaluation),
    )


def _headline(data: OverviewFacts, tiles: Mapping[TileKind, OverviewTile]) -> str:
    snapshot = data.snapshot
    return headline(
        HeadlineFacts(
            nodes=len(snapshot.topology.nodes),
            links=len(snapshot.topology.links),
            silent_nodes=len(_silent(data)),
            not_reporting=tiles["not_reporting"].total,
            paths=data.outcomes.totals,
            culprits=tuple(data.outcomes.culprits),
            problems=tiles["problems"].total,
            worst_problems=_unnamed_problems(data, tiles["problems"]),
            full=full_directions(data.loads),
            awaiting=data.awaiting,
            held=held_nodes(snapshot.holds.values(), snapshot.now),
            evaluation_late=data.evaluation.is_late,
        )
    )


def policy_fields(item: PolicyOutcome | PastPolicy, state_text: str) -> dict[str, Any]:
    """The fields of `PolicyPathsOut`, now or at a past moment."""
    policy, totals = item.policy, item.totals
    return {
        "policy": policy.name,
        "policy_id": policy.id,
        "prefix": policy.prefix,
        "preferred": next(iter(policy.gateways.values()), ""),
        "nodes": totals.total,
        "dead": totals.dead,
        "rerouted": totals.rerouted,
        "unknown": totals.unknown,
        "active": [ActiveGateway(name=name, nodes=nodes) for name, nodes in item.active],
        "state": item.state,
        "state_text": state_text,
        "url": policy_paths_url(policy.name),
    }


def _policy_out(item: PolicyOutcome) -> PolicyOutcomeOut:
    shared = policy_fields(item, item.text)
    return PolicyOutcomeOut(**shared, without_standby=item.without_standby, verified=item.verified)


def _fallbacks_out(data: OverviewFacts) -> FallbacksOut:
    summary = data.fallbacks
    items = [
        OverviewItem(
            title=row.name, detail=row.reason, state="warning", since=row.since, url=capacity_url(row.pk)
        )
        for row in ([] if summary.is_stale else data.failing_fallbacks)
    ]
    return FallbacksOut(
        headline=summary.headline,
        state=summary_state(summary),
        total=summary.total,
        holds=summary.number("holds"),
        would_not_hold=summary.number("would_not_hold"),
        unknown=summary.number("unknown"),
        items=items,
        as_of=summary.checked_at,
        age_s=summary.age_s,
        is_stale=summary.is_stale,
        error=summary.error,
        url="/capacity",
    )


def tiles_of(data: OverviewFacts) -> dict[TileKind, OverviewTile]:
    """The tiles in the order in which pages show them."""
    problems, full, lost = _problems(data), _nearly_full(data), _not_reporting(data)
    changes = [change_item(*pair) for pair in data.changes.groups]
    waiting = [
        waiting_item(item, data.contexts[item.change.pk], data.snapshot.now)
        for item in data.waiting[:TILE_ITEMS]
    ]
    now = data.snapshot.now
    return {
        "problems": _tile("problems", problems, data.evaluation.finished_at, _evaluation_lag(data)),
        "nearly_full": _tile("nearly_full", full, *_load_lag(data)),
        "recent_changes": _tile("recent_changes", changes, now, _change_lag(data), data.changes.total),
        "awaiting_confirmation": _tile("awaiting_confirmation", waiting, now, "", len(data.waiting)),
        "not_reporting": _tile("not_reporting", lost, now, _pause_lag(data)),
    }


def _tile(
    kind: TileKind, items: list[OverviewItem], as_of: datetime | None, lag: str, total: int | None = None
) -> OverviewTile:
    number = len(items) if total is None else total
    return OverviewTile(
        kind=kind, total=number, items=items[:TILE_ITEMS], url=_URLS[kind], as_of=as_of, lag=lag
    )


def _unnamed_problems(data: OverviewFacts, tile: OverviewTile) -> tuple[str, ...]:
    """Titles of the problems, the most urgent first; with culprits of paths only those of critical others."""
    culprits = tuple(culprit.text for culprit in data.outcomes.culprits)
    if not culprits:
        return tuple(item.title for item in tile.items)
    critical = [item.title for item in tile.items if item.state == "critical"]
    return tuple(title for title in critical if not title.startswith(culprits))


def _problems(data: OverviewFacts) -> list[OverviewItem]:
    """Affected paths that no incident covers yet, then root causes with their effects, the worst first."""
    families = sorted(data.root_causes.values(), key=urgency)
    return [*_uncovered(data), *(problem_item(family) for family in families)]


def urgency(family: list[Incident]) -> tuple[bool, datetime, int]:
    """Sorts groups of incidents: the worst first, then the oldest."""
    return (_severity(family) != "critical", family[0].opened_at, family[0].pk)


def _severity(family: list[Incident]) -> str:
    """Of the worst incident: a group is never better than a member."""
    return "critical" if any(incident.severity == "critical" for incident in family) else "warning"


def problem_item(family: list[Incident]) -> OverviewItem:
    """A root cause with its effects."""
    root = family[0]
    more = f" Root cause of {count(len(family) - 1, 'more incident')}." if len(family) > 1 else ""
    return OverviewItem(
        title=root.title,
        detail=root.detail + more,
        state="critical" if _severity(family) == "critical" else "warning",
        since=root.opened_at,
        url=incident_url(root.pk),
    )


def _uncovered(data: OverviewFacts) -> list[OverviewItem]:
    """A rule opens its incident after some seconds; until then the paths' own state is the problem."""
    covered = data.incident_paths
    found = []
    for culprit in data.outcomes.culprits:
        dead = [path for path in culprit.dead if path not in covered]
        rerouted = [path for path in culprit.rerouted if path not in covered]
        if dead or rerouted:
            found.append(_culprit_item(culprit, len(dead), len(rerouted)))
    return found


def _culprit_item(culprit: Culprit, dead: int, rerouted: int) -> OverviewItem:
    return OverviewItem(
        title=culprit.text,
        detail=effect(dead, rerouted, culprit.onto),
        state="critical" if dead else "warning",
        since=None,
        url="/paths",
    )


def _nearly_full(data: OverviewFacts) -> list[OverviewItem]:
    return [full_item(data.snapshot, item) for item in data.loads.high]


def full_item(snapshot: SiteSnapshot, item: HighLoad) -> OverviewItem:
    """One direction of a nearly full link."""
    link = snapshot.topology.links[item.link]
    ends, used = snapshot.end_names(link), item.load.utilisation
    source, target = ends if item.direction == 0 else ends[::-1]
    return OverviewItem(
        title=f"{source} -> {target}",
        detail=f"{share(used)} of {rate(snapshot.topology.fabrics[link.fabric_id].usable_rate)}",
        state="warning" if used >= SATURATED else "ok",
        since=None,
        url=link_url(link.id),
    )


def full_directions(loads: LoadSummary) -> int:
    """Directions of links that are saturated: the tile's items with the state warning."""
    return sum(item.load.utilisation >= SATURATED for item in loads.high)


def change_item(group: EventGroup, newest: Event) -> OverviewItem:
    """A group of events as one line."""
    return OverviewItem(
        title=group.title,
        detail=group.detail,
        state=group.state,
        since=group.start,
        until=group.end,
        url=group_url(group, newest),
    )


def _not_reporting(data: OverviewFacts) -> list[OverviewItem]:
    snapshot = data.snapshot
    items = []
    for node in snapshot.topology.nodes.values():
        if (known := data.lost.get(node.id)) is not None:
            reports = known.report_times
            state = node_state(reports, OpenIncidents(), snapshot.now, snapshot.site.interval_s)
            items.append(_lost_item(node.name, state.text, reports.at, node_url(node.id)))
    named = {item.title for item in items}
    for agent in data.agents:
        state = agent_state(agent, snapshot.now, snapshot.site.interval_s)
        if state.state == "unknown" and agent.node not in named:
            title = f"agent on {agent.node}"
            items.append(_lost_item(title, state.text, agent.last_reported_at, "/settings/agents"))
    return items


def _lost_item(title: str, text: str, since: datetime | None, url: str) -> OverviewItem:
    return OverviewItem(title=title, detail=text, state="unknown", since=since, url=url)


def _evaluation_lag(data: OverviewFacts) -> str:
    if data.evaluation.finished_at is None:
        return "The alert rules have never been evaluated."
    age = duration(data.evaluation.age_s)
    return f"The alert rules were last evaluated {age} ago." if data.evaluation.is_late else ""


def _late_s(evaluation: SiteEvaluation) -> float | None:
    return round(evaluation.age_s, 1) if evaluation.is_late else None


def _load_lag(data: OverviewFacts) -> tuple[datetime | None, str]:
    """When the newest load was measured, and how many links have no current one."""
    loads = data.loads
    if loads.measured == loads.links:
        return loads.measured_at, ""
    return loads.measured_at, f"{part_of(loads.measured, loads.links, 'link')} measured now."


def _change_lag(data: OverviewFacts) -> str:
    if data.changes.since is not None:
        return "The range has too many events: older ones are not grouped."
    silent = sum(item.report_times.watched for item in _silent(data))
    return (
        f"Without {count(silent, 'node')} that {'does' if silent == 1 else 'do'} not report."
        if silent
        else ""
    )


def _silent(data: OverviewFacts) -> list[NodeNow]:
    """Nodes that do not report."""
    now, interval_s = data.snapshot.now, data.snapshot.site.interval_s
    return [item for item in data.lost.values() if not is_fresh(item.report_times.at, now, interval_s)]


def _pause_lag(data: OverviewFacts) -> str:
    is_paused = data.snapshot.listening_since == data.snapshot.now
    return "The backend receives no reports: no agent can report." if is_paused else ""
