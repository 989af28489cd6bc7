"""Neighbour tables by port with their states, for lists: filtered and sorted in PostgreSQL."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import (
    Case,
    CharField,
    Exists,
    F,
    FloatField,
    Func,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    Value,
    When,
)
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Cast, Coalesce, Concat, Greatest, Left, NullIf

from backstay.alerts.models import Incident
from backstay.alerts.selectors.incidents import CRITICAL, CURRENT
from backstay.core.diagnosis.neighbours import FAMILIES
from backstay.core.model.state import TABLE_STATES
from backstay.inventory.models import Site
from backstay.inventory.state_sql import freshness, rank_case
from backstay.telemetry.models import NeighbourPort

_GROWTH = """(
    SELECT greatest(newest.entries - earlier.entries, 0)
        / greatest(least(newest.at - earlier.at, %(window_s)s), 1)
    FROM jsonb_to_recordset(%(expressions)s) AS newest (at float8, entries integer)
    CROSS JOIN LATERAL (
        SELECT point.at, point.entries
        FROM jsonb_to_recordset(%(expressions)s) AS point (at float8, entries integer)
        WHERE point.at < newest.at
        ORDER BY newest.at - point.at < %(window_s)s,
            CASE WHEN newest.at - point.at < %(window_s)s THEN point.at ELSE -point.at END
        LIMIT 1
    ) AS earlier
    ORDER BY newest.at DESC LIMIT 1
)"""
"""New entries per second, as `core.diagnosis.neighbours.growth`."""


def neighbour_tables(
    site: Site, now: datetime, *, node: str | None = None, text: str | None = None
) -> QuerySet[NeighbourPort]:
    """A site's tables by port: `label` (`node:port`), `rank` (worst state first), `share` of the capacity,
    `growth` and `broadcasts` per second. `text` searches labels.
    """
    rows = NeighbourPort.objects.filter(node__site=site).alias(
        is_fresh=freshness("node__state__last_reported_at", site, now),
        has_critical=_has_incident(site, CRITICAL),
        has_warning=_has_incident(site, ~CRITICAL),
    )
    rows = rows.annotate(
        label=Concat("node__name", Value(":"), "port", output_field=TextField()),
        rank=rank_case(TABLE_STATES),
        share=Greatest(*(_share(family) for family in FAMILIES)),
        **_rates(now, 2 * site.interval_s),
    )
    rows = rows if node is None else rows.filter(node__name=node)
    return rows.filter(Q(label__icontains=text)) if text else rows


def _has_incident(site: Site, severity: Q) -> Exists:
    """An incident of the port's table, or of its device's tables."""
    flood = Left(Concat(Value("neighbour_flood:"), OuterRef("pk")), 200)
    device = [
        Concat(Value("neighbour_table:"), Cast(OuterRef("node_id"), CharField()), Value(f":{family}"))
        for family in FAMILIES
    ]
    about = Q(fingerprint=flood)
    for fingerprint in device:
        about |= Q(fingerprint=fingerprint)
    return Exists(Incident.objects.filter(CURRENT, severity, about, site=site))


def _share(family: str) -> CombinedExpression:
    return Cast(F(family), FloatField()) / NullIf(f"capacity_{family}", Value(0.0))


def _rates(now: datetime, window_s: float) -> dict[str, Case]:
    """As `core.diagnosis.neighbours.as_of`: no change and no broadcasts without a report in the window."""
    is_recent = Q(at__gte=now - timedelta(seconds=window_s))
    growth = Func("recent", template=_GROWTH, window_s=float(window_s), output_field=FloatField())
    return {
        "growth": Case(When(is_recent, then=Coalesce(growth, Value(0.0))), default=Value(0.0)),
        "broadcasts": Case(
            When(Q(broadcasts_per_s__isnull=True) | is_recent, then="broadcasts_per_s"), default=Value(0.0)
        ),
    }
