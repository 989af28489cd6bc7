"""Gateways that answer and do not forward, from the end-to-end probes through them.

A dead target alone accuses nobody. A gateway is accused when nothing that several nodes send through it
arrives although it answers them, and either several targets fail at once or the target answers through
another gateway. Paths that something else already breaks do not count. A path that was dead when it moved to
a gateway, while the far end still sends its replies through another one, is evidence against the one it left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from backstay.core.diagnosis.faults.fault import Fault, FaultEvidence, FaultKind
from backstay.core.diagnosis.faults.observations import (
    STANDBY_SETTLED,
    GatewayProbe,
    Observations,
    PathObservation,
)
from backstay.core.formatting import count
from backstay.core.model.search import ForwardingPath

SEVERAL = 2
FEW = 0.02
"""Share of the paths through a gateway that may work although it does not forward."""
SETTLED = timedelta(seconds=5)
"""A gateway that stops answering fails its own probes after this time; before, the fault may be that."""
LATE = timedelta(seconds=45)
"""A standby that still counts as ready after this time has been probed since: three probes of ten seconds."""

IsBroken = Callable[[ForwardingPath], bool]
"""Whether another fault breaks a route."""


@dataclass(slots=True)
class Forwarding:
    """End-to-end results through one gateway."""

    dead: list[PathObservation] = field(default_factory=list)
    working: list[PathObservation] = field(default_factory=list)
    left: list[PathObservation] = field(default_factory=list)
    """Paths that work through another gateway since their target stopped to answer through this one."""
    standby: list[PathObservation] = field(default_factory=list)
    """Paths that work, and whose target does not answer through this gateway."""
    ready: list[PathObservation] = field(default_factory=list)
    """Paths whose target answers through this standby."""


def gateways_not_forwarding(
    seen: Observations, suspects: Collection[int], is_broken: IsBroken
) -> list[Fault]:
    """One fault per such gateway; `suspects`: gateways that no other fault covers."""
    if not any(path.is_dead or _blocked(path) for path in seen.unhealthy):
        return []
    reachable = _reachable_targets(seen)
    results = _results(seen, set(suspects), is_broken)
    return [
        _fault(seen, gateway, item)
        for gateway, item in sorted(results.items())
        if _fails_active(seen, item, reachable) or _fails_standby(item)
    ]


def _blocked(path: PathObservation) -> bool:
    return any(probe.forwards is False for probe in path.probes.values())


def _reachable_targets(seen: Observations) -> dict[str, set[int]]:
    """Target -> the gateways through which it answers."""
    found: dict[str, set[int]] = {}
    for path in seen.observers:
        if path.target is not None and path.target_alive and path.active is not None:
            found.setdefault(path.target, set()).add(path.active)
    return found


def _results(seen: Observations, suspects: set[int], is_broken: IsBroken) -> dict[int, Forwarding]:
    results: dict[int, Forwarding] = {}
    dead = _dead_gateways(seen)
    for path in seen.observers:
        used = _used_gateway(seen, path, dead)
        if used in suspects and path.target is not None:
            _sort_active(seen, path, used, results.setdefault(used, Forwarding()), is_broken)
        for gateway, probe in path.probes.items():
            if gateway in suspects and gateway != path.active and path.target_alive:
                result = results.setdefault(gateway, Forwarding())
                if probe.forwards:
                    result.ready.append(path)
                elif _is_blocked(seen, path, probe) and not is_broken(seen.route(path, gateway)):
                    if gateway == path.preferred and path.is_rerouted:
                        result.left.append(path)
                    elif seen.has_settled(path):
                        result.standby.append(path)
    return results


def _dead_gateways(seen: Observations) -> dict[int, set[int]]:
    """Node -> the gateways through which paths of its own are dead."""
    found: dict[int, set[int]] = {}
    for path in seen.unhealthy:
        if path.is_dead and path.active is not None:
            found.setdefault(path.node_id, set()).add(path.active)
    return found


def _used_gateway(seen: Observations, path: PathObservation, dead: Mapping[int, set[int]]) -> int | None:
    """The gateway that the path's result is about: the active one, or the one that it left when dead."""
    since = path.dead_since
    if since is None or not path.is_rerouted or path.active_since is None or since >= path.active_since:
        return path.active
    hops = seen.route(path, path.active or 0).hops
    if not hops or hops[-1][0] != "node":
        return path.active
    replies = dead.get(hops[-1][1], set())
    return path.preferred if replies and path.active not in replies else path.active


