"""Nodes that still send to a dead gateway: one finding per gateway, which counts the nodes' routes.

Neighbour entries only add detail: an entry times out although the route stays, and outlives a route that has
moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from backstay.alerts.evidence import MAX_EVIDENCE, observed
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import opens_after
from backstay.core.diagnosis.faults.fault import FaultEvidence, FaultKind
from backstay.core.formatting import count, listing
from backstay.policy.selectors import PathState
from backstay.telemetry.selectors.neighbours import UsedRoute, routes_through

_DEAD = frozenset({FaultKind.GATEWAY_ISOLATED, FaultKind.GATEWAY_UNREACHABLE})
MAX_ROUTES = 8
"""Routes that the detail lists."""


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Dead gateways and the reporting nodes whose current next hop they are."""
    after = timedelta(seconds=float(parameters["after_s"]))
    findings = []
    for gateway, since in _dead(snapshot).items():
        if snapshot.now - since < after:
            continue
        paths = [path for path in snapshot.deployed_paths if path.active_id == gateway]
        paths = [path for path in paths if snapshot.is_fresh(path.node_id)]
        routes = [
            route for route in routes_through(snapshot.site, gateway) if snapshot.is_fresh(route.node_id)
        ]
        if paths or routes:
            findings.append(_finding(snapshot, gateway, since, (paths, routes)))
    return RuleResult(tuple(findings))


def _dead(snapshot: SiteSnapshot) -> dict[int, datetime]:
    """Gateway -> since when no probe of it is answered. A single node that gets no answer, over a link of its
    own, does not show that the gateway is dead: a fault must."""
    since: dict[int, datetime] = {}
    for path in snapshot.unhealthy_paths:
        policy = snapshot.policies[path.policy_id]
        for gateway, name in path.gateways(policy).items():
            if path.alive(name) is False and snapshot.is_fresh(path.node_id):
                moment = path.answers_since(name) or path.since or snapshot.now
                since[gateway] = max(moment, since.get(gateway, moment))
    if not since:
        return {}  # Faults are of the whole site: nobody searches for them without need.
    paths = [path for path in snapshot.observations.paths if snapshot.is_fresh(path.node_id)]
    answering = {gateway for path in paths for gateway, probe in path.probes.items() if probe.is_alive}
    silent = [gateway for gateway in since if gateway not in answering]
    if not silent:
        return {}
    blamed = {fault.node_id for fault in snapshot.faults if fault.kind in _DEAD and fault.fabric_id is None}
    return {gateway: since[gateway] for gateway in silent if gateway in blamed}


def _finding(
    snapshot: SiteSnapshot, gateway: int, since: datetime, using: tuple[list[PathState], list[UsedRoute]]
) -> Finding:
    paths, routes = using
    name = snapshot.topology.nodes[gateway].name
    nodes = _by_node(snapshot, paths, routes)
    texts = [text for own in nodes.values() for text in own]
    rest = f"; and {len(texts) - MAX_ROUTES} more" if len(texts) > MAX_ROUTES else ""
    verb = "uses" if len(nodes) == 1 else "use"
    return Finding(
        fingerprint=f"neighbour_gateway:{gateway}",
        severity="critical" if paths else "warning",
        subject=name,
        title=f"{count(len(nodes), 'node')} still {verb} the dead gateway {name}: {listing(list(nodes))}"[
            :300
        ],
        detail=f"{'; '.join(texts[:MAX_ROUTES])}{rest}. Packets sent there are lost."[:2000],
        since=since,
        node_id=gateway,
        path_ids=tuple(path.id for path in paths),
        value=float(len(nodes)),
        evidence=tuple(_evidence(snapshot, gateway, since, using)),
    )


def _evidence(
    snapshot: SiteSnapshot, gateway: int, since: datetime, using: tuple[list[PathState], list[UsedRoute]]
) -> Iterator[FaultEvidence]:
    """That nobody's probes are answered, and the routes that lead there; an entry that is confirmed now
    contradicts."""
    paths, routes = using
    name = snapshot.topology.nodes[gateway].name
    probing = {path.node_id for path in snapshot.deployed_paths if _is_unanswered(snapshot, path, gateway)}
    text = f"{name} does not answer {count(len(probing), 'node')}"
    yield FaultEvidence("probe", text, since, snapshot.observations.names(probing))
    with_routes = {route.node_id for route in routes}
    for route in routes[:MAX_EVIDENCE]:
        yield observed(snapshot, route.node_id, f"{route.node} routes {_route(route)}")
        if route.state == "reachable":
            text = f"{route.node} has a confirmed entry for {route.via}"
            yield observed(snapshot, route.node_id, text, source="neighbours", supports=False)
    for path in [path for path in paths if path.node_id not in with_routes][:MAX_EVIDENCE]:
        policy = snapshot.policies[path.policy_id]
        text = f"{snapshot.topology.nodes[path.node_id].name} uses {name} for {policy.prefix}"
        yield observed(snapshot, path.node_id, text, path.at)


def _is_unanswered(snapshot: SiteSnapshot, path: PathState, gateway: int) -> bool:
    name = path.gateways(snapshot.policies[path.policy_id]).get(gateway)
    return name is not None and path.alive(name) is False and snapshot.is_fresh(path.node_id)


def _by_node(
    snapshot: SiteSnapshot, paths: list[PathState], routes: list[UsedRoute]
) -> Mapping[str, list[str]]:
    """Name of each node -> its routes as text, by name; a path without a reported route counts too."""
    found: dict[str, list[str]] = {}
    for route in routes:
        found.setdefault(route.node, []).append(f"{route.node}: {_route(route)}")
    for path in paths:
        name, policy = snapshot.topology.nodes[path.node_id].name, snapshot.policies[path.policy_id]
        if name not in found:
            found[name] = [f"{name}: {policy.prefix} through {path.active_text} ({policy.name})"]
    return dict(sorted(found.items()))


def _route(route: UsedRoute) -> str:
    entry = f", {route.state} entry {route.mac}" if route.mac else ""
    return f"{route.prefix} via {route.via} ({route.port}{entry})"


RULE = Rule(
    kind="neighbour_gateway",
    title="Dead gateway in use",
    severity="warning",
    evaluate=evaluate,
    cause_rank=CauseRank.EFFECT,
    group="addresses",
    about="node",
    summary="Nodes do not resolve the address of their gateway.",
    parameters=(opens_after(10.0),),
    runbook="neighbour-entries",
)
