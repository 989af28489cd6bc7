"""Use of links by the policies' paths: the strongest of all paths over a link."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from django.db.models import (
    Case,
    Q,
    QuerySet,
    Value,
    When,
)
from numpy.typing import NDArray

from backstay.core.model.state import GATEWAY_USES, GatewayUse
from backstay.inventory.models import Site
from backstay.inventory.sql import fetch_rows
from backstay.inventory.state_sql import rank_case
from backstay.policy.gateway_uses import USES, Uses, gateway_uses, uses_as_reported
from backstay.policy.models import PathRoute
from backstay.policy.state_facts import with_use_facts
from backstay.telemetry import change_counters
from backstay.telemetry.change_counters import Counts
from backstay.telemetry.rollups.arrays import fetch_columns, length, ragged
from backstay.telemetry.row_cache import RecentSites

_RANKS = {use: rank for rank, use in enumerate(USES)}
Ints = NDArray[np.int64]


# OFFSET 0: the use of a path's gateway is decided once, and only its rank is kept for each of its links.
_STRONGEST = """
    SELECT link, min(rank) FROM (
        SELECT unnest(links) AS link, rank FROM ({ranked} OFFSET 0) AS ranked
    ) AS used
    WHERE link = ANY (%s) GROUP BY link
"""
FEW_LINKS, FEW_ROUTES = 20, 2_000
"""Up to so many links are looked up in the index of routes, and more if this process does not keep the routes
and they have at most so many: links of gateways have one for each path, whose uses are known without reading
them again.
"""
_ROUTES = """
    SELECT array_agg(path_id), array_agg(gateway_id), array_agg(route), array_agg(link)
    FROM (
        SELECT route.path_id, route.gateway_id, route.id AS route, unnest(route.links) AS link
        FROM policy_pathroute AS route
        JOIN policy_path AS path ON path.id = route.path_id
        JOIN policy_failoverpolicy AS policy ON policy.id = path.policy_id
        WHERE policy.site_id = %(site)s ORDER BY route.id
    ) AS used
"""


def link_uses(
    site: Site,
    now: datetime,
    links: Collection[int] | None = None,
    uses: Callable[[], Uses] | None = None,
    *,
    has_uses: bool = False,
) -> dict[int, GatewayUse]:
    """Link id -> its use, of these links or of all; missing: no policy uses it. At most five queries.

    `uses`: `gateway_uses` of the same moment, if the caller needs them too; `has_uses`: it has read them.
    """
    wanted, kept = None if links is None else sorted(links), None
    if wanted is not None and not has_uses:
        kept = _kept_routes(site) if len(wanted) > FEW_LINKS else None
        if kept is None and _has_few_routes(wanted):
            return _few_uses(site, now, wanted)
    known = _routes(site) if kept is None else kept
    return known.strongest(gateway_uses(site, now) if uses is None else uses(), wanted)


def used_links(site: Site) -> frozenset[int]:
    """Ids of all links that a path uses, in whatever way; at most four queries."""
    return frozenset(_routes(site).strongest(uses_as_reported(site), None))


def _has_few_routes(links: list[int]) -> bool:
    if len(links) <= FEW_LINKS:
        return True
    found = PathRoute.objects.filter(links__overlap=links).order_by().values("pk")[: FEW_ROUTES + 1]
    return len(found) <= FEW_ROUTES


def _few_uses(site: Site, now: datetime, links: list[int]) -> dict[int, GatewayUse]:
    ranked = _ranked(site, now, Q(links__overlap=links)).order_by().values_list("links", "rank")
    inner, known = ranked.query.sql_with_params()
    found = fetch_rows(_STRONGEST.format(ranked=inner), [*known, links])
    return {link: USES[rank] for link, rank in found}


@dataclass(frozen=True, slots=True)
class _Routes:
    """The routes of a site's paths; `step_route` and `step_link` have an element for each link of each."""

    path: Ints
    gateway: Ints
    step_route: Ints
    """Place of the route in `path` and `gateway`."""
    step_link: Ints

    @classmethod
    def read(cls, site: Site) -> _Routes:
        """One query."""
        columns = fetch_columns(_ROUTES, {"site": site.pk})
        size = np.array([length(columns[0][0])], np.int64)
        path, gateway, route, link = (ragged(fields, size, "int8", 0).astype(np.int64) for fields in columns)
        _, first, place = np.unique(route, return_index=True, return_inverse=True)
        return cls(path[first], gateway[first], place, link)

    def strongest(self, uses: Uses, links: Collection[int] | None) -> dict[int, GatewayUse]:
        """Link id -> its use, of these links or of all."""
        route, link = self.step_route, self.step_link
        if links is not None:
            is_wanted = np.isin(link, np.array(sorted(links), np.int64))
            route, link = route[is_wanted], link[is_wanted]
        ranks = self._ranks(uses)[route]
        is_used = ranks < len(USES)
        found, place = np.unique(link[is_used], return_inverse=True)
        best = np.full(len(found), len(USES), np.int8)
        np.minimum.at(best, place, ranks[is_used])
        return {ident: USES[rank] for ident, rank in zip(found.tolist(), best.tolist(), strict=True)}

    def _ranks(self, uses: Uses) -> NDArray[np.int8]:
        """The place in `USES` of each route's gateway; `len(USES)`: the path does not use it."""
        found = np.full(len(self.path), len(USES), np.int8)
        if not len(uses) or not len(found):
            return found
        many = max(int(self.gateway.max()), int(uses["gateway"].max())) + 1
        known, wanted = uses["path"] * many + uses["gateway"], self.path * many + self.gateway
        place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        is_known = known[place] == wanted
        found[is_known] = uses["use"][place[is_known]]
        return found


_kept: RecentSites[tuple[Counts, _Routes]] = RecentSites()


_ROUTE_TABLES = {"policy_pathroute"}


def _kept_routes(site: Site) -> _Routes | None:
    """None, without a query the next time, if routes were stored since."""
    if (known := _kept.get(site.pk)) is None:
        return None
    if known[0] == change_counters.read(_ROUTE_TABLES):
        return known[1]
    _kept.drop(site.pk)
    return None


def _routes(site: Site) -> _Routes:
    """Read again after routes were stored, which follows each change of a site's links or policies."""
    version = change_counters.read(_ROUTE_TABLES)
    if (known := _kept.get(site.pk)) is not None and known[0] == version:
        return known[1]
    found = _Routes.read(site)
    _kept.put(site.pk, (version, found), len(found.path))
    return found


def _ranked(site: Site, now: datetime, only: Q) -> QuerySet[Any]:
    """Paths through each of their gateways with `rank`, that of the use of the gateway."""
    rows = PathRoute.objects.filter(only, path__policy__site=site)
    rows = with_use_facts(
        rows, site, now, path="path__", gateway="gateway", probe_interval="path__policy__probe_interval_ms"
    ).filter(Q(is_own=True) | Q(is_in_use=True))
    unknown = When(is_own=False, then=Value(_RANKS["unknown"]))
    ranked: QuerySet[Any] = rows.annotate(rank=Case(unknown, default=rank_case(GATEWAY_USES, _RANKS)))
    return ranked
