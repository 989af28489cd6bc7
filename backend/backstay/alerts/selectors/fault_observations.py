"""From the rows of a site to the observations in which the core finds faults."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cached_property

from backstay.core.diagnosis.faults.observations import (
    GatewayProbe,
    Observations,
    PathObservation,
    PortCarrier,
)
from backstay.core.diagnosis.faults.routes import RouteIndex, onward_views
from backstay.core.model.topology import Topology
from backstay.policy.selectors import PathState, Policy
from backstay.telemetry.row_cache import RecentSites
from backstay.telemetry.selectors.link_ends import EndNow
from backstay.telemetry.selectors.nodes import NodeNow


@dataclass(frozen=True, slots=True)
class PathFacts:
    """The deployed paths of a site and what they are subject to."""

    paths: Sequence[PathState]
    policies: Mapping[int, Policy]
    deliberate: Collection[int]
    """Ids of paths that an operator moved or holds."""


@dataclass(frozen=True)
class KnownPath:
    """A path as observed, and what it was made of."""

    path: PathState
    policy: Policy
    is_deliberate: bool
    observation: PathObservation

    @cached_property
    def digest(self) -> bytes:
        """Of what a finding may depend on: not when a healthy path was reported last."""
        made = self.observation
        values = [getattr(made, name) for name in _LASTING]
        text = repr([*values, self.path.active_text, None if made.is_healthy else made.at])
        return hashlib.blake2b(text.encode(), digest_size=8).digest()


_LASTING = tuple(item.name for item in fields(PathObservation) if item.name != "at")
_paths: RecentSites[dict[int, KnownPath]] = RecentSites()
_routes: RecentSites[RouteIndex] = RecentSites()
"""Of sites by id. Both are checked against the rows that were read now."""


def observations(  # noqa: PLR0917 - the parts of one snapshot
    site_id: int,
    topology: Topology,
    now: datetime,
    known: Sequence[KnownPath],
    ends: Mapping[int, EndNow],
    nodes: Mapping[int, NodeNow],
    fresh: frozenset[int],
    silent: frozenset[int],
) -> Observations:
    """The whole site at `now`; `fresh` and `silent`: ids of nodes that report, and that are missing."""
    paths = tuple(item.observation for item in known)
    return Observations(
        topology=topology,
        now=now,
        paths=paths,
        ports={
            port: PortCarrier(end.oper_up, end.since, end.admin_up is not False) for port, end in ends.items()
        },
        reported_at={node: item.report_times.at for node, item in nodes.items() if item.report_times.watched},
        reporting=fresh,
        silent=silent,
        reporters={node: item.watcher_id for node, item in nodes.items() if item.watcher_id is not None},
        known_routes=_routes_of(site_id, topology, paths),
    )


def known_paths(site_id: int, facts: PathFacts) -> list[KnownPath]:
    """The paths as observed. Those of unchanged rows and policies are the same objects as before."""
    before, found = _paths.get(site_id) or {}, dict[int, KnownPath]()
    for path in facts.paths:
        policy, is_deliberate = facts.policies[path.policy_id], path.id in facts.deliberate
        known = before.get(path.id)
        if (
            known is None
            or known.path is not path
            or known.policy is not policy
            or known.is_deliberate != is_deliberate
        ):
            known = KnownPath(path, policy, is_deliberate, _path(path, policy, is_deliberate))
        found[path.id] = known
    _paths.put(site_id, found, len(found))
    return list(found.values())


def _routes_of(site_id: int, topology: Topology, paths: tuple[PathObservation, ...]) -> RouteIndex:
    onward, known = onward_views(paths), _routes.get(site_id)
    if known is None or not known.is_of(topology, onward):
        known = RouteIndex(topology, onward)
        _routes.put(site_id, known, len(paths))
    return known


def _path(path: PathState, policy: Policy, is_deliberate: bool) -> PathObservation:
    gateways = path.gateways(policy)
    return PathObservation(
        id=path.id,
        node_id=path.node_id,
        policy_id=policy.id,
        prefix=policy.prefix,
        gateways=tuple(gateways),
        active=path.active_id,
        has_route=bool(path.active_text),
        is_assigned=path.preferred(policy) is not None,
        active_since=path.since,
        at=path.at,
        target=policy.target,
        target_alive=path.target_alive,
        target_since=path.target_since,
        probes={node: _probe(path, name) for node, name in gateways.items() if name in path.liveness},
        is_deliberate=is_deliberate,
    )


def _probe(path: PathState, gateway: str) -> GatewayProbe:
    return GatewayProbe(path.alive(gateway), path.forwards(gateway), path.answers_since(gateway))
