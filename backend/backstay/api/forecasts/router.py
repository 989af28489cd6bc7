"""Forecasts of exhaustion: when links are full."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.api.forecasts.present import forecast_listed, forecast_out, status_out
from backstay.api.forecasts.schemas import ForecastOut, Forecasts
from backstay.api.http.auth import Lookup, site_of
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ
from backstay.core.planning.forecast.exhaustion import ForecastState
from backstay.inventory import snapshot
from backstay.telemetry.forecasts.selectors import (
    forecast_chart,
    forecast_summary,
    link_forecast,
    link_forecasts,
)
from backstay.telemetry.forecasts.services import newest_day

router = Router(tags=["capacity"])
_forecast = Lookup("forecast", link_forecast, lambda row: row.link.site)
SORTS = {
    "full_on": Column("full_on", nullable=True),
    "name": Column("link__label", natural=True),
    "forecast": Column("state"),
    "current": Column("current_bps", nullable=True),
    "utilisation": Column("utilisation", nullable=True),
    "usable_rate": Column("usable_rate"),
    "error": Column("error", nullable=True),
}


class ForecastQuery(ListQuery):
    """Filters of `list_forecasts`."""

    forecast: ForecastState | None = None
    fabric: Text | None = None
    node: Text | None = None


@router.get("/capacity/forecast", response={200: Forecasts, **READ}, operation_id="list_forecasts")
def list_forecasts(request: HttpRequest, query: Query[ForecastQuery]) -> Forecasts:
    """When each direction of a link is full: those that fill soonest first."""
    site = site_of(request, query.site)
    summary = forecast_summary(site, timezone.now())
    rows = link_forecasts(site, state=query.forecast, fabric=query.fabric, node=query.node, text=query.q)
    shown, following = query.rows(rows, SORTS, "full_on")
    topology = snapshot.load(site)
    return Forecasts(
        status=status_out(site, summary),
        items=[forecast_listed(topology, row, summary.newest) for row in shown],
        next=following,
    )


@router.get("/capacity/forecast/{id}", response={200: ForecastOut, **READ}, operation_id="get_forecast")
def get_forecast(request: HttpRequest, id: Id) -> ForecastOut:  # noqa: A002  (the name in the path)
    """One forecast with its daily values, trend and interval."""
    row = _forecast(request, id)
    topology = snapshot.load(row.link.site)
    return forecast_out(topology, row, newest_day(timezone.now()), forecast_chart(row))
