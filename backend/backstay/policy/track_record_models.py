"""Failovers of gateways compared with what the capacity study predicted for them before they happened."""

from __future__ import annotations

from django.db import models

from backstay.inventory.models import Site


class PredictionCheck(models.Model):
    """One failover of one gateway: the loads that were predicted, and those that were measured."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="prediction_checks")
    gateway = models.CharField(max_length=128, help_text="Name, as the nodes reported it")
    drill_id = models.BigIntegerField(null=True, help_text="Drill that caused it; null: none did")
    started_at = models.DateTimeField(help_text="First switch of a node away from the gateway")
    last_switch_at = models.DateTimeField(help_text="Newest of these switches")
    ended_at = models.DateTimeField(null=True, help_text="First return of a node; null: none is known")
    moved_nodes = models.PositiveIntegerField(default=0, help_text="Paths that moved away from it")
    predicted_at = models.DateTimeField(null=True, help_text="Time of the study's loads; null: no prediction")
    verdict = models.CharField(max_length=16, blank=True, help_text="Of the prediction; empty: none")
    expected = models.JSONField(default=dict, help_text="{policy: nodes that would move}")
    links = models.JSONField(
        default=list, help_text="Links that would gain load: `LaneLoadOut` of capacity, and the measurement"
    )
    state = models.CharField(
        max_length=12,
        default="pending",
        choices=[("pending", "pending"), ("measured", "measured"), ("not_measured", "not_measured")],
    )
    reason = models.TextField(blank=True, help_text="Why it was not measured")
    measured_at = models.DateTimeField(null=True, help_text="Newest of the samples that were compared")
    median_error = models.FloatField(null=True, help_text="Share of the usable rate, without sign")
    worst_error = models.FloatField(null=True, help_text="Share of the usable rate, without sign")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["site", "gateway", "started_at"], name="prediction_check_once")
        ]
        indexes = [
            models.Index(fields=["site", "-started_at"], name="prediction_check_newest"),
            models.Index(fields=["started_at"], name="prediction_check_age"),
        ]
