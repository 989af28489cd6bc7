"""Paths as observed, and the policies that they follow."""

from collections.abc import Mapping

from backstay.alerts.selectors.situation import Situation
from backstay.api import schemas
from backstay.core.model.state import Told, seconds
from backstay.core.words import duration, listing
from backstay.policy.past import Moves
from backstay.policy.selectors import PathNow, Policy, view

URL = "/paths"


def path_out(situation: Situation, path: PathNow, moves: Mapping[int, Moves]) -> schemas.PathOut:
    """One path with its gateways, its hops and the links that it uses."""
    policy = situation.policies[path.policy_id]
    node = situation.topology.nodes[path.node_id]
    moved = moves.get(path.id, Moves())
    told = path_state(situation, path, policy)
    core_view = view(path, policy)
    way = situation.ways.active(core_view)
    return schemas.PathOut(
        id=path.id,
        name=f"{node.name} to {policy.prefix}",
        policy=policy.name,
        policy_id=policy.id,
        node=node.name,
        node_id=node.id,
        prefix=policy.prefix,
        active=path.active_text,
        preferred=next(iter(policy.gateways.values()), ""),
        on_fallback=path.on_fallback(policy),
        state=told.state,
        state_text=told.text,
        since=path.since,
        age_s=seconds(situation.now, path.at),
        target=policy.target,
        target_alive=path.target_alive,
        rtt_ms=_milliseconds(path.target_rtt_us),
        switches_24h=moved.day,
        last_outage_ms=moved.last_outage_ms,
        gateways=[_gateway(path, place) for place in enumerate(policy.gateways.items())],
        hops=[f"{kind}:{ident}" for kind, ident in way.hops],
        links=list(way.links),
        standby_links=situation.ways.standby_links(core_view),
        url=f"{URL}?policy={policy.name}&node={node.name}",
    )


def path_state(situation: Situation, path: PathNow, policy: Policy) -> Told:
    """The path's state in words; unknown once its node is silent."""
    if path.at is None:
        return Told("unknown", "not observed yet")
    if not situation.is_fresh(path.node_id):
        return Told("unknown", f"its node is silent; last seen through {path.active_text or 'no gateway'}")
    if not path.active_text:
        return Told("critical", f"no route to {policy.prefix}")
    if path.target_alive is False:
        return Told("critical", f"through {path.active_text}, but {policy.target} does not answer")
    return _carrying(situation, path, policy)


def _carrying(situation: Situation, path: PathNow, policy: Policy) -> Told:
    since = seconds(situation.now, path.since)
    words = f"through {path.active_text}" + ("" if since is None else f" for {duration(since)}")
    if path.on_fallback(policy):
        return Told("warning", f"on the fallback, {words}")
    dead = [
        name for name in policy.gateways.values() if name != path.active_text and path.alive(name) is False
    ]
    if dead:
        verb = "does" if len(dead) == 1 else "do"
        return Told("warning", f"{words}; {listing(dead)}, standing by, {verb} not answer")
    return Told("ok", words)


def _gateway(path: PathNow, place: tuple[int, tuple[int, str]]) -> schemas.GatewayState:
    order, (node_id, name) = place
    return schemas.GatewayState(
        name=name,
        node_id=node_id,
        order=order,
        active=node_id == path.active_id,
        alive=path.alive(name),
        rtt_ms=_milliseconds(path.liveness.get(name, {}).get("rtt_us")) if path.alive(name) else None,
    )


def _milliseconds(microseconds: int | None) -> float | None:
    return None if microseconds is None else round(microseconds / 1000, 3)


def policy_out(situation: Situation, policy: Policy) -> schemas.PolicyOut:
    """A policy as the site wants it."""
    return schemas.PolicyOut(
        id=policy.id,
        name=policy.name,
        prefix=policy.prefix,
        gateways=list(policy.gateways.values()),
        detection=policy.detection,
        target=policy.target,
        probe_interval_ms=policy.probe_interval_ms,
        nodes=[situation.topology.nodes[node].name for node in policy.nodes],
        note=policy.note,
    )
