"""The overview at a past moment: headline, tiles, policies and busiest links, from stored history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from backstay.api.http.urls import node_url, policy_paths_url
from backstay.api.links.present import link_out
from backstay.api.overview.present import (
    change_item,
    full_directions,
    full_item,
    policy_fields,
    problem_item,
    urgency,
)
from backstay.api.overview.schemas import (
    OverviewItem,
    PastOverview,
    PastTile,
    PastTileKind,
    PolicyPathsOut,
)
from backstay.api.paths.present import group_text
from backstay.api.sites.present import site_out
from backstay.core.alerting.headline import TILE_ITEMS
from backstay.core.alerting.history_headline import PastHeadlineFacts, past_headline
from backstay.core.formatting import count, part_of, precise
from backstay.core.model.state import NOT_MEASURED, State

if TYPE_CHECKING:
    from backstay.alerts.selectors.history.history_overview import PastOverviewFacts, PastPolicy
    from backstay.alerts.selectors.history.history_totals import OutageSum, SwitchTotal
    from backstay.alerts.selectors.paths.groups import ListedGroup

NOT_KEPT = (
    "changes that awaited confirmation, approval or start",
    "whether fallbacks would have held",
    "whether standbys worked",
    "agents that did not report",
    "which policies were deployed",
    "whether the alert rules were evaluated",
)
_URLS: dict[PastTileKind, str] = {
    "problems": "/incidents",
    "worst_paths": "/paths",
    "failovers": "/paths",
    "outages": "/paths",
    "nearly_full": "/links?sort=-utilisation",
    "recent_changes": "/events",
    "not_measured": "/devices?state=unknown",
}
_WRONG: frozenset[State] = frozenset({"critical", "warning"})


def past_overview_out(data: PastOverviewFacts) -> PastOverview:
    """Present one moment; every number comes from `data`."""
    snapshot, paths, tiles = data.snapshot, data.paths, _tiles(data)
    busiest = data.busiest
    return PastOverview(
        site=site_out(snapshot.site),
        nodes_total=len(snapshot.topology.nodes),
        at=snapshot.now,
        start=data.start,
        headline=_headline(data, tiles),
        tiles=tiles,
        top_links=[link_out(busiest.snapshot, link, busiest.incidents, None) for link in busiest.links],
        policies=[PolicyPathsOut(**policy_fields(item, _policy_text(item))) for item in data.policy_paths],
        paths_total=paths.total,
        paths_on_fallback=paths.rerouted,
        paths_dead=paths.dead,
        paths_unknown=paths.unknown,
        open_incidents=len(data.incidents),
        root_causes=len(data.root_causes),
        held_nodes=data.held_nodes,
        not_kept=list(NOT_KEPT),
    )


def _headline(data: PastOverviewFacts, tiles: Sequence[PastTile]) -> str:
    problems = next(tile for tile in tiles if tile.kind == "problems")
    return past_headline(
        PastHeadlineFacts(
            nodes=len(data.snapshot.topology.nodes),
            measured=len(data.snapshot.measured),
            paths=data.paths,
            problems=problems.total,
            worst_problems=tuple(item.title for item in problems.items),
            full=full_directions(data.loads),
            held_nodes=data.held_nodes,
        )
    )


def _tiles(data: PastOverviewFacts) -> list[PastTile]:
    families = sorted(data.root_causes.values(), key=urgency)
    wrong = [group for group in data.groups.groups if group.state in _WRONG]
    policies = data.policies
    return [
        _tile("problems", [problem_item(family) for family in families]),
        _tile("worst_paths", [_path_item(group) for group in wrong], sum(group.paths for group in wrong)),
        _tile(
            "failovers",
            [_switch_item(item, data) for item in data.switches if item.policy_id in policies],
            sum(item.switches for item in data.switches),
        ),
        _tile(
            "outages",
            [_outage_item(item, data) for item in data.outages if item.policy_id in policies],
            sum(item.outages for item in data.outages),
        ),
        _tile(
            "nearly_full", [full_item(data.snapshot, item) for item in data.loads.high], lag=_load_lag(data)
        ),
        _tile(
            "recent_changes",
            [change_item(*pair) for pair in data.changes.groups],
            data.changes.total,
            ""
            if data.has_events
            else "No event from before this range is stored: some of the range may be missing.",
        ),
        _not_measured(data),
    ]


def _tile(
    kind: PastTileKind, items: Sequence[OverviewItem], total: int | None = None, lag: str = ""
) -> PastTile:
    number = len(items) if total is None else total
    return PastTile(kind=kind, total=number, items=list(items[:TILE_ITEMS]), url=_URLS[kind], lag=lag)


def _path_item(group: ListedGroup) -> OverviewItem:
    return OverviewItem(
        title=group_text(group),
        detail=f"{group.policy}, {group.prefix}",
        state=group.state,
        since=group.first_at,
        url=policy_paths_url(group.policy),
    )


def _switch_item(item: SwitchTotal, data: PastOverviewFacts) -> OverviewItem:
    policy = data.policies[item.policy_id]
    is_home = item.to_gateway == next(iter(policy.gateways.values()), "")
    outage = "" if item.longest_ms is None else f", longest outage {precise(item.longest_ms)}"
    return OverviewItem(
        title=f"{item.from_gateway or 'no route'} → {item.to_gateway or 'no route'}",
        detail=f"{count(item.paths, 'path')} of {policy.name}{outage}",
        state="critical" if not item.to_gateway else "ok" if is_home else "warning",
        since=item.first_at,
        until=item.last_at,
        url=policy_paths_url(policy.name),
    )


def _outage_item(item: OutageSum, data: PastOverviewFacts) -> OverviewItem:
    name = data.policies[item.policy_id].name
    ongoing = f", {item.ongoing} ongoing" if item.ongoing else ""
    longest = "" if item.longest_ms is None else f", longest {precise(item.longest_ms)}"
    return OverviewItem(
        title=name,
        detail=f"{count(item.outages, 'outage')} of {count(item.paths, 'path')}{ongoing}{longest}",
        state="critical" if item.ongoing else "warning",
        since=item.first_at,
        url=policy_paths_url(name),
    )


def _load_lag(data: PastOverviewFacts) -> str:
    loads = data.loads
    if loads.measured == loads.links:
        return ""
    return f"{part_of(loads.measured, loads.links, 'link')} measured at that time."


def _not_measured(data: PastOverviewFacts) -> PastTile:
    snapshot = data.snapshot
    nodes = [node for node in snapshot.topology.nodes.values() if node.id not in snapshot.measured]
    items = [
        OverviewItem(title=node.name, detail=NOT_MEASURED, state="unknown", since=None, url=node_url(node.id))
        for node in nodes[:TILE_ITEMS]
    ]
    return _tile("not_measured", items, len(nodes))


def _policy_text(item: PastPolicy) -> str:
    totals = item.totals
    if totals.dead:
        return "all dead" if totals.dead == totals.total else f"{totals.dead} of {totals.total} dead"
    if totals.unknown:
        return "unknown" if totals.unknown == totals.total else f"{totals.unknown} unknown"
    return "standby not kept"
