"""State of nodes before a change: the target of its undo.

A node returns to its confirmed state before the change. A prefix that was not managed then returns to the
operator: the boot file as it was, and the routes that the agent found before it took them under management.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, fields
from ipaddress import ip_address, ip_network

from django.db.models import BooleanField, Expression, ExpressionWrapper, Func, JSONField
from django.db.models.fields.json import KT
from django.db.models.lookups import IsNull

from backstay.core.formatting import listing
from backstay.core.model.arp import NodeArp
from backstay.core.model.routing import NodeRouting, RunningHop, RunningRoute
from backstay.core.planning.scope import Original
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


def unknown_state(change: Change, nodes: Collection[str]) -> str:
    """Why these nodes cannot return to their state before the change; empty: they can. Two queries."""
    policies = set(FailoverPolicy.objects.filter(site=change.site).values_list("name", flat=True))
    reasons: dict[str, list[str]] = {}
    for name, known in _known_before(change, nodes):
        for why in _unknown(known, policies):
            reasons.setdefault(why, []).append(name)
    return " ".join(f"{listing(names)}: {why}." for why, names in reasons.items())


@dataclass(frozen=True, slots=True)
class _KnownBefore:
    """What an assignment records of its node before the change."""

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


def _known_before(change: Change, nodes: Collection[str]) -> Iterator[tuple[str, _KnownBefore]]:
    """By node name; without the texts of the assignments, which are megabytes for some hundred nodes."""
    rows = Application.objects.filter(change=change, node__name__in=nodes).order_by("node__name")
    parts = rows.annotate(
        has_routing=_is_set("routing"),
        has_arp=_is_set("arp"),
        had_arp=_is_set("earlier__arp"),
        has_files=_is_set("files_before__0"),
        prefixes=_Values("assignment", path="$.routing.routes[*].prefix"),
        earlier_prefixes=_Values("assignment", path="$.earlier.routing.routes[*].prefix"),
        earlier_policies=_Values("assignment", path="$.earlier.routing.routes[*].policy"),
    )
    names = (field.name for field in fields(_KnownBefore))
    for name, *values in parts.values_list("node__name", *names):
        yield name, _KnownBefore(*values)


class _Values(Func):
    """The values at a path of a JSON column, as an array."""

    template = "jsonb_path_query_array(%(expressions)s, '%(path)s')"
    output_field = JSONField()


def _is_set(key: str) -> Expression:
    """Whether an assignment has this key, and it is not null."""
    return ExpressionWrapper(IsNull(KT(f"assignment__{key}"), False), output_field=BooleanField())


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
