"""Failover policies, their deployment, and the distribution of stripes."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from backstay.api.policies.schemas import (
    GroupIn,
    GroupModel,
    GroupOut,
    OutageTotalOut,
    PolicyOut,
    PolicyOutagesOut,
    PolicyProgress,
    StripeOut,
    StripeShare,
    StripeTakeOver,
    TimersModel,
)
from backstay.core.formatting import count, listing, part_of, precise
from backstay.core.model.topology import Node, Topology
from backstay.core.planning.stripes.metrics import StripeMetrics

if TYPE_CHECKING:
    from backstay.policy.models import FailoverPolicy
    from backstay.policy.outage_totals import By, OutageTotal
    from backstay.policy.selectors import Policy
    from backstay.rollout.policy_progress import Progress

URL = "/policies"
MOST_NAMES = 200


def policy_out(
    topology: Topology,
    policy: Policy,
    done: Progress,
    removal: int | None,
    refusal: str,
    *,
    undetected: Sequence[int],
) -> PolicyOut:
    """`undetected`: ids of members on which nothing detects a failure."""
    names = [topology.nodes[node].name for node in policy.nodes]
    group = {"names": names} if policy.origin == "file" else policy.group
    return PolicyOut.model_validate(
        {
            "id": policy.id,
            "name": policy.name,
            "site": topology.site,
            "prefix": policy.prefix,
            "gateways": list(policy.gateways.values()),
            "detection": policy.detection,
            "target": policy.target,
            "probe_interval_ms": policy.probe_interval_ms,
            "nodes": names,
            "note": policy.note,
            "origin": policy.origin,
            "group": GroupModel.model_validate(group),
            "timers": TimersModel.model_validate(policy.timers, from_attributes=True),
            "stripe": policy.stripe,
            "return_path": policy.return_path,
            "progress": _progress_out(done, len(policy.nodes)),
            "deployed": done.in_force,
            "is_preconfigured": policy.is_deployed if policy.origin == "file" else None,
            "undetected": [topology.nodes[node].name for node in undetected],
            "removal": removal,
            "deletion_refusal": refusal,
            "url": f"{URL}/{policy.id}",
        }
    )


def _progress_out(done: Progress, total: int) -> PolicyProgress:
    return PolicyProgress(
        managed=done.managed,
        not_managed=list(done.not_managed),
        confirmed=done.confirmed,
        outdated=done.outdated,
        text=_progress_text(done, total),
    )


def _progress_text(done: Progress, total: int) -> str:
    """`confirmed on 6 of 8 nodes; 2 have an earlier version; sp09 is not managed`."""
    if not done.in_force:
        text = "not deployed (monitor only)"
    else:
        text = f"confirmed on {part_of(done.confirmed, total, 'node')}"
    if done.outdated:
        text += f"; {count(done.outdated, 'node has', 'nodes have')} an earlier version"
    if done.gone:
        text += f"; {count(len(done.gone), 'node has', 'nodes have')} it although no longer a member"
    if done.not_managed:
        verb = "is" if len(done.not_managed) == 1 else "are"
        text += f"; {listing(list(done.not_managed))} {verb} not managed"
    return text


def group_out(
    topology: Topology, members: Sequence[Node], managed: Container[int], body: GroupIn
) -> GroupOut:
    """The nodes of a group that is being edited; `managed`: ids of nodes with a managed engine."""
    not_managed = [node.name for node in members if node.id not in managed]
    return GroupOut(
        total=len(members),
        nodes=[node.name for node in members[:MOST_NAMES]],
        not_managed_total=len(not_managed),
        not_managed=not_managed[:MOST_NAMES],
        own_gateways=[node.name for node in members if node.name in body.gateways],
        roles=sorted({node.role for node in topology.nodes.values()} - {""}),
        labels=sorted({name for node in topology.nodes.values() for name, _ in node.labels}),
    )


def policy_outages_out(policy: FailoverPolicy, by: By, totals: Sequence[OutageTotal]) -> PolicyOutagesOut:
    """Outage time by day or month."""
    lost_s, observed_s = sum(item.outage_s for item in totals), sum(item.observed_s for item in totals)
    return PolicyOutagesOut(
        policy_id=policy.pk,
        policy=policy.name,
        by=by,
        items=[
            OutageTotalOut(**asdict(item), text=_total_text(item), worst_text=_worst_text(item))
            for item in totals
        ],
        outage_s=round(lost_s, 3),
        observed_s=round(observed_s, 3),
        text=_sum_text(lost_s, sum(item.outages for item in totals), observed_s),
    )


def _sum_text(lost_s: float, outages: int, observed_s: float) -> str:
    if outages == 0:
        return "no outage" if observed_s > 0 else "no data"
    return f"{precise(lost_s * 1000)} in {count(outages, 'outage')}"


def _worst_text(item: OutageTotal) -> str:
    return f"{item.worst_node}, {precise(item.worst_s * 1000)}" if item.worst_node else ""


def _total_text(item: OutageTotal) -> str:
    if item.outages == 0:
        return "no outage" if item.observed_s > 0 else "no data"
    text = f"{precise(item.outage_s * 1000)} on {count(item.paths, 'path')}"
    return f"{text}, {item.ongoing} ongoing" if item.ongoing else text


def stripe_out(topology: Topology, metrics: StripeMetrics) -> StripeOut:
    """A stripe's shares by gateway name."""
    names = {node.id: node.name for node in topology.nodes.values()}
    return StripeOut(
        shares=[
            StripeShare(
                gateway=names[share.gateway],
                nodes=[names[node] for node in share.nodes],
                share=round(share.share, 4),
                bps=share.bps,
                usable_bps=share.usable_bps,
                utilisation=_rounded(share.utilisation),
                if_lost={names[gateway]: many for gateway, many in share.if_lost.items()},
                takes_over=[
                    StripeTakeOver(
                        gateway=names[other.gateway],
                        nodes=other.nodes,
                        bps=other.bps,
                        utilisation=_rounded(other.utilisation),
                    )
                    for other in share.takes_over
                ],
            )
            for share in metrics.shares
        ],
        imbalance=round(metrics.imbalance, 4),
    )


def _rounded(part: float | None) -> float | None:
    return None if part is None else round(part, 4)
