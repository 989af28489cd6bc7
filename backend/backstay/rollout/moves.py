"""Manual moves: a path pinned to one gateway for a limited time; the node executes and times them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction

from backstay.core.errors import Conflict, Refused
from backstay.core.formatting import duration, milliseconds
from backstay.core.model.event_kinds import EventKind
from backstay.inventory.services import raise_generations
from backstay.live import publish
from backstay.policy.models import Path
from backstay.rollout.models import OPEN, Move
from backstay.rollout.move_preconditions import NodeConditions, refusal_reason
from backstay.telemetry import events
from backstay.telemetry.events import Occurrence
from backstay.telemetry.facts import Facts, MoveSeen

START_TIMEOUT = timedelta(seconds=60)
"""A node that has not moved by then counts as unreachable."""
RETURN_TIMEOUT = timedelta(seconds=60)
"""A node measures and reports its return within this time; it may learn of it only after 45 s."""
NOUNS = frozenset({"paths", "drills"})
_RANK = {"waiting": 0, "moved": 1}
"""All other states end a move."""
_KIND = {
    "moved": EventKind.PATH_MOVED,
    "returned": EventKind.PATH_RETURNED,
    "refused": EventKind.PATH_MOVE_FAILED,
    "failed": EventKind.PATH_MOVE_FAILED,
}


def until(move: Move) -> datetime | None:
    """When the node returns by itself; None: it has not moved yet."""
    return None if move.moved_at is None else move.moved_at + timedelta(seconds=move.seconds)


@transaction.atomic
def ask(path_id: int, gateway: str, seconds: float, *, person: str, reason: str, now: datetime) -> Move:
    """Pin a path to a gateway. Refused with the reason when that is impossible or cuts the path off."""
    path = _locked(path_id)
    nodes = NodeConditions.of(path.policy.site, [path])
    why = refusal_reason(nodes, path, gateway, now)
    if why is not None:
        raise Refused(why)
    move = Move.objects.create(
        path=path, gateway=gateway, seconds=seconds, person=person, reason=reason, at=now, since=now
    )
    text = f"{person} requested {gateway} for {duration(seconds)}" + (f": {reason}" if reason else "")
    _record([_occurrence(move, EventKind.PATH_MOVE_ASKED, text, at=now)])
    raise_generations([path.node_id])
    return move


@transaction.atomic
def take_back(path_id: int, person: str, now: datetime) -> Move:
    """End the path's move early. Conflict when there is none."""
    path = _locked(path_id)
    move = Move.objects.filter(path=path, state__in=OPEN, returning_at=None).first()
    if move is None:
        raise Conflict(f"{path.node.name} has no active move: there is nothing to return.")
    end([move], now)
    text = f"{person} ended the move to {move.gateway}"
    _record([_occurrence(move, EventKind.PATH_MOVE_ASKED, text, at=now)])
    return move


def end(moves: Iterable[Move], now: datetime) -> None:
    """Request the return of these moves; each node reports when it has returned."""
    asked = [move for move in moves if move.state in OPEN and move.returning_at is None]
    for move in asked:
        move.returning_at = now
    Move.objects.bulk_update(asked, ["returning_at"])
    raise_generations(move.path.node_id for move in asked)


def _locked(path_id: int) -> Path:
    rows = Path.objects.select_related("policy__site", "node").select_for_update(of=("self",), no_key=True)
    return rows.get(pk=path_id)


def observe(facts: Facts) -> None:
    """Process nodes' reports about their moves."""
    by_id = {int(seen.move): seen for seen in facts.moves if _is_number(seen.move)}
    rows = (
        Move.objects.filter(pk__in=by_id, path__policy__site_id=facts.site_id)
        .select_related("path__policy__site", "path__node")
        .order_by("pk")
        .select_for_update(of=("self",), no_key=True)
    )
    moves = {(str(move.pk), move.path.node_id): move for move in rows}
    occurrences: list[Occurrence] = []
    for seen in sorted(facts.moves, key=lambda item: item.at):
        move = moves.get((seen.move, seen.node_id))
        if move is not None and _follow(move, seen):
            occurrences.append(_describe_report(move, seen))
    if occurrences:
        Move.objects.bulk_update(moves.values(), _COLUMNS)
        _record(occurrences)
        raise_generations(move.path.node_id for move in moves.values() if move.state not in OPEN)


