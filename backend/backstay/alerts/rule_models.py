"""Overrides of rules for parts of a site, and the limits that people set on device metrics."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from backstay.core.alerting.overrides import OverrideScope, ScopedOverride
from backstay.inventory.models import Site

ORIGIN = "Who owns it: file (the site file), operator"


class RuleOverride(models.Model):
    """Parameters, severity or enablement of a rule for a part of a site; those of the site are in
    `SiteRule`."""

    rule = models.ForeignKey("alerts.SiteRule", on_delete=models.CASCADE, related_name="overrides")
    scope: models.CharField[OverrideScope, OverrideScope] = models.CharField(
        max_length=8, help_text="fabric, role, label or port"
    )
    match = models.CharField(max_length=300, help_text="`css`, `compute`, `rack=a1`, `grf1:ga030`")
    enabled = models.BooleanField(null=True, help_text="null: as the less specific")
    severity = models.CharField(max_length=8, blank=True, help_text="Empty: as the less specific")
    parameters = models.JSONField(default=dict, help_text="{name: value}; missing: as the less specific")
    origin = models.CharField(max_length=8, default="operator", help_text=ORIGIN)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rule", "scope", "match"], name="one_override_per_match")
        ]

    def value(self) -> ScopedOverride:
        """As the core sees it."""
        return ScopedOverride(self.scope, self.match, self.enabled, self.severity or None, self.parameters)


class MetricLimit(models.Model):
    """A limit on a device metric; the rule `metric_limit` reads it. Of a counter: on its growth per
    second."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="metric_limits")
    name = models.SlugField(max_length=50)
    metric = models.CharField(max_length=128, help_text="A name of backstay_wire.METRICS with numbers")
    subject = models.CharField(
        max_length=128, blank=True, help_text="Shell pattern of ports or parts; empty: all"
    )
    role = models.CharField(max_length=32, blank=True, help_text="Only nodes of this role; empty: all")
    labels = models.JSONField(default=dict, help_text="{name: value}: only nodes with all of them")
    above = models.BooleanField(help_text="Whether a value above the limit is wrong; otherwise one below it")
    raise_at = models.FloatField(help_text="In the metric's unit; of a counter per second")
    clear_at = models.FloatField(help_text="An incident resolves once the value is on the other side of this")
    for_s = models.FloatField(help_text="The value is beyond the limit for so long before an incident opens")
    severity = models.CharField(max_length=8)
    enabled = models.BooleanField(default=True)
    origin = models.CharField(max_length=8, default="operator", help_text=ORIGIN)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["site", "name"], name="metric_limit_name_per_site")]
