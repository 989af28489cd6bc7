"""The overview page: the headline, and the five tiles with their evidence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from backstay.accounts.models import Agent
from backstay.alerts.models import Incident
from backstay.alerts.rules import node_stale, saturation
from backstay.alerts.selectors.incidents import by_link
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.agents.present import agent_state
from backstay.api.changes.present import waiting_item
from backstay.api.events.present import url_of
from backstay.api.http.urls import incident_url, link_url, node_url
from backstay.api.links.present import Proof, link_out
from backstay.api.nodes.present import node_status
from backstay.api.overview.schemas import Overview, OverviewItem, OverviewTile, TileKind
from backstay.api.sites.present import site_out
from backstay.core.formatting import count, duration, milliseconds, rate, share
from backstay.core.model.load import Load
from backstay.core.thresholds import NEARLY_FULL, SATURATED
from backstay.policy.holds import held_nodes
from backstay.rollout.models import Change
from backstay.telemetry.models import Event

SHOWN = 5
TOP_LINKS = 5
TOGETHER_S = 60
"""Moves of one policy, or ports of one node, within this time are shown as one event."""
CHANGES = (
    "path.switched",
    "path.lost",
    "path.dead",
    "path.restored",
    "port.down",
    "port.up",
    "node.restarted",
    "node.released",
    "node.reverted",
    "node.held",
    "node.hold_ended",
    "node.hold_failed",
    "path.overridden",
    "change.done",
    "change.rolled_back",
    "change.stopped",
    "change.failed",
)
_URLS: dict[TileKind, str] = {
    "problems": "/incidents?phase=current",
    "nearly_full": "/links?sort=-utilisation",
    "recent_changes": "/events",
    "awaiting_confirmation": "/changes?state=current",
    "not_reporting": "/devices?state=unknown",
}


@dataclass(frozen=True, slots=True)
class OverviewInput:
    """Input of the overview."""

    snapshot: SiteSnapshot
    incidents: list[Incident]
    changes: list[Event]
    """The newest first."""
    agents: list[Agent]
    waiting: list[Change]
    """Changes that await an action, most urgent first."""
    proof: Proof


def overview_out(data: OverviewInput) -> Overview:
    snapshot = data.snapshot
    busiest = busiest_links(snapshot)
    tiles = [
        _tile("problems", _problems(data)),
        _tile("nearly_full", _nearly_full(snapshot)),
        _tile("recent_changes", _recent_changes(data.changes)),
        _tile("awaiting_confirmation", [waiting_item(change, snapshot.now) for change in data.waiting]),
        _tile("not_reporting", _not_reporting(data)),
    ]
    troubles = by_link(data.incidents)
    links = snapshot.topology.links
    fallback = sum(path.on_fallback(snapshot.policies[path.policy_id]) for path in snapshot.paths)
    return Overview(
        site=site_out(snapshot.site),
        at=snapshot.now,
        headline=_headline(data, tiles, fallback),
        tiles=tiles,
        top_links=[link_out(snapshot, links[link], troubles, data.proof) for link in busiest],
        paths_total=len(snapshot.paths),
        paths_on_fallback=fallback,
        open_incidents=len(data.incidents),
        held_nodes=len(snapshot.holds),
    )


def busiest_links(snapshot: SiteSnapshot) -> list[int]:
    """Ids of the busiest links."""
    used = {link: _most(loads) for link, loads in snapshot.loads.items()}
    known = [link for link, most in used.items() if most is not None]
    return sorted(known, key=lambda link: (-(used[link] or 0.0), link))[:TOP_LINKS]


def _most(loads: Sequence[Load | None]) -> float | None:
    return max((load.utilisation for load in loads if load is not None and load.fresh), default=None)


def _tile(kind: TileKind, items: list[OverviewItem]) -> OverviewTile:
    return OverviewTile(kind=kind, total=len(items), items=items[:SHOWN], url=_URLS[kind])


def _problems(data: OverviewInput) -> list[OverviewItem]:
    """Root causes, each with its number of effects; unreachable hosts are listed as not reporting."""
    effects: dict[int, int] = {}
    for incident in data.incidents:
        if incident.cause_id is not None:
            effects[incident.cause_id] = effects.get(incident.cause_id, 0) + 1
    roots = [incident for incident in data.incidents if incident.cause_id is None and _is_problem(incident)]
    roots.sort(key=lambda incident: (incident.severity != "critical", incident.opened_at))
    return [_problem_item(incident, effects.get(incident.pk, 0)) for incident in roots]


def _is_problem(incident: Incident) -> bool:
    if incident.rule.kind == saturation.RULE.kind:
        return False
    return incident.rule.kind != node_stale.RULE.kind or incident.severity == "critical"


def _problem_item(incident: Incident, effects: int) -> OverviewItem:
    more = f" Root cause of {count(effects, 'more incident')}." if effects else ""
    return OverviewItem(
        title=incident.title,
        detail=incident.detail + more,
        state=incident.severity,
        since=incident.opened_at,
        url=incident_url(incident.pk),
    )


def _nearly_full(snapshot: SiteSnapshot) -> list[OverviewItem]:
    found = []
    for link in snapshot.topology.links.values():
        a, b = snapshot.end_names(link)
        usable = snapshot.topology.fabrics[link.fabric_id].usable_rate
        for load, name in zip(snapshot.loads[link.id], (f"{a} -> {b}", f"{b} -> {a}"), strict=True):
            if load is not None and load.fresh and load.utilisation >= NEARLY_FULL:
                found.append((load, _full_item(name, load, usable, link.id)))
    return [item for _, item in sorted(found, key=lambda item: -item[0].utilisation)]


def _full_item(name: str, load: Load, usable: int, link_id: int) -> OverviewItem:
    return OverviewItem(
        title=name,
        detail=f"{share(load.utilisation)} of {rate(usable)}",
        state="warning" if load.utilisation >= SATURATED else "ok",
        since=None,
        url=link_url(link_id),
    )


def _recent_changes(changes: list[Event]) -> list[OverviewItem]:
    return [_change_item(group) for group in _together(changes)]


def _together(changes: Iterable[Event]) -> list[list[Event]]:
    """Groups of similar events at about the same time, newest first."""
    groups: list[list[Event]] = []
    open_groups: dict[tuple[object, ...], list[Event]] = {}
    for event in changes:
        key = _alike(event)
        group = open_groups.get(key)
        if group is not None and (group[-1].at - event.at).total_seconds() <= TOGETHER_S:
            group.append(event)
        else:
            open_groups[key] = [event]
            groups.append(open_groups[key])
    return groups


def _alike(event: Event) -> tuple[object, ...]:
    """Grouping key: the same move of a policy, or ports of one node."""
    if event.kind.startswith("path."):
        return (event.kind, event.data.get("policy"), event.data.get("from"), event.data.get("to"))
    return (event.kind, event.node_id, None if event.kind.startswith("port.") else event.pk)


def _change_item(group: list[Event]) -> OverviewItem:
    newest = group[0]
    title = newest.message if len(group) == 1 else _group_title(group)
    outages = [event.data["outage_ms"] for event in group if event.data.get("outage_ms") is not None]
    detail = f"at most {milliseconds(max(outages))} lost" if outages and len(group) > 1 else ""
    return OverviewItem(
        title=title,
        detail=detail,
        state=newest.severity,
        since=newest.at,
        url=url_of(newest),
    )


def _group_title(group: list[Event]) -> str:
    newest = group[0]
    if newest.kind.startswith("port."):
        node = newest.subject.split(":")[0]
        return f"{count(len(group), 'port')} of {node} went {newest.kind.removeprefix('port.')}"
    nodes = count(len({event.node_id for event in group}), "node")
    subject = f"{nodes} of {newest.data.get('policy')}"
    if newest.kind == "path.switched":
        return f"{subject} moved from {newest.data.get('from')} to {newest.data.get('to')}"
    predicates = {
        "path.lost": "lost their route",
        "path.dead": "are unreachable",
        "path.restored": "are back",
    }
    return f"{subject} {predicates[newest.kind]}"


def _not_reporting(data: OverviewInput) -> list[OverviewItem]:
    snapshot = data.snapshot
    items = []
    for node in snapshot.topology.nodes.values():
        known, state = node_status(snapshot, node.id, {})
        if state.state == "unknown":
            items.append(_lost_item(node.name, state.text, known.report_times.at, node_url(node.id)))
    named = {item.title for item in items}
    for agent in data.agents:
        state = agent_state(agent, snapshot.now, snapshot.site.interval_s)
        if state.state == "unknown" and agent.node not in named:
            title = f"agent on {agent.node}"
            items.append(_lost_item(title, state.text, agent.last_reported_at, "/settings/agents"))
    return items


def _lost_item(title: str, text: str, since: object, url: str) -> OverviewItem:
    return OverviewItem(title=title, detail=text, state="unknown", since=since, url=url)


def _headline(data: OverviewInput, tiles: list[OverviewTile], fallback: int) -> str:
    snapshot = data.snapshot
    totals = {tile.kind: tile.total for tile in tiles}
    nodes = len(snapshot.topology.nodes)
    if nodes and totals["not_reporting"] >= nodes:
        return "No node is reporting: no value here is live. Check the agents."
    saturated = sum(incident.rule.kind == saturation.RULE.kind for incident in data.incidents)
    needs = totals["problems"] + saturated
    sentences = [f"{count(needs, 'item needs', 'items need')} attention." if needs else "No problems."]
    if fallback:
        sentences.append(_fallback_sentence(snapshot, fallback))
    if saturated:
        sentences.append(f"{count(saturated, 'link direction is', 'link directions are')} full.")
    confirming = sum(change.state == "confirming" for change in data.waiting)
    if confirming:
        sentences.append(f"{count(confirming, 'change waits', 'changes wait')} for confirmation.")
    if snapshot.holds:
        sentences.append(f"{held_nodes(snapshot.holds.values(), snapshot.now)}.")
    if totals["not_reporting"]:
        sentences.append(f"{totals['not_reporting']} not reporting.")
    if len(sentences) == 1 and not needs:
        links = count(len(snapshot.topology.links), "link")
        sentences.append(
            f"{count(nodes, 'node')} and {links} are reporting, every path is on its preferred gateway."
        )
    return " ".join(sentences)


def _fallback_sentence(snapshot: SiteSnapshot, fallback: int) -> str:
    since = [
        path.since
        for path in snapshot.paths
        if path.since is not None and path.on_fallback(snapshot.policies[path.policy_id])
    ]
    ago = f" for {duration((snapshot.now - min(since)).total_seconds())}" if since else ""
    text = "path has been on its fallback" if fallback == 1 else "paths have been on their fallback"
    return f"{fallback} {text}{ago}."