_COLUMNS = ["state", "since", "moved_at", "detail", "outage_out_ms", "outage_back_ms", "rtt_us"]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19


def _follow(move: Move, seen: MoveSeen) -> bool:
    """Apply one report; whether it changed anything. A late report never reverts a later state."""
    if seen.state == "moved":
        move.moved_at, move.outage_out_ms = move.moved_at or seen.at, seen.outage_ms
        move.rtt_us = seen.rtt_us
    if _RANK.get(seen.state, 2) < _RANK.get(move.state, 2) or seen.state == move.state:
        return seen.state == "moved"
    if seen.state == "returned":
        move.outage_back_ms = seen.outage_ms
    move.state, move.since, move.detail = seen.state, seen.at, seen.detail
    return True


def _describe_report(move: Move, seen: MoveSeen) -> Occurrence:
    lost = "" if seen.outage_ms is None else f", {milliseconds(seen.outage_ms)} lost"
    what = {
        "moved": f"moved to {move.gateway} for {duration(move.seconds)}{lost}",
        "returned": f"returned from {move.gateway}{lost}",
        "refused": f"the node refused to move to {move.gateway}",
        "failed": f"the move to {move.gateway} failed",
    }[seen.state]
    kind = _KIND[seen.state]
    text = f"{what}: {seen.detail}" if seen.detail else what
    return _occurrence(move, kind, text, at=seen.at, outage_ms=seen.outage_ms)


def _occurrence(
    move: Move, kind: EventKind, text: str, *, at: datetime, outage_ms: float | None = None
) -> Occurrence:
    path = move.path
    data = {
        "policy": path.policy.name,
        "prefix": path.policy.prefix,
        "path_id": path.pk,
        "move_id": move.pk,
        "drill_id": move.drill_id,
        "to": move.gateway,
        "outage_ms": outage_ms,
        "person": move.person,
    }
    message = f"{path.node.name}: {path.policy.prefix}: {text}"
    return Occurrence(kind, message, at=at, subject=path.node.name, node_id=path.node_id, data=data)


def _record(occurrences: list[Occurrence]) -> None:
    """All of one site."""
    paths = {item.data["path_id"] for item in occurrences}
    site = Path.objects.select_related("policy__site").get(pk=min(paths)).policy.site
    events.record_all(site, occurrences)
    publish.changed(site.name, NOUNS)


def due(now: datetime) -> None:
    """End moves whose nodes missed the report deadline."""
    with transaction.atomic():
        rows = (
            Move.objects.filter(state__in=OPEN)
            .select_related("path__policy__site", "path__node")
            .order_by("pk")
            .select_for_update(of=("self",), no_key=True)
        )
        moves = [move for move in rows if _is_overdue(move, now)]
        by_site: dict[int, list[Occurrence]] = {}
        for move in moves:
            occurrences = _occurrence(move, EventKind.PATH_MOVE_FAILED, _give_up(move, now), at=now)
            by_site.setdefault(move.path.policy.site_id, []).append(occurrences)
        Move.objects.bulk_update(moves, _COLUMNS)
        raise_generations(move.path.node_id for move in moves)
        for item in by_site.values():
            _record(item)


def _is_overdue(move: Move, now: datetime) -> bool:
    if move.returning_at is not None and move.returning_at + RETURN_TIMEOUT < now:
        return True
    over = until(move)
    return move.at + START_TIMEOUT < now if over is None else over + RETURN_TIMEOUT < now


def _give_up(move: Move, now: datetime) -> str:
    taken_back = move.state == "waiting" and move.returning_at is not None
    if taken_back:
        text = f"the move to {move.gateway} was cancelled before the node reported its start"
    elif move.state == "waiting":
        text = f"the node did not move to {move.gateway} within {duration(START_TIMEOUT.total_seconds())}"
    else:
        text = f"the node did not report its return from {move.gateway}"
    move.state, move.since, move.detail = "returned" if taken_back else "failed", now, text
    return text
