"""Holds: a node's managed routes are left to an operator for a limited time, which the node itself counts.

Failover is paused there meanwhile. A hold that was set on the node itself is recorded here when it is
reported, and can be ended only there, so that a remote click does not surprise the person at the node.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import uuid4

from django.db import transaction

from backstay.core.errors import Conflict, NotFound, Refused
from backstay.core.formatting import clock_time, duration
from backstay.core.model.change import RUNNING
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.freshness import is_fresh
from backstay.core.model.progress import OPEN_HOLDS
from backstay.inventory.models import Node, Site
from backstay.inventory.services import raise_generations
from backstay.live import publish
from backstay.policy.holds import describe_hold
from backstay.policy.models import Hold
from backstay.rollout.models import OPEN, Application, Move
from backstay.telemetry import events
from backstay.telemetry.events import Occurrence
from backstay.telemetry.facts import Facts, HoldSeen
from backstay.telemetry.models import NodeState

START_TIMEOUT = timedelta(seconds=60)
"""A node that has not confirmed a hold by then counts as unreachable; the hold is withdrawn."""
END_TIMEOUT = timedelta(seconds=60)
"""A node reports the end of a hold within this time."""
NOUNS = frozenset({"nodes", "paths"})


@transaction.atomic
def ask(node_id: int, seconds: float, *, person: str, reason: str, now: datetime) -> Hold:
    """Hold a node. Refused with the reason when that is impossible."""
    node = _locked(node_id)
    why = refusal_reason(node, now)
    if why:
        raise Refused(why)
    hold = Hold.objects.create(
        node=node,
        uid=f"backend-{uuid4().hex[:16]}",
        origin="backend",
        person=person,
        reason=reason,
        seconds=seconds,
        at=now,
        until=now + timedelta(seconds=seconds),
        since=now,
    )
    text = f"{person} requested a hold for {duration(seconds)}" + (f": {reason}" if reason else "")
    _record(node.site, [_occurrence(hold, EventKind.NODE_HOLD_ASKED, text, at=now)])
    raise_generations([node.pk])
    return hold


def refusal_reason(node: Node, now: datetime) -> str:
    """Why the node cannot be held, with the next step; empty: it can."""
    if not node.routing:
        return f"{node.name} is not managed: Backstay does not touch its routes, so there is nothing to hold."
    hold = _open(node)
    if hold is not None:
        return f"{node.name}: {describe_hold(hold, now)}. End that hold first."
    change = Application.objects.filter(node=node, change__state__in=RUNNING).first()
    if change is not None:
        return f"Change #{change.change_id} is in progress on {node.name}: wait, or roll it back."
    move = Move.objects.filter(path__node=node, state__in=OPEN).first()
    if move is not None:
        return f"{move.person} moved {node.name} to {move.gateway}: let it return first."
    return _unreachable(node, now)


def _unreachable(node: Node, now: datetime) -> str:
    state = NodeState.objects.filter(node=node).first()
    at = None if state is None else state.last_reported_at
    if is_fresh(at, now, node.site.interval_s):
        return ""
    ago = "never" if at is None else f"{duration((now - at).total_seconds())} ago"
    return (
        f"{node.name} reported {ago}, so it would not receive the hold:"
        " set it on the node with `backstay-agent hold`."
    )


@transaction.atomic
def end(node_id: int, person: str, now: datetime) -> Hold:
    """End the node's hold early; the node confirms it. Conflict: not held; Refused: set on the node."""
    node = _locked(node_id)
    hold = _open(node)
    if hold is None:
        raise Conflict(f"{node.name} is not held: there is nothing to end.")
    if hold.origin == "node":
        raise Refused(
            f"{hold.person} set it on {node.name} itself: end it there with `backstay-agent hold --end`"
            f", or wait until {clock_time(hold.until, now)}."
        )
    if hold.state == "ending":
        raise Conflict(f"{hold.ended_by} has ended the hold already; {node.name} has not confirmed it yet.")
    hold.state, hold.since, hold.ended_by = "ending", now, person
    hold.save(update_fields=["state", "since", "ended_by"])
    _record(
        node.site, [_occurrence(hold, EventKind.NODE_HOLD_ASKED, f"{person} ended the hold early", at=now)]
    )
    raise_generations([node.pk])
    return hold


def _locked(node_id: int) -> Node:
    rows = Node.objects.select_related("site").select_for_update(of=("self",), no_key=True)
    node = rows.filter(pk=node_id).first()
    if node is None:
        raise NotFound("The node does not exist or was removed.")
    return node


def _open(node: Node) -> Hold | None:
    return Hold.objects.filter(node=node, state__in=OPEN_HOLDS).order_by("-until").first()


