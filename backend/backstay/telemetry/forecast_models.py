"""Forecasts of when links are full: one row for the site, one for each direction of a link."""

from __future__ import annotations

from django.db import models

from backstay.inventory.models import Link, Site

FORECAST_STATES = ("saturated", "within_year", "not_within_year", "unknown")


class ForecastRun(models.Model):
    """The newest computation of a site's forecasts, and whether the last attempt failed."""

    site = models.OneToOneField(Site, on_delete=models.CASCADE, related_name="forecast_run")
    day = models.DateField(null=True, help_text="Newest day of all its forecasts (UTC); null: never complete")
    computed_at = models.DateTimeField(null=True, help_text="When the last of them was computed")
    cpu_ms = models.FloatField(default=0.0, help_text="Processor time of the last task")
    error = models.TextField(blank=True, help_text="Of the last attempt; empty: it succeeded")
    failing_since = models.DateTimeField(null=True, help_text="First attempt that failed; null: none")


class LinkForecast(models.Model):
    """When one direction of a link is full."""

    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="forecasts")
    is_back = models.BooleanField(help_text="From end b to end a")
    day = models.DateField(help_text="Newest day on which it rests (UTC)")
    usable_rate = models.BigIntegerField(help_text="bit/s at the time; 0: unknown")
    state = models.CharField(max_length=16, choices=[(state, state) for state in FORECAST_STATES])
    reason = models.CharField(max_length=200, blank=True, help_text="Why it is unknown; empty: it is not")
    current_bps = models.BigIntegerField(null=True, help_text="Median of the last week's daily values")
    utilisation = models.FloatField(null=True, help_text="`current_bps` as a share of the usable rate")
    full_on = models.DateField(null=True, help_text="Saturated: `day`; null: not within a year, or unknown")
    earliest = models.DateField(null=True, help_text="Interval of 80 %; null: not within a year")
    latest = models.DateField(null=True, help_text="null: there is no date")
    error = models.FloatField(null=True, help_text="Mean absolute percentage error of the back-test, 0..1")
    naive_error = models.FloatField(null=True, help_text="The same of the last week's median")
    line = models.JSONField(null=True, help_text="`core.planning.forecast.exhaustion.TrendLine`")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["link", "is_back"], name="link_forecast_once")]
