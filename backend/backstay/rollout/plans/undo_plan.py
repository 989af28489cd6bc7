"""State of nodes before a change: the target of its undo.

A node returns to its confirmed state before the change. A prefix that was not managed then returns to the
operator: the boot file as it was, and the routes that the agent found before it took them under management.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from ipaddress import ip_address, ip_network

from django.db.models import QuerySet

from backstay.core.formatting import listing
from backstay.core.model.arp import NodeArp
from backstay.core.model.routing import NodeRouting, RunningHop, RunningRoute
from backstay.core.planning.scope import Original
from backstay.inventory.models import Site
from backstay.policy.models import FailoverPolicy
from backstay.rollout.models import Application, Change
from backstay.rollout.plans.plan_inputs import PlanInputs, without_removed_gateways
from backstay.rollout.wire_codec import WireDict, decode_arp, decode_routing


def parts_undone(change: Change) -> tuple[bool, bool]:
    """Whether the undone change covered routing, and ARP."""
    found = [row.assignment for row in _members(change)]
    return (
        any(item["routing"] is not None for item in found),
        any(item.get("arp") is not None for item in found),
    )


def routing_targets(change: Change, reading: PlanInputs) -> dict[int, NodeRouting]:
    """Node id -> routing before the undone change."""
    ids = {node.name: node.id for node in reading.topology.nodes.values()}
    return {
        row.node_id: without_removed_gateways(decode_routing(row.node, earlier_routing(row), ids))
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


def earlier_routing(row: Application) -> WireDict:
    """Wire `NodeRouting` before the change; without routes if nothing was managed."""
    earlier = row.assignment["earlier"]
    if earlier is not None and earlier["routing"] is not None:
        return dict(earlier["routing"])
    return {**row.assignment["routing"], "routes": []}


def routing_originals(change: Change) -> dict[int, Original]:
    """Node id -> state before the undone change, of nodes on which it took prefixes under management."""
    found = {}
    for row in _members(change):
        assignment = row.assignment
        taken = _taken(row) if assignment["routing"] is not None else []
        if taken:
            running = {route["prefix"]: route["hops"] for route in assignment["running"]}
            found[row.node_id] = Original(
                before=assignment["files_before"][0]["text"],
                after=assignment["routing"]["files"][0]["text"],
                routes=tuple(_route(prefix, running.get(prefix, ())) for prefix in taken),
            )
    return found


def _taken(row: Application) -> list[str]:
    """Prefixes that the change took under management."""
    before = {route["prefix"] for route in earlier_routing(row)["routes"]}
    mine = (route["prefix"] for route in row.assignment["routing"]["routes"])
    return [prefix for prefix in dict.fromkeys(mine) if prefix not in before]


def _route(prefix: str, hops: Iterable[WireDict]) -> RunningRoute:
    return RunningRoute(
        ip_network(prefix),
        tuple(RunningHop(ip_address(hop["address"]), hop["port"], hop["preference"], False) for hop in hops),
    )


def unknown_state(rows: QuerySet[Application]) -> str:
    """Why these nodes of a change cannot return to their state before it; empty: they can. Two or three
    queries."""
    site = Site.objects.filter(changes__applications__in=rows.order_by().values("pk")[:1])
    policies = set(FailoverPolicy.objects.filter(site__in=site).values_list("name", flat=True))
    kinds = rows.order_by().values_list("known_before", flat=True).distinct()
    bad = [known for known in kinds if any(_unknown(_KnownBefore(**known), policies))]
    reasons: dict[str, list[str]] = {}
    found = rows.filter(known_before__in=bad).order_by("node__name") if bad else rows.none()
    for name, known in found.values_list("node__name", "known_before"):
        for why in _unknown(_KnownBefore(**known), policies):
            reasons.setdefault(why, []).append(name)
    return " ".join(f"{listing(names)}: {why}." for why, names in reasons.items())


@dataclass(frozen=True, slots=True)
class _KnownBefore:
    """What an assignment records of its node before the change: `Application.known_before`."""

    has_routing: bool
    """Whether the change covers routing; `has_arp`: ARP."""
    has_arp: bool
    had_arp: bool
    """Whether ARP was managed before."""
    has_files: bool
    """Whether the boot files before are recorded."""
    prefixes: list[str]
    earlier_prefixes: list[str]
    earlier_policies: list[str]


def _unknown(known: _KnownBefore, policies: Collection[str]) -> Iterator[str]:
    if known.has_arp and not known.had_arp:
        yield "the ARP state before the change was not managed; deploy the wanted ARP policy instead"
    if not known.has_routing:
        return
    if not known.has_files and not set(known.prefixes) <= set(known.earlier_prefixes):
        yield "the boot file before the change is not recorded; remove or deploy the wanted policy instead"
        return
    for policy in sorted(set(known.earlier_policies) - set(policies)):
        yield f"the routes before the change belong to {policy}, which was deleted; create {policy} again"
