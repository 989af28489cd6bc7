"""Forecasts for clients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backstay.api.forecasts.schemas import ForecastCounts, ForecastListed, ForecastOut, ForecastStatus
from backstay.api.http.urls import forecast_url
from backstay.core.planning.forecast.exhaustion import is_stale

if TYPE_CHECKING:
    from datetime import date

    from backstay.api.http.schemas import State
    from backstay.core.model.topology import Topology
    from backstay.inventory.models import Site
    from backstay.telemetry.forecast_models import LinkForecast
    from backstay.telemetry.forecasts.selectors import ForecastChart, ForecastSummary

_STATES: dict[str, State] = {
    "saturated": "warning",
    "within_year": "warning",
    "not_within_year": "ok",
    "unknown": "unknown",
}


def status_out(site: Site, found: ForecastSummary) -> ForecastStatus:
    """Counts and one sentence."""
    run = found.run
    return ForecastStatus(
        site=site.name,
        headline=found.headline,
        day=None if run is None else run.day,
        computed_at=None if run is None else run.computed_at,
        is_stale=found.is_stale,
        error="" if run is None else run.error,
        failing_since=None if run is None else run.failing_since,
        counts=ForecastCounts(**found.counts),
    )


def forecast_listed(topology: Topology, row: LinkForecast, newest: date) -> ForecastListed:
    """A line of the list."""
    return ForecastListed(**_columns(topology, row, newest))


def forecast_out(topology: Topology, row: LinkForecast, newest: date, chart: ForecastChart) -> ForecastOut:
    """With its chart."""
    return ForecastOut(
        **_columns(topology, row, newest),
        days=chart.days,
        values=chart.values,
        trend=chart.trend,
        low=chart.low,
        high=chart.high,
    )


def _columns(topology: Topology, row: LinkForecast, newest: date) -> dict[str, Any]:
    start, end = _ends(topology, row)
    is_old = is_stale(row.day, newest)
    return {
        "id": row.pk,
        "link": row.link_id,
        "name": row.link.label,
        "is_back": row.is_back,
        "start": start,
        "end": end,
        "day": row.day,
        "is_stale": is_old,
        "forecast": row.state,
        "state": "unknown" if is_old else _STATES[row.state],
        "reason": row.reason,
        "current_bps": row.current_bps,
        "usable_rate": row.usable_rate or None,
        "utilisation": row.utilisation,
        "full_on": row.full_on,
        "earliest": row.earliest,
        "latest": row.latest,
        "error": row.error,
        "naive_error": row.naive_error,
        "url": forecast_url(row.pk),
    }


def _ends(topology: Topology, row: LinkForecast) -> tuple[str, str]:
    """Sender and receiver; empty: the link is gone from the topology."""
    link = topology.links.get(row.link_id)
    if link is None:
        return "", ""
    names = [
        (topology.fabrics if kind == "fabric" else topology.nodes)[ident].name
        for kind, ident in topology.ends(link)
    ]
    start, end = reversed(names) if row.is_back else names
    return start, end
