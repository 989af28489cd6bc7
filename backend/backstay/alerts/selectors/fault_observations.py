"""From the rows of a site to the observations in which the core finds faults."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from backstay.core.diagnosis.faults.observations import (
    GatewayProbe,
    Observations,
    PathObservation,
    PortCarrier,
)
from backstay.core.model.topology import Topology
from backstay.policy.selectors import PathState, Policy
from backstay.telemetry.selectors.link_ends import EndNow
from backstay.telemetry.selectors.nodes import NodeNow


@dataclass(frozen=True, slots=True)
class PathFacts:
    """The deployed paths of a site and what they are subject to."""

    paths: Sequence[PathState]
    policies: Mapping[int, Policy]
    deliberate: Collection[int]
    """Ids of paths that an operator moved or holds."""


def observations(  # noqa: PLR0917 - the parts of one snapshot
    topology: Topology,
    now: datetime,
    facts: PathFacts,
    ends: Mapping[int, EndNow],
    nodes: Mapping[int, NodeNow],
    fresh: frozenset[int],
    silent: frozenset[int],
) -> Observations:
    """The whole site at `now`; `fresh` and `silent`: ids of nodes that report, and that are missing."""
    return Observations(
        topology=topology,
        now=now,
        paths=tuple(_path(path, facts) for path in facts.paths),
        ports={
            port: PortCarrier(end.oper_up, end.since, end.admin_up is not False) for port, end in ends.items()
        },
        reported_at={node: item.report_times.at for node, item in nodes.items() if item.report_times.watched},
        reporting=fresh,
        silent=silent,
        reporters={node: item.watcher_id for node, item in nodes.items() if item.watcher_id is not None},
    )


def _path(path: PathState, facts: PathFacts) -> PathObservation:
    policy = facts.policies[path.policy_id]
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
        is_deliberate=path.id in facts.deliberate,
    )


def _probe(path: PathState, gateway: str) -> GatewayProbe:
    return GatewayProbe(path.alive(gateway), path.forwards(gateway), path.answers_since(gateway))
