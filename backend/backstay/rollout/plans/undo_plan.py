"""State of nodes before a change: the target of its undo.

A node that had confirmed state returns to that. A node without returns to the routes that it ran when the
change was planned; Backstay manages them from then on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

from backstay.core.formatting import listing
from backstay.core.model.arp import NodeArp
from backstay.core.model.routing import FIRST_PREFERENCE, STEP, NodeRouting
from backstay.inventory import snapshot
from backstay.policy.models import FailoverPolicy
from backstay.rollout.models import Application, Change
from backstay.rollout.plans.plan_inputs import PlanInputs, without_removed_gateways
from backstay.rollout.wire_codec import WireDict, decode_arp, decode_routing

Owners = Mapping[IPv4Address | IPv6Address, str]
"""Address -> node name."""


def parts_undone(change: Change) -> tuple[bool, bool]:
    """Whether the undone change covered routing, and ARP."""
    found = [row.assignment for row in _members(change)]
    return (
        any(item["routing"] is not None for item in found),
        any(item.get("arp") is not None for item in found),
    )


def routing_targets(change: Change, reading: PlanInputs) -> dict[int, NodeRouting]:
    """Node id -> routing before the undone change."""
    owners = {
        address: reading.topology.nodes[port.node_id].name for address, port in reading.topology.addresses
    }
    ids = {node.name: node.id for node in reading.topology.nodes.values()}
    return {
        row.node_id: without_removed_gateways(decode_routing(row.node, earlier_routing(row, owners), ids))
        for row in _members(change)
        if row.assignment["routing"] is not None
    }


def arp_targets(change: Change, reading: PlanInputs) -> dict[int, NodeArp]:
    """Node id -> ARP before the undone change."""
    files = reading.arp.files
    return {
        row.node_id: decode_arp(
            row.node.name, row.node_id, files[row.node_id], row.assignment["earlier"]["arp"]
        )
        for row in _members(change)
        if row.assignment.get("arp") is not None and row.node_id in files
    }


def _members(change: Change) -> list[Application]:
    if change.undoes is None:
        return []
    rows = change.undoes.applications.filter(node__name__in=change.nodes).select_related("node")
    return list(rows.order_by("node_id"))


def earlier_routing(row: Application, owners: Owners) -> WireDict:
    """Wire `NodeRouting` before the change."""
    earlier = row.assignment["earlier"]
    if earlier is not None and earlier["routing"] is not None:
        return dict(earlier["routing"])
    applied = row.assignment["routing"]
    running = {route["prefix"]: route["hops"] for route in row.assignment.get("running") or ()}
    routes = [
        {**route, "hops": _hops(running[route["prefix"]], owners)}
        for route in applied["routes"]
        if running.get(route["prefix"])
    ]
    return {**applied, "routes": routes}


def _hops(running: Iterable[Mapping[str, Any]], owners: Owners) -> list[WireDict]:
    """Wire hops; preferences are numbered again, because a kernel metric may be outside their range."""
    ordered = sorted(running, key=lambda hop: hop["preference"])
    return [
        {
            **hop,
            "gateway": owners.get(ip_address(hop["address"]), ""),
            "preference": FIRST_PREFERENCE + STEP * place,
        }
        for place, hop in enumerate(ordered)
    ]


def unknown_state(change: Change, nodes: Collection[str]) -> str:
    """Why these nodes cannot return to their state before the change; empty: they can."""
    topology = snapshot.load(change.site)
    owners = {address: topology.nodes[port.node_id].name for address, port in topology.addresses}
    policies = set(FailoverPolicy.objects.filter(site=change.site).values_list("name", flat=True))
    rows = change.applications.filter(node__name__in=nodes).select_related("node").order_by("node__name")
    reasons: dict[str, list[str]] = {}
    for row in rows:
        for why in _unknown(row, owners, policies):
            reasons.setdefault(why, []).append(row.node.name)
    return " ".join(f"{listing(names)}: {why}." for why, names in reasons.items())


def _unknown(row: Application, owners: Owners, policies: Collection[str]) -> Iterator[str]:
    assignment, earlier = row.assignment, row.assignment["earlier"]
    if assignment.get("arp") is not None and (earlier is None or earlier["arp"] is None):
        yield "the ARP state before the change was not managed; deploy the wanted ARP policy instead"
    if assignment["routing"] is None:
        return
    known = earlier is not None and earlier["routing"] is not None
    if not known and assignment.get("running") is None:
        yield "the routes before the change are not recorded; deploy the wanted policy instead"
        return
    routes = earlier_routing(row, owners)["routes"]
    if not known and any(not hop["gateway"] for route in routes for hop in route["hops"]):
        yield "a next hop before the change belongs to no node of the site; deploy the wanted policy instead"
    for policy in sorted({route["policy"] for route in routes} - set(policies)):
        yield f"the routes before the change belong to {policy}, which was deleted; create {policy} again"
