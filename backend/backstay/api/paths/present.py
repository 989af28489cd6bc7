"""Observed paths: gateway, start, reason, and the state after a reboot."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from backstay.api.holds.present import hold_out
from backstay.api.http.urls import incident_url
from backstay.api.paths.schemas import (
    DecisionOut,
    FailbackOut,
    GatewayState,
    MoveOut,
    OutageOut,
    PathCause,
    PathGroupOut,
    PathOut,
    PathSegment,
    PathTimeline,
    SwitchOut,
    TimelineOut,
)
from backstay.core.formatting import count, duration, listing, precise
from backstay.core.model.outage import Outage
from backstay.core.model.state import (
    PAST_END_TO_END,
    GatewayUse,
    PathStatus,
    decide,
    gateway_use,
    seconds,
)
from backstay.policy import path_history
from backstay.policy.failback import Waiting, pending
from backstay.policy.holds import describe_hold
from backstay.rollout import management
from backstay.rollout.moves import until

if TYPE_CHECKING:
    from backstay.alerts.selectors.paths.groups import GroupPage, ListedGroup
    from backstay.alerts.selectors.site_snapshot import SiteSnapshot
    from backstay.inventory.models import Site
    from backstay.policy.models import Decision, Hold, Path, PathOutage
    from backstay.policy.selectors import PathState, Policy
    from backstay.policy.timeline import Segment, SwitchRecord, Timeline
    from backstay.rollout.models import Move, NodeManagement
    from backstay.rollout.selectors import Key, NodeRoutingStatus

URL = "/paths"
_PAST_FACTS = {name for rule in PAST_END_TO_END for name in rule.when}
_SAVED = {True: "yes", False: "would change on reboot", None: "unknown"}


@dataclass(frozen=True)
class PathContext:
    """Data shown with paths."""

    snapshot: SiteSnapshot
    states: Mapping[int, PathState]
    decided: Mapping[int, Decision]
    kept: Mapping[int, Move]
    outages: Mapping[int, PathOutage]
    """All by path id."""
    nodes: Mapping[int, NodeRoutingStatus]
    confirmed: Collection[Key]
    released: Mapping[int, NodeManagement]
    """By node id."""


def path_out(row: Path, context: PathContext) -> PathOut:
    """One row of `path_states.paths` with its gateways, hops and links."""
    snapshot, path, history = context.snapshot, context.states[row.pk], path_history.history_of(row)
    policy = snapshot.policies[path.policy_id]
    node = snapshot.topology.nodes[path.node_id]
    gateways = path.gateways(policy)
    decided, kept = context.decided.get(path.id), context.kept.get(path.id)
    routing = context.nodes.get(path.node_id)
    status = snapshot.path_status(path)
    core_view = path.view(policy, status.end_to_end)
    route = snapshot.policy_paths.active(core_view)
    deployed = (path.node_id, policy.name, policy.prefix) in context.confirmed
    return PathOut(
        id=path.id,
        name=f"{node.name} to {policy.prefix}",
        policy=policy.name,
        policy_id=policy.id,
        node=node.name,
        node_id=node.id,
        prefix=policy.prefix,
        active=path.active_text,
        preferred=next(iter(gateways.values()), ""),
        on_fallback=path.on_fallback(policy),
        state=status.state,
        state_text=state_text(snapshot, path, policy, status),
        end_to_end=status.end_to_end,
        placement=status.placement,
        standby=path.best_standby(policy),
        since=path.since,
        age_s=seconds(snapshot.now, path.at),
        target=policy.target,
        target_alive=path.target_alive,
        rtt_ms=_milliseconds(path.target_rtt_us),
        detection=policy.detection,
        switches_24h=history.switches_24h,
        switches_7d=history.switches_7d,
        fallback_24h_s=round(history.fallback_24h_s, 3),
        last_outage_ms=history.last_outage_ms,
        last_outage_at=history.last_outage_at,
        last_outage=_last_outage(path, context),
        failback=_failback(snapshot, path, policy, kept),
        standby_dead=path.dead_standbys(policy),
        last_decision=None if decided is None else decision_out(decided),
        managed=routing is not None,
        released=_released(node.name, context.released.get(path.node_id), policy.name),
        engine=None if routing is None else routing.engine["engine"],
        deployed=deployed,
        in_force=deployed or policy.origin == "file",
        saved=_SAVED[None if routing is None else routing.saved(policy.prefix)],
        move=None if kept is None else move_out(kept),
        hold=None if (hold := snapshot.holds.get(path.node_id)) is None else hold_out(hold, snapshot.now),
        gateways=[_gateway(path, place, core_view.uses) for place in enumerate(gateways.items())],
        hops=[f"{kind}:{ident}" for kind, ident in route.hops],
        links=list(route.links),
        standby_links=snapshot.policy_paths.standby_links(core_view),
        url=f"{URL}?policy={policy.name}&node={node.name}",
    )


@dataclass(frozen=True)
class PastContext:
    """Data shown with paths of a past moment."""

    site: Site
    at: datetime
    policies: Mapping[int, Policy]
    """By id."""
    states: Mapping[int, PathState]
    """Of the present, for the order of the gateways."""
    outages: Mapping[int, PathOutage]
    """As they were then; both by path id."""


def past_path_out(row: Any, context: PastContext) -> PathOut:
    """One row of `paths_at`; what history does not keep is null, unknown or empty."""
    path, history = context.states[row.pk], path_history.history_of(row)
    policy = context.policies[path.policy_id]
    gateways, home = path.gateways(policy), path.preferred(policy)
    return PathOut(
        id=path.id,
        name=row.label,
        policy=policy.name,
        policy_id=policy.id,
        node=row.node.name,
        node_id=path.node_id,
        prefix=policy.prefix,
        active=row.active_then,
        preferred=next(iter(gateways.values()), ""),
        on_fallback=home is not None and row.active_then not in {"", gateways[home]},
        state=row.status,
        state_text=_past_text(row, policy, context.at),
        end_to_end=row.end_to_end,
        placement=row.placement,
        standby=None,
        since=row.since_then,
        age_s=None,
        target=policy.target,
        target_alive=row.target_then,
        rtt_ms=None,
        detection=policy.detection,
        switches_24h=history.switches_24h,
        switches_7d=history.switches_7d,
        fallback_24h_s=round(history.fallback_24h_s, 3),
        last_outage_ms=history.last_outage_ms,
        last_outage_at=history.last_outage_at,
        last_outage=None
        if (outage := context.outages.get(path.id)) is None
        else _outage_at(outage, context.at, context.site, context.at),
        failback=None,
        standby_dead=[],
        last_decision=None,
        managed=None,
        released="",
        engine=None,
        deployed=None,
        in_force=True if policy.origin == "file" else None,
        saved="unknown",
        move=None,
        hold=None,
        gateways=[_past_gateway(row, place) for place in enumerate(gateways.items())],
        hops=[],
        links=[],
        standby_links=[],
        url=f"{URL}?policy={policy.name}&node={row.node.name}",
    )


def _past_text(row: Any, policy: Policy, at: datetime) -> str:
    """One sentence on the path as it was."""
    through = f"through {row.active_then}" if row.active_then else f"no route to {policy.prefix}"
    if row.end_to_end == "unknown":
        return decide(PAST_END_TO_END, {name: getattr(row, name) for name in _PAST_FACTS}).text
    if row.end_to_end == "dead":
        silent = f", but {policy.target} did not answer" if row.active_then else ""
        return f"dead: {through}{silent}"
    since = seconds(at, row.since_then)
    text = through if since is None else f"{through} for {duration(since)}"
    place = {"fallback": "on the fallback, ", "held": "held, "}.get(row.placement, "")
    unverified = "unverified: no target is probed; " if row.end_to_end == "unverified" else ""
    return f"{unverified}{place}{text}"


def _past_gateway(row: Any, place: tuple[int, tuple[int, str]]) -> GatewayState:
    """Of a gateway that was not in use nothing is kept."""
    order, (node_id, name) = place
    is_in_use = name == row.active_then
    use = gateway_use(row.end_to_end, is_in_use=True, standby="not verified") if is_in_use else "unknown"
    return GatewayState(
        name=name, node_id=node_id, order=order, active=is_in_use, use=use,
        alive=None, standby=None, since=None, rtt_ms=None,
    )  # fmt: skip


def _last_outage(path: PathState, context: PathContext) -> OutageOut | None:
    row = context.outages.get(path.id)
    return None if row is None else _outage_at(row, path.at, context.snapshot.site, context.snapshot.now)


def _outage_at(row: PathOutage, reported_at: datetime | None, site: Site, now: datetime) -> OutageOut:
    return outage_out(row, path_history.outage_of(row, reported_at, now, site.interval_s))


@dataclass(frozen=True)
class GroupContext:
    """Data shown with groups of paths, as of `now`."""

    site: Site
    now: datetime
    only: Mapping[int, PathOut]
    """Path id -> the path, of groups of one."""
    outages: Mapping[int, PathOutage]
    reported_at: Mapping[int, datetime | None]
    """Path id -> time of its newest report; both of the paths with the longest outages."""


def path_group_out(group: ListedGroup, page: GroupPage, context: GroupContext) -> PathGroupOut:
    """A group with its sentence, cause and longest outage."""
    outage, cause = context.outages.get(group.outage_path), group.cause_id
    reported_at = context.reported_at.get(group.outage_path)
    return PathGroupOut(
        key=group.key,
        text=group_text(group),
        paths=group.paths,
        policy=group.policy,
        policy_id=group.policy_id,
        prefix=group.prefix,
        in_force=group.is_deployed,
        preferred=group.preferred,
        active=group.active,
        state=group.state,
        end_to_end=group.end_to_end,
        placement=group.placement,
        standby=group.standby,
        since=group.first_at,
        moved_until=group.last_at,
        switches_24h=group.switches_24h,
        last_outage=None if outage is None else _outage_at(outage, reported_at, context.site, context.now),
        cause=None if cause is None else _cause(cause, page),
        only=context.only.get(group.first_path) if group.paths == 1 else None,
        url=f"{URL}?policy={group.policy}",
    )


def _cause(incident: int, page: GroupPage) -> PathCause | None:
    text = page.causes.get(incident)
    return None if text is None else PathCause(id=incident, text=text, url=incident_url(incident))


def group_text(group: ListedGroup) -> str:
    """`62 nodes fell over from grf1 to atmgw`; the time is a value of the group."""
    nodes, active = count(group.paths, "node"), group.active
    if not active:
        return f"{nodes} without a route to {group.prefix}"
    match group.end_to_end:
        case "unknown":
            return f"{nodes} last seen through {active}"
        case "dead":
            return f"{nodes} dead through {active}"
        case _ if group.placement == "fallback":
            return f"{nodes} fell over from {group.preferred} to {active}"
        case _ if group.placement == "held":
            return f"{nodes} held on {active}"
        case _:
            return f"{nodes} through {active}"


def outage_out(row: PathOutage, outage: Outage) -> OutageOut:
    return OutageOut(
        id=row.pk,
        start=outage.start,
        end=outage.end,
        duration_ms=outage.duration_ms,
        text=outage.text,
        cause=outage.cause,
        cause_text=outage.cause_text,
        measured_by=outage.measured_by,
        measure_text=outage.measure_text,
        uncertainty_ms=outage.uncertainty_ms,
    )


def _released(node: str, row: NodeManagement | None, policy: str) -> str:
    if row is None or (row.scope == "policies" and policy not in row.policies):
        return ""
    return management.sentence(node, row)


def state_text(snapshot: SiteSnapshot, path: PathState, policy: Policy, status: PathStatus) -> str:
    """One sentence on the path; a hold comes first."""
    text = _state_text(path, policy, status, snapshot.now)
    hold = snapshot.holds.get(path.node_id)
    if hold is None:
        return text
    return f"{describe_hold(hold, snapshot.now)}{_still(hold, policy)}; {text}"


def _still(hold: Hold, policy: Policy) -> str:
    """What the hold does not stop."""
    if hold.state == "waiting" or policy.detection == "checker":
        return ""
    return f", but its daemon fails over by {policy.detection.upper()}"


def _state_text(path: PathState, policy: Policy, status: PathStatus, now: datetime) -> str:
    if path.at is None:
        return status.reason
    if status.end_to_end == "unknown":
        return f"{status.reason}; last seen through {path.active_text or 'no gateway'}"
    if not path.active_text:
        return f"dead: no route to {policy.prefix}"
    if status.end_to_end == "dead":
        return f"dead: through {path.active_text}, but {policy.target} does not answer"
    text = _carrying(path, policy, now)
    if status.end_to_end == "working":
        return text
    silent = f"; {path.active_text} does not answer" if path.alive(path.active_text) is False else ""
    return f"unverified: no target is probed; {text}{silent}"


def _carrying(path: PathState, policy: Policy, now: datetime) -> str:
    since = seconds(now, path.since)
    text = f"through {path.active_text}" + ("" if since is None else f" for {duration(since)}")
    if path.on_fallback(policy):
        return f"on the fallback, {text}"
    dead = path.dead_standbys(policy)
    silent = [name for name in dead if path.alive(name) is False]
    lacks = {"answer": silent, "forward": [name for name in dead if name not in silent]}
    for what, names in lacks.items():
        if names:
            text += f"; standby {listing(names)} {'does' if len(names) == 1 else 'do'} not {what}"
    return text


def _failback(
    snapshot: SiteSnapshot, path: PathState, policy: Policy, kept: Move | None
) -> FailbackOut | None:
    preferred = next(iter(path.gateways(policy).values()), "")
    if not path.on_fallback(policy) or path.alive(preferred) is not True:
        return None
    if path.forwards(preferred) is False:
        return None
    if kept is not None:
        text = f"{preferred} is reachable; {kept.person} keeps the path on {kept.gateway}"
        return FailbackOut(gateway=preferred, why="moved", text=text, until=until(kept))
    waiting = Waiting(preferred, path.answers_since(preferred), path.since)
    status = pending(waiting, policy.detection, policy.timers, snapshot.now)
    return FailbackOut(gateway=status.gateway, why=status.why, text=status.text, until=status.until)


def _gateway(
    path: PathState, place: tuple[int, tuple[int, str]], uses: Mapping[int, GatewayUse]
) -> GatewayState:
    order, (node_id, name) = place
    return GatewayState(
        name=name,
        node_id=node_id,
        order=order,
        active=node_id == path.active_id,
        use=uses[node_id],
        alive=path.alive(name),
        standby=None if node_id == path.active_id else path.standby(name),
        since=path.answers_since(name),
        rtt_ms=_milliseconds(path.liveness.get(name, {}).get("rtt_us")) if path.alive(name) else None,
    )


def decision_out(decision: Decision) -> DecisionOut:
    return DecisionOut.model_validate(decision, from_attributes=True)


def move_out(move: Move) -> MoveOut:
    return MoveOut(
        id=move.pk,
        gateway=move.gateway,
        state=move.state,
        seconds=move.seconds,
        at=move.at,
        until=until(move),
        returning=move.returning_at is not None,
        by=move.person,
        reason=move.reason,
        detail=move.detail,
        drill_id=move.drill_id,
    )


def _milliseconds(microseconds: int | None) -> float | None:
    return None if microseconds is None else round(microseconds / 1000, 3)


def timeline_out(
    timeline: Timeline, home: str, decisions: Iterable[Decision], moves: Iterable[Move]
) -> TimelineOut:
    """A path's history; `home` is its preferred gateway."""
    return TimelineOut(
        **path_timeline(timeline, home).model_dump(),
        decisions=[decision_out(decision) for decision in decisions],
        moves=[move_out(move) for move in moves],
    )


def path_timeline(timeline: Timeline, home: str) -> PathTimeline:
    """One path over a range; `home` is its preferred gateway."""
    return PathTimeline(
        path_id=timeline.path.pk,
        since=timeline.start,
        until=timeline.end,
        segments=[_segment(item, home) for item in timeline.segments],
        switches=[_switch(item) for item in timeline.switches],
        outages=[outage_out(row, outage) for row, outage in timeline.outages],
    )


def _segment(item: Segment, home: str) -> PathSegment:
    on_fallback = item.is_known and home != "" and item.gateway not in {"", home}
    known: Literal["preferred", "fallback", "no_route"] = "fallback" if on_fallback else "preferred"
    known = known if item.gateway else "no_route"
    return PathSegment(
        gateway=item.gateway,
        state=known if item.is_known else "unknown",
        start=item.start,
        end=item.end,
        outage_ms=item.outage_ms,
        on_fallback=on_fallback,
    )


def _switch(item: SwitchRecord) -> SwitchOut:
    lost = item.outage_ms
    return SwitchOut(
        at=item.at,
        from_gateway=item.from_gateway,
        to_gateway=item.to_gateway,
        outage_ms=lost,
        outage_text="" if lost is None else precise(lost) if lost else "no outage",
    )
