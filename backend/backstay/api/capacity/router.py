"""Capacity: whether the fallback holds under every failure."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import BaseModel, Field

from backstay.api.capacity.present import failure_listed, failure_out, status_out, what_if_out
from backstay.api.capacity.schemas import CapacityFailures, FailureKind, FailureOut, WhatIf
from backstay.api.http.auth import Lookup, reader, site_of
from backstay.api.http.list_query import Column, Id, ListQuery, Text, past_at
from backstay.api.http.rate_limit import RateLimit
from backstay.api.http.response_cache import SharedResponses, is_large
from backstay.api.http.schemas import READ
from backstay.core.errors import Invalid
from backstay.core.planning.whatif.fallback_verdict import FallbackVerdict
from backstay.inventory import snapshot
from backstay.inventory.standby_reads import reads_standby
from backstay.policy.capacity_results import capacity_failure, capacity_failures, fallback_summary
from backstay.rollout.capacity.evaluation import study
from backstay.rollout.capacity.failure_groups import failure_named
from backstay.rollout.capacity.measured import capacity_inputs
from backstay.rollout.capacity.records import Recorder
from backstay.rollout.capacity.worst_hour import worst_hour

if TYPE_CHECKING:
    from backstay.inventory.models import Site

router = Router(tags=["capacity"])
_failure = Lookup("failure", capacity_failure, lambda row: row.result.site)
_what_ifs = SharedResponses[WhatIf]()
_calls = RateLimit(burst=30, per_s=5.0)
"""Of one user: a dragged slider makes a few calls a second, and each is computed."""
MOST_DEAD = 100
SORTS = {
    "rank": Column("rank"),
    "name": Column("name", natural=True),
    "kind": Column("kind"),
    "verdict": Column("verdict"),
    "since": Column("since"),
    "worst_utilisation": Column("worst_utilisation", nullable=True),
    "worst_packet_share": Column("worst_packet_share", nullable=True),
    "moved_nodes": Column("moved_nodes"),
    "moved_bps": Column("moved_bps"),
    "cut_off_nodes": Column("cut_off_nodes"),
    "cut_off_bps": Column("cut_off_bps"),
    "redundancy_lost": Column("redundancy_lost"),
    "growth_percent": Column("growth_percent", nullable=True),
}


class FailureQuery(ListQuery):
    """Filters of `list_capacity_failures`."""

    verdict: FallbackVerdict | None = None
    kind: FailureKind | None = None
    fallback: bool | None = Field(
        None, description="true: only failures that move traffic to another gateway or path"
    )
    shared: bool | None = Field(None, description="true: only shared risks; false: only single components")


class WhatIfQuery(BaseModel):
    """What fails, when, and how much the traffic grows."""

    site: Text | None = Field(None, description="Name of the site; default: the first site that you may see")
    dead: list[Text] = Field(
        default_factory=list,
        max_length=MOST_DEAD,
        description="`node:grf1`, `node:3`, `link:grf1:ga030`, `link:12`, `fabric:sp-switch`, `group:card3`;"
        " all fail at once",
    )
    growth: Annotated[float, Field(ge=-100, le=10_000)] = Field(0.0, description="Percent, of all traffic")
    at: Text | None = Field(
        None, description="A past moment, as `now-1h` or `2026-11-23T10:00:00Z`; default: now"
    )
    load: Literal["mean", "p95", "peak", "worst_hour"] = Field(
        "mean",
        description="mean: of the last minute; p95: of the last whole hour before; peak: the busiest second;"
        " worst_hour: the p95 of the hour of 30 days in which the gateways carried most, without `at`",
    )


@router.get("/capacity/n-1", response={200: CapacityFailures, **READ}, operation_id="list_capacity_failures")
def list_capacity_failures(request: HttpRequest, query: Query[FailureQuery]) -> CapacityFailures:
    """Every single failure of the newest study, the worst first: would the fallback hold?"""
    site = site_of(request, query.site)
    summary = fallback_summary(site, timezone.now())
    rows = capacity_failures(site, query.verdict, query.kind, query.fallback, query.q, shared=query.shared)
    shown, following = query.rows(rows, SORTS, "rank")
    return CapacityFailures(
        status=status_out(site, summary),
        items=[failure_listed(row, is_stale=summary.is_stale) for row in shown],
        next=following,
    )


@router.get("/capacity/n-1/{id}", response={200: FailureOut, **READ}, operation_id="get_capacity_failure")
def get_capacity_failure(request: HttpRequest, id: Id) -> FailureOut:  # noqa: A002  (the name in the path)
    """One stored failure: who moves where, and the load of each link before and after."""
    row = _failure(request, id)
    summary = fallback_summary(row.result.site, timezone.now())
    return failure_out(row, computed_at=row.result.computed_at, is_stale=summary.is_stale)


@router.get("/capacity/what-if", response={200: WhatIf, **READ}, operation_id="get_capacity_what_if")
@reads_standby
def get_capacity_what_if(request: HttpRequest, query: Query[WhatIfQuery]) -> WhatIf:
    """What would happen if these components failed together, now or at a past moment. Stores nothing."""
    site, client = site_of(request, query.site), reader(request).reader
    _calls.require(client)
    _calls.spend(client)
    now = timezone.now()
    at = past_at(query.at, now)
    if at is not None and query.load == "worst_hour":
        raise Invalid(
            "The worst hour has its own time.", fields={"at": "leave it out, or choose another load"}
        )
    is_shared = is_large(len(snapshot.load(site).nodes))
    key = (site.pk, tuple(sorted(query.dead)), query.growth, query.at, query.load)
    return _what_ifs.get(key, lambda: _what_if(site, query, now, at), is_shared=lambda _: is_shared)


def _what_if(site: "Site", query: WhatIfQuery, now: datetime, at: datetime | None) -> WhatIf:
    if query.load == "worst_hour":
        inputs = capacity_inputs(site, now, worst_hour(site, now), "p95")
    else:
        inputs = capacity_inputs(site, now, at, query.load)
    failed = failure_named(inputs.topology, inputs.risks, query.dead)
    found = study(site, inputs, query.growth / 100)
    return what_if_out(site, found, Recorder(inputs.topology), found.outcome(failed), query.growth)
