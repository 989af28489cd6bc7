"""Drills: deliberate failover of a policy to its fallback, measured, reverted and kept as evidence.

A drill is a set of moves. It is refused when a move is not possible or the planner predicts harm; scheduled
drills are checked again at their start. Results are collected after the last node has returned and the last
samples have arrived.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from backstay.accounts.models import User
from backstay.core.errors import Conflict, Invalid
from backstay.core.formatting import clock_time, duration, listing
from backstay.live import publish
from backstay.policy.models import FailoverPolicy
from backstay.rollout import moves
from backstay.rollout.drills import fallback_load
from backstay.rollout.drills.drill_events import outcome, record_event, repeat
from backstay.rollout.drills.launch import begin
from backstay.rollout.models import OPEN, Drill, Move

LATE = timedelta(minutes=10)
"""A scheduled drill that could not start within this time is refused: it must not run unannounced."""
SETTLE_INTERVALS = 2.5
"""Reporting intervals after which the last samples of a drill have arrived."""
IN_PROGRESS = ("running", "returning")


@dataclass(frozen=True, slots=True)
class DrillSpec:
    """A requested drill; `gateway` empty: the next gateway of each node; `at` None: now."""

    nodes: tuple[str, ...]
    gateway: str
    seconds: float
    at: datetime | None
    every_days: int | None
    reason: str


@transaction.atomic
def plan(policy: FailoverPolicy, wanted: DrillSpec, author: User, now: datetime) -> Drill:
    """Schedule a drill, or start it at once; a refused drill is kept in state `refused` with the reasons.

    Invalid names nodes and gateways that the policy does not have.
    """
    _check(policy, wanted)
    drill = Drill.objects.create(
        policy=policy,
        author=author,
        reason=wanted.reason,
        nodes=list(wanted.nodes),
        gateway=wanted.gateway,
        seconds=wanted.seconds,
        at=wanted.at or now,
        every_days=wanted.every_days,
        since=now,
    )
    if drill.at <= now:
        begin(drill, now)
    else:
        record_event(drill, now, f"is scheduled for {clock_time(drill.at)}")
    return drill


def _check(policy: FailoverPolicy, wanted: DrillSpec) -> None:
    wrong = {}
    names = set(policy.paths.values_list("node__name", flat=True))
    strange = [name for name in wanted.nodes if name not in names]
    if strange:
        wrong["nodes"] = (
            f"{policy.name} has no member {listing(strange)}: choose from {listing(sorted(names))}."
        )
    gateways = list(policy.gateways.values_list("node__name", flat=True))
    if wanted.gateway and wanted.gateway not in gateways:
        wrong["gateway"] = f"{wanted.gateway} is not a gateway of {policy.name}: choose {listing(gateways)}."
    if wrong:
        raise Invalid("Invalid drill: " + " ".join(wrong.values()), fields=wrong)


@transaction.atomic
def cancel(drill_id: int, person: str, now: datetime) -> Drill:
    """Cancel a drill; a running one returns at once. Conflict when it has ended."""
    drill = _locked(drill_id)
    if drill.state == "scheduled":
        drill.state = "cancelled"
    elif drill.state in IN_PROGRESS and not drill.cancelled_by:
        drill.state = "returning"
        moves.end(drill.moves.select_related("path"), now)
    else:
        raise Conflict(f"Drill #{drill.pk} is already {drill.state}: there is nothing to cancel.")
    drill.cancelled_by, drill.since, drill.every_days = person, now, None
    drill.save()
    record_event(drill, now, f"was cancelled by {person}")
    return drill


def _locked(drill_id: int) -> Drill:
    rows = Drill.objects.select_related("policy__site", "author").select_for_update(of=("self",))
    return rows.get(pk=drill_id)


def due(now: datetime) -> None:
    """Start due drills and advance running ones, each in its own transaction."""
    waiting = Drill.objects.filter(state="scheduled", at__lte=now).order_by("at", "pk")
    for drill_id in list(waiting.values_list("pk", flat=True)):
        with transaction.atomic():
            drill = _locked(drill_id)
            if drill.state == "scheduled":
                _begin_or_miss(drill, now)
    for drill_id in list(Drill.objects.filter(state__in=IN_PROGRESS).values_list("pk", flat=True)):
        with transaction.atomic():
            _follow(_locked(drill_id), now)


def _begin_or_miss(drill: Drill, now: datetime) -> None:
    if now - drill.at <= LATE:
        begin(drill, now)
        return
    drill.state, drill.since = "refused", now
    drill.refused_because = [
        f"Backstay was not running at its start time: {duration((now - drill.at).total_seconds())} late."
    ]
    drill.save()
    record_event(drill, now, f"was refused: {drill.refused_because[0]}")
    repeat(drill, now)


def _follow(drill: Drill, now: datetime) -> None:
    members = list(drill.moves.select_related("path__node"))
    still = [move for move in members if move.state in OPEN]
    if still:
        back = any(move.state == "returned" for move in members)
        if drill.state == "running" and (back or any(_is_over(move, now) for move in still)):
            drill.state, drill.since = "returning", now
            drill.save(update_fields=["state", "since"])
            publish.changed(drill.policy.site.name, moves.NOUNS)
        return
    last = max((move.since for move in members), default=now)
    if now >= last + timedelta(seconds=drill.policy.site.interval_s * SETTLE_INTERVALS):
        _finish(drill, members, now)


def _is_over(move: Move, now: datetime) -> bool:
    over = moves.until(move)
    return over is not None and over <= now


def _finish(drill: Drill, members: list[Move], now: datetime) -> None:
    site = drill.policy.site
    bad = [move for move in members if move.state != "returned"]
    carried = [move for move in members if move.moved_at is not None]
    if carried:
        start = min(move.moved_at for move in carried if move.moved_at is not None)
        busiest = fallback_load.busiest(site, carried, start, max(move.since for move in carried))
        if busiest is not None:
            drill.fallback_bps, drill.fallback_utilisation = busiest.bps, round(busiest.utilisation, 4)
    drill.state = "cancelled" if drill.cancelled_by else "failed" if bad or not carried else "passed"
    drill.since = now
    drill.save()
    ended = "has ended" if drill.state == "cancelled" else f"has {drill.state}: {outcome(drill, members)}"
    record_event(drill, now, ended)
    repeat(drill, now)
