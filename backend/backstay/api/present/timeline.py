"""A path's past: segments, decisions and moves."""

from datetime import datetime

from backstay.api import schemas_paths as schemas
from backstay.api.present.paths import decision_out, move_out
from backstay.policy import path_history
from backstay.policy.models import Path

MOST_DECISIONS = 200
MOST_MOVES = 50


def timeline_out(path: Path, home: str, start: datetime, now: datetime) -> schemas.TimelineOut:
    """What happened to a path from `start` to `now`; `home` is its preferred gateway."""
    decisions = path.decisions.filter(at__gt=start, at__lte=now).order_by("-at", "-pk")
    moves = path.moves.filter(at__gt=start).order_by("-at", "-pk")
    return schemas.TimelineOut(
        path_id=path.pk,
        since=start,
        until=now,
        segments=[
            schemas.PathSegment(
                gateway=item.gateway,
                start=item.start,
                end=item.end,
                outage_ms=item.outage_ms,
                on_fallback=home != "" and item.gateway not in {"", home},
            )
            for item in path_history.timeline(path, start, now)
        ],
        decisions=[decision_out(decision) for decision in decisions[:MOST_DECISIONS]],
        moves=[move_out(move) for move in moves[:MOST_MOVES]],
    )
