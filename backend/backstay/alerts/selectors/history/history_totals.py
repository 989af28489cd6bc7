"""Switches and outages of a range in the past, added up by policy: a failover of many paths is one row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Min, Q
from django.db.models.functions import Coalesce

from backstay.inventory.models import Site
from backstay.policy.models import PathOutage, PathSwitch
from backstay.policy.path_history import measured_ms


@dataclass(frozen=True, slots=True)
class SwitchTotal:
    """Switches of the paths of one policy from one gateway to another."""

    policy_id: int
    from_gateway: str
    to_gateway: str
    """Empty: no route."""
    switches: int
    paths: int
    first_at: datetime
    last_at: datetime
    longest_ms: float | None
    """Longest outage of a switch; None: none was measured."""


@dataclass(frozen=True, slots=True)
class OutageSum:
    """Outages of the paths of one policy."""

    policy_id: int
    outages: int
    paths: int
    ongoing: int
    """Those that were not over at the end of the range."""
    first_at: datetime
    longest_ms: float | None
    """Longest of those that were over; None: none was."""


def switch_totals(site: Site, start: datetime, end: datetime) -> Sequence[SwitchTotal]:
    """After `start`, until `end`; the newest first. One query."""
    rows = PathSwitch.objects.filter(path__policy__site=site, at__gt=start, at__lte=end).order_by()
    totals = rows.values_list("path__policy_id", "from_gateway", "to_gateway").annotate(
        Count("pk"), Count("path", distinct=True), Min("at"), Max("at"), Max("outage_ms")
    )
    found = [SwitchTotal(*row) for row in totals]
    return sorted(found, key=lambda item: (item.last_at, item.policy_id, item.to_gateway), reverse=True)


def outage_sums(site: Site, start: datetime, end: datetime) -> Sequence[OutageSum]:
    """Of outages that lasted at some time of the range; ongoing ones first, then the longest. One query."""
    is_over = Q(end__lte=end)
    rows = PathOutage.objects.filter(
        Q(end=None) | Q(end__gt=start), path__policy__site=site, start__lte=end
    ).order_by()
    totals = rows.values_list("path__policy_id").annotate(
        outages=Count("pk"),
        paths=Count("path", distinct=True),
        ongoing=Count("pk", filter=~is_over),
        first=Min(Coalesce("earlier_start", "start")),
        longest=Max(measured_ms(), filter=is_over),
    )
    found = [OutageSum(*row) for row in totals]
    return sorted(found, key=lambda item: (-item.ongoing, -(item.longest_ms or 0.0), item.policy_id))
