"""Groups of a snapshot's paths, decided path by path: what `alerts.selectors.path_groups` counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from backstay.alerts.selectors.path_groups import PathGroup
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.policy.selectors import PathState


def group_paths(snapshot: SiteSnapshot, paths: Iterable[PathState]) -> list[PathGroup]:
    """The groups of these paths, that of the first path first."""
    found: dict[PathGroup, list[int]] = {}
    for path in paths:
        policy = snapshot.policies[path.policy_id]
        group = PathGroup(
            path.policy_id,
            path.active_text,
            snapshot.end_to_end(path),
            path.on_fallback(policy),
            path.best_standby(policy),
            paths=0,
        )
        found.setdefault(group, []).append(path.id)
    return [
        replace(
            group,
            paths=len(idents),
            affected=tuple(idents) if group.outcome in {"dead", "rerouted"} else (),
        )
        for group, idents in found.items()
    ]
