"""Paths of gateways by use, counted by PostgreSQL: one query for any number of gateways and paths."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from backstay.core.model.state import GATEWAY_USES, GatewayCounts
from backstay.inventory.models import Site
from backstay.inventory.state_sql import state_case
from backstay.policy.models import PolicyGateway
from backstay.policy.state_facts import with_use_facts


def gateway_counts(
    site: Site, now: datetime, nodes: Collection[int] | None = None
) -> dict[int, GatewayCounts]:
    """Node id -> counts, of those of the nodes that are gateways; None: of every gateway."""
    known = ~Q(use="unknown")
    rows: QuerySet[Any] = PolicyGateway.objects.filter(policy__site=site)
    rows = rows if nodes is None else rows.filter(node__in=nodes)
    rows = with_use_facts(
        rows.alias(path_id=F("policy__paths__pk")), site, now,
        path="policy__paths__", gateway="node", probe_interval="policy__probe_interval_ms",
    ).filter(is_own=True, path_id__isnull=False)  # fmt: skip
    counted = (
        rows.order_by()
        .annotate(use=state_case(GATEWAY_USES))
        .values("node_id", "use")
        .annotate(
            number=Count("path_id"),
            answering=Count("path_id", filter=known & Q(alive=True)),
            silent=Count("path_id", filter=known & Q(alive=False)),
        )
    )
    found: dict[int, GatewayCounts] = {}
    for row in counted.values_list("node_id", "use", "number", "answering", "silent"):
        node, use, number, answering, silent = row
        before = found.get(node, GatewayCounts())
        found[node] = replace(
            before,
            uses={**before.uses, use: number},
            answering=before.answering + answering,
            silent=before.silent + silent,
        )
    return found
