"""The cluster with `sp-default` deployed on every SP node, and reports of such nodes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from backstay.policy.models import Path
from backstay.rollout.models import Intended, Move
from backstay.rollout.tests.cluster import BOOT_FILE, TWO, Cluster
from backstay.telemetry.ingest.clock import nanoseconds
from backstay_wire import DecisionReport, MoveReport

FLIPPED = (("10.1.0.15", 60), ("10.1.0.16", 70))
"""atmgw first: the checker's order while grf1 is dead."""


def bring_about(cluster: Cluster) -> dict[str, str]:
    """Every node has confirmed, runs and has saved its plan; returns the boot file by node."""
    plan = cluster.plan(cluster.propose())
    saved: dict[str, str] = {}
    for name in cluster.names:
        assignment = plan.assignments[str(cluster.world.node(name).pk)]
        Intended.objects.create(
            node=cluster.world.node(name), revision=1, routing=assignment["routing"], at=cluster.now
        )
        saved[name] = next(
            file["text"] for file in assignment["routing"]["files"] if file["path"] == BOOT_FILE
        )
    for name, text in saved.items():
        cluster.report_routing(name, TWO, text)
    return saved


def path(cluster: Cluster, node: str = "sp01") -> Path:
    """A node's path of `sp-default`."""
    return Path.objects.select_related("policy", "node").get(policy=cluster.policy, node__name=node)


def report_move(
    cluster: Cluster,
    move: Move,
    state: str,
    *,
    outage_ms: float | None = None,
    detail: str = "",
    earlier_s: float = 0.0,
) -> None:
    """Report the progress of a move."""
    at = cluster.now - timedelta(seconds=earlier_s)
    reported = {
        **_head(cluster, move.path.node.name),
        "at": nanoseconds(at),
        "move": str(move.pk),
        "policy": move.path.policy.name,
        "state": state,
        "detail": detail,
        "outage_ms": outage_ms,
        "rtt_us": 900,
    }
    cluster.world.report([MoveReport.model_validate(reported)])


def decide(cluster: Cluster, node: str, reason: str, before: str, after: str, **more: Any) -> None:
    """Report a decision of a node's checker."""
    reported = {
        **_head(cluster, node),
        "policy": "sp-default",
        "prefix": "0.0.0.0/0",
        "reason": reason,
        "from_gateway": before,
        "to_gateway": after,
        "evidence": "3 of 3 probes to 10.9.0.1 through grf1 lost in 150 ms",
        "took_ms": 2.0,
        **more,
    }
    cluster.world.report([DecisionReport.model_validate(reported)])


def walk(cluster: Cluster, names: Sequence[str], before: str, after: str) -> None:
    """Report paths on another gateway."""
    for name in names:
        switch = cluster.world.switch(before, after, outage_ms=140.0)
        alive = {"grf1": True, "atmgw": True}
        cluster.world.report([cluster.world.path(name, "sp-default", after, alive=alive, switch=switch)])


def _head(cluster: Cluster, node: str) -> dict[str, Any]:
    return cluster.world._head(node)
