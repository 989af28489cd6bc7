"""Reads of stored forecasts, and the chart of one of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np
from django.db.models import Count, Q, QuerySet

from backstay.core.formatting import part_of
from backstay.core.model.history import Floats
from backstay.core.planning.forecast.exhaustion import HISTORY_DAYS, HORIZON_DAYS, TrendLine, is_stale
from backstay.core.planning.forecast.trend import Trends
from backstay.core.rollups.bins import Ints
from backstay.inventory import snapshot
from backstay.inventory.models import Site
from backstay.telemetry.forecast_models import FORECAST_STATES, ForecastRun, LinkForecast
from backstay.telemetry.forecasts.load_history import day_loads
from backstay.telemetry.forecasts.services import first_day, newest_day


@dataclass(frozen=True, slots=True)
class ForecastSummary:
    """All forecasts of a site."""

    run: ForecastRun | None
    counts: dict[str, int]
    """State -> link directions."""
    newest: date
    """The newest complete day."""

    @property
    def is_stale(self) -> bool:
        """Whether not all forecasts are recent."""
        return self.run is None or is_stale(self.run.day, self.newest)

    @property
    def headline(self) -> str:
        """`2 of 14 link directions are full within a year, 1 is saturated; 3 without a forecast`."""
        total = sum(self.counts.values())
        if not total:
            return "No forecast has been computed yet"
        if self.is_stale:
            return "The forecasts are too old to rely on"
        parts = [f"{part_of(self.counts['within_year'], total, 'link direction')} will be full within a year"]
        if saturated := self.counts["saturated"]:
            parts.append(f"{saturated} saturated")
        if unknown := self.counts["unknown"]:
            parts.append(f"{unknown} without a forecast")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class ForecastChart:
    """Days of one direction: parallel lists; bit/s, None: unknown, or no forecast."""

    days: list[date]
    values: list[int | None]
    trend: list[int | None]
    low: list[int | None]
    high: list[int | None]


def forecast_summary(site: Site, now: datetime) -> ForecastSummary:
    """Two queries."""
    rows = LinkForecast.objects.filter(link__site=site).order_by().values("state")
    known = {row["state"]: row["number"] for row in rows.annotate(number=Count("pk"))}
    counts = {state: known.get(state, 0) for state in FORECAST_STATES}
    return ForecastSummary(ForecastRun.objects.filter(site=site).first(), counts, newest_day(now))


def link_forecasts(
    site: Site,
    *,
    state: str | None = None,
    fabric: str | None = None,
    node: str | None = None,
    text: str | None = None,
) -> QuerySet[LinkForecast]:
    """Forecasts of link directions; `node` matches either end, `text` looks into the links' names."""
    rows = LinkForecast.objects.filter(link__site=site).select_related("link")
    if state is not None:
        rows = rows.filter(state=state)
    if fabric is not None:
        rows = rows.filter(link__fabric__name=fabric)
    if node is not None:
        rows = rows.filter(Q(link__a__node__name=node) | Q(link__b__node__name=node))
    return rows.filter(link__label__icontains=text) if text else rows


def link_forecast(ident: int) -> LinkForecast | None:
    """With its site."""
    return LinkForecast.objects.select_related("link__site").filter(pk=ident).first()


def forecast_chart(row: LinkForecast) -> ForecastChart:
    """Daily values, the trend with its interval, and how both go on until the horizon."""
    topology, first = snapshot.load(row.link.site), first_day(row.day)
    link = topology.links.get(row.link_id)
    values = np.full(HISTORY_DAYS, np.nan)
    if link is not None:
        values = day_loads(topology, [link], first, HISTORY_DAYS)[0, int(row.is_back)]
    known = np.nonzero(~np.isnan(values))[0]
    start = int(known[0]) if len(known) else HISTORY_DAYS - 1
    ahead = HORIZON_DAYS if row.line else 0
    columns = np.arange(start, HISTORY_DAYS + ahead)
    unknown = np.full(len(columns), np.nan)
    trend, margin = (unknown, unknown) if row.line is None else _trend(TrendLine(**row.line), columns)
    return ForecastChart(
        days=[first + timedelta(days=column) for column in columns.tolist()],
        values=_rates(np.concatenate([values[start:], np.full(ahead, np.nan)])),
        trend=_rates(trend),
        low=_rates(np.maximum(trend - margin, 0)),
        high=_rates(trend + margin),
    )


def _trend(line: TrendLine, columns: Ints) -> tuple[Floats, Floats]:
    one = Trends(
        *(
            np.array([part], np.float64)
            for part in (
                line.center,
                line.level,
                line.slope,
                line.weekdays,
                line.noise,
                line.count,
                line.spread,
            )
        )
    )
    return np.maximum(one.at(columns)[0], 0), one.margins(columns)[0]


def _rates(values: Floats) -> list[int | None]:
    return [None if np.isnan(value) else round(float(value)) for value in values]