def _sort_active(
    seen: Observations, path: PathObservation, gateway: int, result: Forwarding, is_broken: IsBroken
) -> None:
    if path.target_alive:
        if not seen.is_destination(gateway, path):
            result.working.append(path)
        return
    probe = path.probes.get(gateway)
    since = path.dead_since
    if probe is None or not probe.is_alive or since is None:
        return
    answered = probe.since is None or seen.now - probe.since >= SETTLED
    if answered and seen.now - since >= SETTLED and not _is_explained(seen, path, gateway, is_broken):
        result.dead.append(path)


def _is_explained(seen: Observations, path: PathObservation, gateway: int, is_broken: IsBroken) -> bool:
    """Whether something else breaks the route, or its end does not report although it could be asked."""
    route = seen.route(path, gateway)
    if not route.hops or is_broken(route):
        return True
    kind, end = route.hops[-1]
    is_missing = kind == "node" and end in seen.reported_at and end not in seen.reporting
    return is_missing and not (seen.is_polled(end) and seen.reporters[end] not in seen.reporting)


def _is_blocked(seen: Observations, path: PathObservation, probe: GatewayProbe) -> bool:
    """Whether the target does not answer through a standby that has answered for long enough.

    A path that has just left a gateway may have left one that stopped answering.
    """
    settled = probe.since is None or seen.now - probe.since >= STANDBY_SETTLED
    settled = settled and (path.active_since is None or seen.now - path.active_since >= SETTLED)
    return probe.forwards is False and probe.is_alive is True and settled


def _fails_active(seen: Observations, item: Forwarding, reachable: dict[str, set[int]]) -> bool:
    """Paths that are dead on it, and those that a checker moved off it, are evidence alike."""
    failed = [*item.dead, *item.left]
    nodes = {path.node_id for path in failed}
    if len(nodes) < SEVERAL or len(item.working) > FEW * len(failed):
        return False
    targets = {path.target for path in item.dead}
    if item.left or len(targets) >= SEVERAL:
        return True
    return any(_answers_otherwise(seen, path, reachable) for path in item.dead)


def _answers_otherwise(seen: Observations, path: PathObservation, reachable: dict[str, set[int]]) -> bool:
    """Whether the target answers through another gateway: other nodes now, or this node's own probes."""
    if reachable.get(path.target or "", set()) - {path.active}:
        return True
    since = path.dead_since
    others = (probe for gateway, probe in path.probes.items() if gateway != path.active)
    return since is not None and seen.now - since >= LATE and any(probe.forwards for probe in others)


def _fails_standby(item: Forwarding) -> bool:
    nodes = {path.node_id for path in item.standby}
    others = item.ready or item.working or item.dead
    return len(nodes) >= SEVERAL and not others


def _fault(seen: Observations, gateway: int, item: Forwarding) -> Fault:
    paths = [*item.dead, *item.left] or item.standby
    return Fault(
        kind=FaultKind.GATEWAY_NOT_FORWARDING,
        subject=seen.name(gateway),
        since=_since(seen, item),
        node_id=gateway,
        nodes=(gateway,),
        evidence=tuple(_evidence(seen, gateway, paths, item)),
    )


def _since(seen: Observations, item: Forwarding) -> datetime:
    times = sorted(since for path in item.dead if (since := path.dead_since) is not None)
    times += sorted(since for path in item.left if (since := path.active_since) is not None)
    if times:
        return sorted(times)[len(times) // 2]
    return min((path.at for path in item.standby if path.at is not None), default=seen.now)


def _evidence(
    seen: Observations, gateway: int, paths: list[PathObservation], item: Forwarding
) -> list[FaultEvidence]:
    name = seen.name(gateway)
    nodes = {path.node_id for path in paths}
    at = max((path.at for path in paths if path.at is not None), default=None)
    found = [
        FaultEvidence(
            "probe", f"{target} does not answer {count(len(ids), 'node')} through {name}", at, seen.names(ids)
        )
        for target, ids in sorted(_by_target(paths).items())
    ]
    text = f"{name} itself answers {count(len(nodes), 'node')}"
    found.append(FaultEvidence("probe", text, at, seen.names(nodes)))
    if item.working:
        ids = [path.node_id for path in item.working]
        against = f"{count(len(ids), 'path')} through {name} still works"
        found.append(FaultEvidence("probe", against, at, seen.names(ids), supports=False))
    if gateway in seen.reporting:
        text = f"{name} reports"
        found.append(FaultEvidence("report", text, seen.reported_at.get(gateway), seen.reporter(gateway)))
    return found


def _by_target(paths: list[PathObservation]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for path in paths:
        found.setdefault(path.target or path.prefix, []).append(path.node_id)
    return found
