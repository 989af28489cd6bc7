"""Use of links by the policies' paths: the strongest of all paths over a link, found by PostgreSQL."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, get_args

from django.db.models import (
    BigIntegerField,
    Case,
    CharField,
    Func,
    Min,
    Q,
    QuerySet,
    Value,
    When,
)

from backstay.core.model.state import GATEWAY_USES, GatewayUse
from backstay.inventory.lookups import with_looked_up
from backstay.inventory.models import Link, Site
from backstay.inventory.sql import fetch_rows
from backstay.inventory.state_sql import rank_case
from backstay.policy.models import PathRoute
from backstay.policy.state_facts import with_use_facts

_RANKS = {use: rank for rank, use in enumerate(get_args(GatewayUse))}


# OFFSET 0: the use of a path's gateway is decided once, and only its rank is kept for each of its links.
_STRONGEST = """
    SELECT link, min(rank) FROM (
        SELECT unnest(links) AS link, rank FROM ({ranked} OFFSET 0) AS ranked
    ) AS used
    WHERE %s::bigint[] IS NULL OR link = ANY (%s) GROUP BY link
"""
FEW_LINKS, FEW_ROUTES = 20, 2_000
"""Up to so many links are looked up in the index of routes, and more if they have at most so many routes:
links of gateways have one for each path, which a comparison of lists would find more slowly than reading all.
"""


def link_uses(site: Site, now: datetime, links: Collection[int] | None = None) -> dict[int, GatewayUse]:
    """Link id -> its use, of these links or of all; missing: no policy uses it. One or two queries."""
    wanted = None if links is None else sorted(links)
    only = Q() if wanted is None or not _has_few_routes(wanted) else Q(links__overlap=wanted)
    ranked = _ranked(site, now, only).order_by().values_list("links", "rank")
    inner, known = ranked.query.sql_with_params()
    names = get_args(GatewayUse)
    found = fetch_rows(_STRONGEST.format(ranked=inner), [*known, wanted, wanted])
    return {link: names[rank] for link, rank in found}


def _has_few_routes(links: list[int]) -> bool:
    if len(links) <= FEW_LINKS:
        return True
    found = PathRoute.objects.filter(links__overlap=links).order_by().values("pk")[: FEW_ROUTES + 1]
    return len(found) <= FEW_ROUTES


def with_carries(rows: QuerySet[Link], site: Site, now: datetime) -> QuerySet[Link]:
    """Links with `carries`: their use, or `none`."""
    return with_looked_up(rows, "carries", _uses(site, now), default="none")


def _uses(site: Site, now: datetime) -> QuerySet[Any]:
    """Rows of `key`, a link's id, and `value`, its strongest use."""
    link = Func("links", function="unnest", output_field=BigIntegerField())
    ranked = _ranked(site, now, Q()).order_by().annotate(key=link).values("key")
    used: QuerySet[Any] = ranked.annotate(value=_Use(Min("rank"), output_field=CharField()))
    return used.values("key", "value")


def _ranked(site: Site, now: datetime, only: Q) -> QuerySet[Any]:
    """Paths through each of their gateways with `rank`, that of the use of the gateway."""
    rows = PathRoute.objects.filter(only, path__policy__site=site)
    rows = with_use_facts(
        rows, site, now, path="path__", gateway="gateway", probe_interval="path__policy__probe_interval_ms"
    ).filter(Q(is_own=True) | Q(is_in_use=True))
    unknown = When(is_own=False, then=Value(_RANKS["unknown"]))
    ranked: QuerySet[Any] = rows.annotate(rank=Case(unknown, default=rank_case(GATEWAY_USES, _RANKS)))
    return ranked


class _Use(Func):
    """The name of a rank."""

    template = f"(ARRAY[{', '.join(repr(use) for use in _RANKS)}])[%(expressions)s + 1]"