def observe(facts: Facts) -> None:
    """Process nodes' reports about their holds."""
    site = Site.objects.get(pk=facts.site_id)
    nodes = {node.pk: node for node in site.nodes.filter(pk__in={seen.node_id for seen in facts.holds})}
    rows = Hold.objects.filter(node__in=nodes, uid__in={seen.uid for seen in facts.holds})
    known = {
        (hold.node_id, hold.uid): hold
        for hold in rows.select_related("node").select_for_update(of=("self",), no_key=True)
    }
    found: list[Occurrence] = []
    for seen in sorted(facts.holds, key=lambda item: item.at):
        if seen.node_id not in nodes:
            continue
        hold = known.setdefault((seen.node_id, seen.uid), _of_node(nodes[seen.node_id], seen))
        if (kind := _follow(hold, seen)) is not None:
            hold.save()
            found.append(_describe_report(hold, kind, seen))
    if found:
        _record(site, found)
        raise_generations(nodes)


def _of_node(node: Node, seen: HoldSeen) -> Hold:
    """A hold that the node reports for the first time; not stored yet."""
    return Hold(
        node=node,
        uid=seen.uid,
        origin=seen.origin,
        person=seen.by,
        reason=seen.reason,
        seconds=seen.seconds,
        at=seen.began,
        until=seen.until,
        since=seen.began,
    )


def _follow(hold: Hold, seen: HoldSeen) -> EventKind | None:
    """Apply one report; the kind of its event, None: nothing new. A late report reverts no later state."""
    if seen.state == "ended":
        if hold.state == "ended":
            return None
        hold.state, hold.since, hold.detail, hold.until = "ended", seen.at, seen.detail, seen.until
        return EventKind.NODE_HOLD_ENDED
    if hold.state in {"held", "ending"}:
        return None
    if hold.state in {"ended", "failed"} and seen.at <= hold.since:
        return None
    # Given up, but the node holds after all: it learns from its next desired state that it must not.
    hold.state = "held" if hold.state == "waiting" else "ending"
    hold.since, hold.detail = seen.at, seen.detail
    hold.until = seen.until if hold.origin == "node" else min(seen.until, hold.until + START_TIMEOUT)
    return EventKind.NODE_HELD


def _describe_report(hold: Hold, kind: EventKind, seen: HoldSeen) -> Occurrence:
    if kind == EventKind.NODE_HELD:
        reason = f": {hold.reason}" if hold.reason else ""
        more = f" ({hold.detail})" if hold.detail else ""
        text = f"{describe_hold(hold, seen.at)}{reason}; the checker leaves its routes alone{more}"
        return _occurrence(hold, kind, text, at=seen.at)
    return _occurrence(hold, kind, f"the hold of {hold.person} is over: {seen.detail}", at=seen.at)


def due(now: datetime) -> None:
    """Give up holds that their nodes have not confirmed, or whose end they have not reported."""
    with transaction.atomic():
        rows = Hold.objects.filter(state__in=OPEN_HOLDS).select_related("node__site").order_by("pk")
        holds = [hold for hold in rows.select_for_update(of=("self",), no_key=True) if _is_overdue(hold, now)]
        by_site: dict[int, tuple[Site, list[Occurrence]]] = {}
        for hold in holds:
            occurrence = _give_up(hold, now)
            by_site.setdefault(hold.node.site_id, (hold.node.site, []))[1].append(occurrence)
        Hold.objects.bulk_update(holds, ["state", "since", "detail"])
        raise_generations(hold.node_id for hold in holds)
        for site, occurrences in by_site.values():
            _record(site, occurrences)


def _is_overdue(hold: Hold, now: datetime) -> bool:
    unconfirmed = hold.state == "waiting" and hold.at + START_TIMEOUT < now
    return unconfirmed or hold.until + END_TIMEOUT < now


def _give_up(hold: Hold, now: datetime) -> Occurrence:
    if hold.state == "waiting":
        text = (
            f"the node did not confirm the hold of {hold.person} within"
            f" {duration(START_TIMEOUT.total_seconds())}: the hold is withdrawn"
        )
        hold.state = "failed"
    else:
        text = f"the node did not report the end of the hold of {hold.person}: its routes are unknown"
        hold.state = "ended"
    hold.since, hold.detail = now, text
    return _occurrence(hold, EventKind.NODE_HOLD_FAILED, text, at=now)


def _occurrence(hold: Hold, kind: EventKind, text: str, *, at: datetime) -> Occurrence:
    data = {
        "hold_id": hold.pk,
        "person": hold.person,
        "origin": hold.origin,
        "seconds": hold.seconds,
        "until": hold.until.isoformat(),
        "reason": hold.reason,
    }
    node = hold.node
    return Occurrence(kind, f"{node.name}: {text}", at=at, subject=node.name, node_id=node.pk, data=data)


def _record(site: Site, occurrences: Iterable[Occurrence]) -> None:
    events.record_all(site, occurrences)
    publish.changed(site.name, NOUNS)
