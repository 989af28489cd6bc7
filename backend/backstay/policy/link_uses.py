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
from backstay.inventory.state_sql import rank_case
from backstay.policy.models import PathRoute
from backstay.policy.state_facts import with_use_facts

_RANKS = {use: rank for rank, use in enumerate(get_args(GatewayUse))}


def link_uses(site: Site, now: datetime, links: Collection[int] | None = None) -> dict[int, GatewayUse]:
    """Link id -> its use, of these links or of all; missing: no policy uses it. One query."""
    rows = _uses(site, now) if links is None else _uses(site, now, Q(links__overlap=list(links)))
    found = rows.values_list("key", "value")
    return {link: use for link, use in found if links is None or link in links}


def with_carries(rows: QuerySet[Link], site: Site, now: datetime) -> QuerySet[Link]:
    """Links with `carries`: their use, or `none`."""
    return with_looked_up(rows, "carries", _uses(site, now), default="none")


def _uses(site: Site, now: datetime, only: Q | None = None) -> QuerySet[Any]:
    """Rows of `key`, a link's id, and `value`, its strongest use."""
    rows = PathRoute.objects.filter(only or Q(), path__policy__site=site)
    rows = with_use_facts(
        rows, site, now, path="path__", gateway="gateway", probe_interval="path__policy__probe_interval_ms"
    ).filter(Q(is_own=True) | Q(is_in_use=True))
    rank = Case(When(is_own=False, then=Value(_RANKS["unknown"])), default=rank_case(GATEWAY_USES, _RANKS))
    link = Func("links", function="unnest", output_field=BigIntegerField())
    ranked = rows.order_by().annotate(key=link).values("key")
    return ranked.annotate(value=_Use(Min(rank), output_field=CharField())).values("key", "value")


class _Use(Func):
    """The name of a rank."""

    template = f"(ARRAY[{', '.join(repr(use) for use in _RANKS)}])[%(expressions)s + 1]"
