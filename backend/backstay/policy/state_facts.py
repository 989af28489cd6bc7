"""Facts of paths for the tables of `core.model.state`, as SQL.

`prefix` is the relation from the queried model to the path, with `__`; empty for paths themselves.
`PathState.facts` computes the same for one path.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db.models import (
    BooleanField,
    DateTimeField,
    DurationField,
    F,
    Func,
    IntegerField,
    Model,
    Q,
    QuerySet,
    Value,
)
from django.db.models.expressions import Combinable, Expression, ExpressionWrapper
from django.db.models.functions import Cast, Greatest, Least

from backstay.core.model.freshness import path_repeat_s
from backstay.core.model.state import END_TO_END, STANDBYS
from backstay.core.thresholds import PATH_REPEAT_PROBES, PATH_REPEAT_S, PATH_STALE_AFTER_REPEATS
from backstay.inventory.models import Site
from backstay.inventory.state_sql import fact, freshness, state_case

M = TypeVar("M", bound=Model)


def end_to_end_facts(
    site: Site, now: datetime, prefix: str = "", *, probe_interval: str = "policy__probe_interval_ms"
) -> dict[str, Expression]:
    """Facts of `END_TO_END`, by name. `probe_interval`: the column of the policy's interval in milliseconds.

    Paths have `target_alive` already.
    """
    facts: dict[str, Expression] = {
        **currency_facts(site, now, prefix, probe_interval=probe_interval),
        "has_route": fact(~Q(**{f"{prefix}active_text": ""})),
        "gateway_alive": reported(F(f"{prefix}liveness"), F(f"{prefix}active_text"), "alive"),
    }
    if prefix:
        target_alive = ExpressionWrapper(F(f"{prefix}target_alive"), output_field=BooleanField(null=True))
        facts["target_alive"] = target_alive
    return facts


def currency_facts(
    site: Site, now: datetime, prefix: str = "", *, probe_interval: str = "policy__probe_interval_ms"
) -> dict[str, Expression]:
    """Those facts of `END_TO_END` that say whether the path's last report counts, by name."""
    return {
        "is_observed": fact(Q(**{f"{prefix}at__isnull": False})),
        "is_fresh": freshness(f"{prefix}node__state__last_reported_at", site, now),
        "is_recent": fact(Q(**{f"{prefix}at__gte": _oldest(site, now, probe_interval)})),
    }


def reported(liveness: Combinable, gateway: Combinable, name: str) -> Expression:
    """A fact that a path's node reported of a gateway: true, false or NULL."""
    value = Func(liveness, gateway, Value(name), function="jsonb_extract_path_text")
    return Cast(value, BooleanField(null=True))


def with_use_facts(
    rows: QuerySet[M], site: Site, now: datetime, *, path: str, gateway: str, probe_interval: str
) -> QuerySet[Any]:
    """Rows of a path and a gateway with the facts of `GATEWAY_USES`, `alive`, and whether the path `is_own`.

    `path`: prefix of the path's columns, with `__`; `gateway`: the gateway's column. A gateway that is not in
    the path's own order has no use.
    """
    liveness, name = F(f"{path}liveness"), F(f"{gateway}__name")
    place = Func(
        F(f"{path}order"), F(f"{gateway}_id"), function="array_position", output_field=IntegerField(null=True)
    )
    own = Func(F(f"{path}order"), function="cardinality", output_field=IntegerField(null=True))
    facts: QuerySet[Any] = rows.alias(
        **end_to_end_facts(site, now, path, probe_interval=probe_interval),
        place=place,
        own=own,
        alive=reported(liveness, name, "alive"),
        forwards=reported(liveness, name, "forwards"),
        is_in_use=fact(Q(**{f"{gateway}_id": F(f"{path}active_id")})),
    )
    known: QuerySet[Any] = facts.alias(
        is_own=fact(Q(own__isnull=True) | Q(own=0) | Q(place__isnull=False)),
        end_to_end=state_case(END_TO_END),
        standby=state_case(STANDBYS),
    )
    return known


def path_repeat(site: Site, probe_interval: str) -> Expression:
    """`core.model.freshness.path_repeat_s` as a duration."""
    a_probe = Value(timedelta(milliseconds=PATH_REPEAT_PROBES))
    longest_ms = round(PATH_REPEAT_S * 1000)
    probes = ExpressionWrapper(Least(F(probe_interval), longest_ms) * a_probe, output_field=DurationField())
    return Greatest(probes, Value(timedelta(seconds=path_repeat_s(0, site.interval_s))))


def _oldest(site: Site, now: datetime, probe_interval: str) -> Expression:
    """Time of the oldest report that still counts: `core.model.freshness.path_max_age_s`."""
    age = path_repeat(site, probe_interval) * Value(PATH_STALE_AFTER_REPEATS)
    return ExpressionWrapper(Value(now) - age, output_field=DateTimeField())
