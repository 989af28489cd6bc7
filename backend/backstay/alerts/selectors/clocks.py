"""Clocks with their states, for lists: filtered and sorted in PostgreSQL."""

from __future__ import annotations

from datetime import datetime

from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Abs, Cast, Concat

from backstay.alerts.models import Incident
from backstay.alerts.selectors.incidents import CRITICAL, CURRENT
from backstay.core.diagnosis.clocks import SKEWED_S
from backstay.core.model.state import CLOCK_STATES
from backstay.inventory.models import Site
from backstay.inventory.state_sql import fact, freshness, state_case
from backstay.telemetry.models import ClockReading


def fingerprint(node_id: int) -> str:
    return f"clock:{node_id}"


def clocks(
    site: Site,
    now: datetime,
    *,
    node: str | None = None,
    source: str | None = None,
    state: str | None = None,
    text: str | None = None,
) -> QuerySet[ClockReading]:
    """Every reported clock with `status`, `distance_ms` and `drift_ppm`; `text` searches node names."""
    about = Concat(Value("clock:"), Cast(OuterRef("node_id"), CharField()))
    critical = Incident.objects.filter(CURRENT, CRITICAL, site=site, fingerprint=about)
    rows = ClockReading.objects.filter(site=site).select_related("node")
    rows = rows.alias(
        certain_ms=Abs("offset_ms") - F("error_ms"),
        is_fresh=freshness("node__state__last_reported_at", site, now),
        is_skewed=fact(Q(certain_ms__gt=SKEWED_S * 1000)),
        has_critical=Exists(critical),
    ).annotate(status=state_case(CLOCK_STATES), distance_ms=Abs("offset_ms"), drift_ppm=Abs("rate_ppm"))
    rows = rows if node is None else rows.filter(node__name=node)
    rows = rows if source is None else rows.filter(source=source)
    rows = rows if state is None else rows.filter(Q(status=state))
    return rows.filter(node__name__icontains=text) if text else rows
