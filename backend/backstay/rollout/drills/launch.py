"""Start of a drill: preconditions of every move, impact by the planner, then the moves."""

from __future__ import annotations

from datetime import datetime

from backstay.core.formatting import count, duration, listing
from backstay.inventory.services import raise_generations
from backstay.policy.models import Path
from backstay.rollout.drills import drill_impact
from backstay.rollout.drills.drill_events import record_event, repeat
from backstay.rollout.models import Drill, Move
from backstay.rollout.move_preconditions import NodeConditions, refusal_reason
from backstay.rollout.plans.plan_inputs import PlanInputs

MOST_REASONS = 20


def begin(drill: Drill, now: datetime) -> None:
    """Create a move per node, or refuse the drill with the reasons."""
    paths = _paths(drill)
    nodes = NodeConditions.of(drill.policy.site, paths)
    chosen = [path for path in paths if drill.nodes or nodes.hops(path)]
    aims = {path.pk: drill.gateway or _next(nodes, path) for path in chosen}
    drill.refused_because = _reasons(drill, nodes, chosen, aims, now)
    drill.since = now
    if drill.refused_because:
        drill.state = "refused"
        drill.save()
        record_event(drill, now, f"was refused: {' '.join(drill.refused_because)}")
        repeat(drill, now)
        return
    drill.state = "running"
    drill.save()
    person = drill.author.get_username() if drill.author else ""
    Move.objects.bulk_create(
        Move(
            path=path,
            drill=drill,
            gateway=aims[path.pk],
            seconds=drill.seconds,
            person=person,
            reason=drill.reason,
            at=now,
            since=now,
        )
        for path in chosen
    )
    raise_generations(path.node_id for path in chosen)
    onto = listing(sorted(set(aims.values())))
    record_event(drill, now, f"started: {count(len(chosen), 'node')} to {onto} for {duration(drill.seconds)}")


def _paths(drill: Drill) -> list[Path]:
    """Locked against concurrent moves."""
    rows = drill.policy.paths.select_related("policy__site", "node").order_by("pk")
    wanted = rows.filter(node__name__in=drill.nodes) if drill.nodes else rows
    return sorted(wanted.select_for_update(of=("self",), no_key=True), key=lambda path: path.node.name)


def _next(nodes: NodeConditions, path: Path) -> str:
    """The best gateway other than the active one that is not known to be dead; if none, a dead one."""
    others = [name for name in nodes.hops(path) if name != path.active_text]
    alive = [name for name in others if path.liveness.get(name, {}).get("alive") is not False]
    return next(iter([*alive, *others]), path.active_text)


def _reasons(
    drill: Drill, nodes: NodeConditions, paths: list[Path], aims: dict[int, str], now: datetime
) -> list[str]:
    if not paths:
        return [f"{drill.policy.name} is not deployed on any node: deploy it first."]
    found = [why for path in paths if (why := refusal_reason(nodes, path, aims[path.pk], now)) is not None]
    idle = [path.node.name for path in paths if aims[path.pk] == path.active_text]
    if idle:
        found.append(f"{listing(idle)} would not move: that gateway is already active.")
    if not found:
        led = {path.node_id: (drill.policy.name, aims[path.pk]) for path in paths}
        found = drill_impact.check_impact(PlanInputs(drill.policy.site, now), led)
    more = [] if len(found) <= MOST_REASONS else [f"{len(found) - MOST_REASONS} more reasons."]
    return [*found[:MOST_REASONS], *more]
