"""The paths that each fault breaks: dead, rerouted, or without a standby."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from backstay.core.diagnosis.faults.fault import Fault, FaultEvidence, FaultKind
from backstay.core.diagnosis.faults.observations import Observations, PathObservation
from backstay.core.diagnosis.faults.routes import used_gateways
from backstay.core.formatting import count
from backstay.core.model.search import Component, ForwardingPath
from backstay.core.model.state import standby_state

_ON_LINKS = frozenset({FaultKind.LINK_DOWN, FaultKind.FABRIC_DOWN})
_ON_BOTH = frozenset({FaultKind.GATEWAY_ISOLATED})
"""Kinds that break routes through the node and over its links, so also those that start at it."""
_HARMLESS = frozenset({FaultKind.REPORTING_LOST, FaultKind.STANDBY_DEAD})
"""Kinds that break no path."""


@dataclass(slots=True)
class Impact:
    """Ids of the paths that one fault breaks."""

    dead: set[int] = field(default_factory=set)
    rerouted: set[int] = field(default_factory=set)
    standby: set[int] = field(default_factory=set)


class BreakIndex:
    """Faults by the nodes, links and fabrics that they break."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = [fault for fault in faults if not _is_harmless(fault)]
        self._nodes: dict[int, list[Fault]] = {}
        self._links: dict[int, list[Fault]] = {}
        self._fabrics: dict[int, list[Fault]] = {}
        for fault in self.faults:
            if fault.kind == FaultKind.FABRIC_DOWN and fault.fabric_id is not None:
                self._fabrics.setdefault(fault.fabric_id, []).append(fault)
            is_partial = fault.node_id is not None and fault.fabric_id is not None
            if fault.kind in _ON_LINKS | _ON_BOTH or is_partial:
                for link in fault.links:
                    self._links.setdefault(link, []).append(fault)
            if fault.node_id is not None and not is_partial and fault.kind not in _ON_LINKS:
                self._nodes.setdefault(fault.node_id, []).append(fault)

    @property
    def components(self) -> set[Component]:
        """Vertices and links that a route must lead over for any fault to break it."""
        found: set[Component] = {("link", link) for link in self._links}
        found.update(("node", node) for node in self._nodes)
        return found | {("fabric", fabric) for fabric in self._fabrics}

    def causes(self, route: ForwardingPath) -> list[Fault]:
        """The faults that break a route. A node that starts it does not break it."""
        found = [fault for link in route.links for fault in self._links.get(link, ())]
        for place, (kind, ident) in enumerate(route.hops):
            if kind == "fabric":
                found += self._fabrics.get(ident, ())
            elif place:
                is_end = place == len(route.hops) - 1
                found += [
                    fault
                    for fault in self._nodes.get(ident, ())
                    if not (is_end and fault.kind == FaultKind.GATEWAY_NOT_FORWARDING)
                ]
        return found

    def breaks(self, route: ForwardingPath) -> bool:
        """Whether any fault breaks a route."""
        return bool(self.causes(route))


def _is_harmless(fault: Fault) -> bool:
    """Whether it breaks no path; a node that only does not report may forward."""
    if fault.kind == FaultKind.NODE_UNREACHABLE:
        return not all(item.supports for item in fault.evidence)
    return fault.kind in _HARMLESS


def with_paths(seen: Observations, faults: list[Fault]) -> list[Fault]:
    """The faults with the paths that they break."""
    index = BreakIndex(faults)
    impacts = {fault.key: Impact() for fault in faults}
    if index.faults:
        affected = seen.routes.nodes_over(seen.observers, index.components)
        for path in seen.observers:
            if path.node_id in affected:
                _assign(seen, index, impacts, path)
    return [_filled(fault, impacts[fault.key]) for fault in faults]


def _assign(
    seen: Observations,
    index: BreakIndex,
    impacts: Mapping[tuple[str, int, int], Impact],
    path: PathObservation,
) -> None:
    for gateway in used_gateways(path):
        causes = index.causes(seen.route(path, gateway))
        for fault in causes:
            impact = impacts[fault.key]
            if path.is_dead:
                if gateway in {path.active, path.preferred} or not path.has_route:
                    impact.dead.add(path.id)
            elif gateway == path.preferred and path.is_rerouted:
                impact.rerouted.add(path.id)
            elif gateway != path.active:
                impact.standby.add(path.id)


def _filled(fault: Fault, impact: Impact) -> Fault:
    return replace(
        fault,
        dead_paths=tuple(sorted(impact.dead)),
        rerouted_paths=tuple(sorted(impact.rerouted - impact.dead)),
        standby_paths=tuple(sorted(impact.standby - impact.rerouted - impact.dead)),
    )


def dead_standbys(seen: Observations, faults: list[Fault]) -> list[Fault]:
    """Per gateway: paths that work on their preferred gateway and could not move to this one.

    A gateway whose own paths are dead forwards nothing for that reason. A path without a preferred gateway
    has no standby.
    """
    index = BreakIndex(faults)
    lost = {path.node_id for path in seen.unhealthy if path.is_dead}
    found: dict[int, list[PathObservation]] = {}
    for path in seen.unhealthy:
        if path.is_assigned and not path.is_dead and not path.is_rerouted:
            for gateway in path.gateways:
                is_dead = gateway != path.active and _is_dead(seen, path, gateway)
                if is_dead and gateway not in lost and not index.breaks(seen.route(path, gateway)):
                    found.setdefault(gateway, []).append(path)
    return [_standby_fault(seen, gateway, paths) for gateway, paths in sorted(found.items())]


def _is_dead(seen: Observations, path: PathObservation, gateway: int) -> bool:
    probe = path.probes.get(gateway)
    if probe is None or (probe.is_alive and not seen.has_settled(path)):
        return False
    state = standby_state(alive=probe.is_alive, forwards=probe.forwards, target_alive=path.target_alive)
    return state == "dead"


def _standby_fault(seen: Observations, gateway: int, paths: list[PathObservation]) -> Fault:
    nodes, name = sorted({path.node_id for path in paths}), seen.name(gateway)
    evidence = []
    for alive, text in (
        (False, f"no answer from {name}"),
        (True, f"no answer from the target through {name}"),
    ):
        mine = [path for path in paths if bool(path.probes[gateway].is_alive) is alive]
        if mine:
            at = max((path.at for path in mine if path.at is not None), default=None)
            number = count(len({path.node_id for path in mine}), "node")
            evidence.append(
                FaultEvidence("probe", f"{number}: {text}", at, seen.names(path.node_id for path in mine))
            )
    others = {path.node_id for path in seen.observers if _answers(path, gateway)} - set(nodes)
    if others:
        text = f"{name} answers {count(len(others), 'other node')}"
        at = max((path.at for path in seen.observers if path.at and path.node_id in others), default=None)
        evidence.append(FaultEvidence("probe", text, at, seen.names(others), supports=False))
    times = sorted(moment for path in paths if (moment := path.probes[gateway].since or path.at) is not None)
    return Fault(
        kind=FaultKind.STANDBY_DEAD,
        subject=name,
        since=times[len(times) // 2] if times else seen.now,
        node_id=gateway,
        standby_paths=tuple(sorted(path.id for path in paths)),
        nodes=(),
        evidence=tuple(evidence),
    )


def _answers(path: PathObservation, gateway: int) -> bool:
    probe = path.probes.get(gateway)
    return probe is not None and probe.is_alive is True
