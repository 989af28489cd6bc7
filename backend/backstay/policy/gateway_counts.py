"""Paths of gateways by use, counted by PostgreSQL: one query for any number of gateways and paths."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Func, IntegerField, Q, QuerySet

from backstay.core.model.state import END_TO_END, GATEWAY_USES, STANDBYS, GatewayCounts
from backstay.inventory.models import Site
from backstay.inventory.state_sql import fact, state_case
from backstay.policy.models import PolicyGateway
from backstay.policy.state_facts import end_to_end_facts, reported

_PATH = "policy__paths__"


def gateway_counts(site: Site, now: datetime, nodes: Collection[int]) -> dict[int, GatewayCounts]:
    """Node id -> counts, of the nodes that are gateways; as `core.model.policy_paths.gateway_counts`."""
    known = ~Q(use="unknown")
    rows = _with_uses(PolicyGateway.objects.filter(policy__site=site, node__in=nodes), site, now)
    counted = (
        rows.order_by()
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


def _with_uses(rows: QuerySet[PolicyGateway], site: Site, now: datetime) -> QuerySet[Any]:
    """One row per path and gateway of it, with `use` and `alive`."""
    facts = end_to_end_facts(site, now, _PATH)
    liveness, name = F(f"{_PATH}liveness"), F("node__name")
    place = Func(
        F(f"{_PATH}order"), F("node_id"), function="array_position", output_field=IntegerField(null=True)
    )
    own = Func(F(f"{_PATH}order"), function="cardinality", output_field=IntegerField(null=True))
    rows = rows.alias(path_id=F(f"{_PATH}pk"), place=place, own=own)
    rows = rows.filter(Q(own__isnull=True) | Q(own=0) | Q(place__isnull=False), path_id__isnull=False)
    rows = rows.alias(
        **facts,
        alive=reported(liveness, name, "alive"),
        forwards=reported(liveness, name, "forwards"),
        is_in_use=fact(Q(node_id=F(f"{_PATH}active_id"))),
    )
    return rows.alias(end_to_end=state_case(END_TO_END), standby=state_case(STANDBYS)).annotate(
        use=state_case(GATEWAY_USES)
    )
