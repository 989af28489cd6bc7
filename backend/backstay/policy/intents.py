"""Policy rows as planner values."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import Any

from backstay.core.model.arp import ArpIntent, PortSettings, Settings
from backstay.core.model.policy import FailoverIntent, Group, ReturnPath, Stripe
from backstay.core.model.routing import Detection, Timers
from backstay.inventory.models import Site
from backstay.policy.models import ArpPolicy, FailoverPolicy, Path, PolicyGateway


def intents(site: Site) -> dict[int, FailoverIntent]:
    """Policy id -> intent; four queries. Nodes come from the policy's paths."""
    names = dict(site.nodes.values_list("name", "id"))
    gateways: dict[int, list[int]] = {}
    rows = PolicyGateway.objects.filter(policy__site=site).order_by("policy_id", "order")
    for policy, node in rows.values_list("policy_id", "node_id"):
        gateways.setdefault(policy, []).append(node)
    nodes: dict[int, list[int]] = {}
    for policy, node in (
        Path.objects.filter(policy__site=site).order_by("node_id").values_list("policy_id", "node_id")
    ):
        nodes.setdefault(policy, []).append(node)
    return {
        row.pk: FailoverIntent(
            id=row.pk,
            name=row.name,
            nodes=tuple(nodes.get(row.pk, ())),
            prefix=ip_network(row.prefix),
            gateways=tuple(gateways.get(row.pk, ())),
            detection=Detection(row.detection),
            timers=timers(row),
            target=ip_address(row.target) if row.target else None,
            stripe=stripe(row.stripe, names),
            back=return_path(row.return_path, names),
            note=row.note,
        )
        for row in FailoverPolicy.objects.filter(site=site).order_by("pk")
    }


def timers(row: FailoverPolicy) -> Timers:
    """The policy's timers; a policy of the site file sets only the probe interval."""
    return Timers(**{"interval_ms": row.probe_interval_ms, **row.timers})


def group(stored: dict[str, Any]) -> Group:
    """The policy's member selection."""
    low, high = stored.get("number_from"), stored.get("number_to")
    numbers = None if low is None and high is None else (low or 0, 2**31 - 1 if high is None else high)
    return Group(
        names=tuple(stored.get("names", ())),
        role=stored.get("role", ""),
        numbers=numbers,
        labels=tuple(sorted(stored.get("labels", {}).items())),
    )


def stripe(stored: dict[str, Any] | None, names: dict[str, int]) -> Stripe | None:
    """By node ids, without removed gateways."""
    if stored is None:
        return None
    known = [name for name in stored["gateways"] if name in names]
    return Stripe(
        gateways=tuple(names[name] for name in known),
        backups=stored["backups"],
        balance=stored["balance"],
        weights=tuple(float(stored["weights"].get(name, 1.0)) for name in known),
        by_label=stored["by_label"],
    )


def return_path(stored: dict[str, Any] | None, names: dict[str, int]) -> ReturnPath | None:
    """By node ids."""
    if stored is None:
        return None
    target = stored.get("target")
    return ReturnPath(
        routers=tuple(names[name] for name in stored["routers"] if name in names),
        prefix=ip_network(stored["prefix"]),
        target=ip_address(target) if target else None,
    )


def arp_intents(site: Site) -> dict[int, ArpIntent]:
    """ARP policy id -> intent; one query."""
    return {row.pk: arp_intent(row) for row in ArpPolicy.objects.filter(site=site).order_by("pk")}


def arp_intent(row: ArpPolicy) -> ArpIntent:
    """Of one ARP policy."""
    return ArpIntent(
        id=row.pk,
        fabric=row.fabric_id,
        mode=row.mode,  # type: ignore[arg-type]  # one of the column's choices
        settings=_arp_settings(row.settings),
        ports=tuple(PortSettings(port["pattern"], _arp_settings(port["settings"])) for port in row.ports),
        table=_arp_settings(row.table),
    )


def _arp_settings(stored: dict[str, Any]) -> Settings:
    """By name."""
    return tuple(sorted(stored.items()))
