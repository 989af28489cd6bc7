"""Reads of policies and paths, as values that core can find ways with."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from backstay.core.model.ways import PathView
from backstay.inventory.models import Site
from backstay.policy.models import FailoverPolicy, Path, PolicyGateway


@dataclass(frozen=True, slots=True)
class Policy:
    """A failover policy; `gateways` maps node id to name in order of preference."""

    id: int
    name: str
    prefix: str
    detection: str
    target: str | None
    probe_interval_ms: int
    note: str
    gateways: dict[int, str] = field(default_factory=dict)
    nodes: tuple[int, ...] = ()

    @property
    def preferred(self) -> int | None:
        """Node id of the first gateway."""
        return next(iter(self.gateways), None)


@dataclass(frozen=True, slots=True)
class PathNow:
    """One path as observed."""

    id: int
    policy_id: int
    node_id: int
    active_id: int | None
    active_text: str
    since: datetime | None
    at: datetime | None
    target_alive: bool | None
    target_since: datetime | None
    target_rtt_us: int | None
    liveness: dict[str, dict[str, Any]]

    def alive(self, gateway: str) -> bool | None:
        """Whether this gateway answers the node; None when it was not probed."""
        told: bool | None = self.liveness.get(gateway, {}).get("alive")
        return told

    def on_fallback(self, policy: Policy) -> bool:
        """Whether traffic takes another gateway than the preferred one."""
        return bool(self.active_text) and self.active_id != policy.preferred


@dataclass(frozen=True, slots=True)
class Moves:
    """How often a path moved lately, and the newest outage that was measured."""

    day: int = 0
    last_outage_ms: float | None = None


_newest: dict[int, tuple[int, dict[int, Policy]]] = {}


def policies(site: Site) -> dict[int, Policy]:
    """Policy id -> policy; remembered until an import raises the site's version."""
    known = _newest.get(site.pk)
    if known is None or known[0] != site.version:
        known = _newest[site.pk] = (site.version, _read(site))
    return known[1]


def _read(site: Site) -> dict[int, Policy]:
    gateways: dict[int, dict[int, str]] = {}
    rows = PolicyGateway.objects.filter(policy__site=site).order_by("policy_id", "order")
    for policy, node, name in rows.values_list("policy_id", "node_id", "node__name"):
        gateways.setdefault(policy, {})[node] = name
    nodes: dict[int, list[int]] = {}
    for policy, node in (
        Path.objects.filter(policy__site=site).order_by("node__name").values_list("policy_id", "node_id")
    ):
        nodes.setdefault(policy, []).append(node)
    return {
        row.pk: Policy(
            id=row.pk,
            name=row.name,
            prefix=row.prefix,
            detection=row.detection,
            target=row.target,
            probe_interval_ms=row.probe_interval_ms,
            note=row.note,
            gateways=gateways.get(row.pk, {}),
            nodes=tuple(nodes.get(row.pk, ())),
        )
        for row in FailoverPolicy.objects.filter(site=site).order_by("name")
    }


_PATH_COLUMNS = (
    "id", "policy_id", "node_id", "active_id", "active_text", "since", "at",
    "target_alive", "target_since", "target_rtt_us", "liveness",
)  # fmt: skip


def paths(site: Site) -> list[PathNow]:
    """Every path of the site; one query."""
    rows = Path.objects.filter(policy__site=site).order_by("pk")
    return [PathNow(*row) for row in rows.values_list(*_PATH_COLUMNS)]


def view(path: PathNow, policy: Policy) -> PathView:
    """The path as core sees it."""
    return PathView(
        id=path.id,
        node_id=path.node_id,
        prefix=policy.prefix,
        gateways=tuple(policy.gateways),
        active=path.active_id,
        target=policy.target,
        target_alive=path.target_alive,
        alive={node: path.alive(name) for node, name in policy.gateways.items()},
    )


_MOVES = """
    SELECT switch.path_id, count(*) FILTER (WHERE switch.at > %s),
           (array_agg(switch.outage_ms ORDER BY switch.at DESC)
                FILTER (WHERE switch.outage_ms IS NOT NULL))[1]
    FROM policy_pathswitch AS switch
    JOIN policy_path AS path ON path.id = switch.path_id
    JOIN policy_failoverpolicy AS policy ON policy.id = path.policy_id
    WHERE policy.site_id = %s
    GROUP BY switch.path_id
"""


def moves(site: Site, now: datetime) -> dict[int, Moves]:
    """Path id -> its moves; one query. A path that never moved is missing."""
    with connection.cursor() as cursor:
        cursor.execute(_MOVES, [now - timedelta(days=1), site.pk])
        return {path: Moves(day, outage) for path, day, outage in cursor.fetchall()}
