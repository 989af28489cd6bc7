"""Results of the minute's capacity study of a site: one row for the site, one for each single failure.

Only the newest result is kept: its rows are replaced, and end with their components. Failures are limited to
`MOST_FAILURES` a site, the worst first; the site's row counts all.
"""

from __future__ import annotations

from django.db import models

from backstay.inventory.models import Site

MOST_FAILURES = 5_000
GROUP = "group:"
"""Before the name of a shared risk, in keys of failures and where a component is named."""


class CapacityResult(models.Model):
    """The newest study of a site, and whether the last attempt failed."""

    site = models.OneToOneField(Site, on_delete=models.CASCADE, related_name="capacity_result")
    computed_at = models.DateTimeField(null=True, help_text="Time of the loads; null: never computed")
    checked_at = models.DateTimeField(
        null=True, help_text="Last time at which the result was computed, or its inputs were alike"
    )
    method = models.CharField(
        max_length=8,
        choices=[("policies", "policies"), ("ecmp", "ecmp"), ("none", "none")],
        default="none",
        help_text="none: the site has neither paths nor measured links",
    )
    counts = models.JSONField(
        default=dict,
        help_text="{fallbacks, failures: {holds, would_not_hold, unknown}, single_attached, stored}",
    )
    intact = models.JSONField(default=dict, help_text="The present state, as `CapacityFailure.detail`")
    carried_bps = models.BigIntegerField(default=0, help_text="Measured load of the links at gateways")
    unattributed_bps = models.BigIntegerField(default=0, help_text="The part of it that no flow explains")
    unknown_nodes = models.PositiveIntegerField(default=0, help_text="Nodes whose demand is unknown")
    cpu_ms = models.FloatField(default=0.0, help_text="Processor time of the last computation")
    inputs = models.JSONField(
        default=dict, help_text="Loads that it was computed from, and a digest of the rest"
    )
    advice = models.JSONField(
        default=dict,
        help_text="{items, failing, tried, skipped, further, error} of `rollout.capacity.advice`",
    )
    advised_at = models.DateTimeField(null=True, help_text="Time of the advice; null: never computed")
    error = models.TextField(blank=True, help_text="Of the last attempt; empty: it succeeded")
    failing_since = models.DateTimeField(null=True, help_text="First attempt that failed; null: none")


class CapacityFailure(models.Model):
    """What one single failure would do."""

    result = models.ForeignKey(CapacityResult, on_delete=models.CASCADE, related_name="failures")
    key = models.CharField(
        max_length=128, help_text="`node:5`, `link:7`, `fabric:2`, `group:NAME` of a shared risk"
    )
    kind = models.CharField(max_length=8)
    name = models.CharField(max_length=300)
    verdict = models.CharField(max_length=16, help_text="holds, would_not_hold, unknown")
    since = models.DateTimeField(help_text="Since when it has this verdict")
    rank = models.PositiveSmallIntegerField(help_text="Order of lists: the worst first")
    reason = models.TextField()
    has_fallback = models.BooleanField(help_text="Whether traffic moves, or should move, elsewhere")
    worst_link = models.BigIntegerField(null=True, help_text="Fullest link that gains load")
    worst_utilisation = models.FloatField(null=True)
    worst_gateway = models.BigIntegerField(
        null=True, help_text="Node that gains traffic and is nearest to its limit of packets/s"
    )
    worst_packet_share = models.FloatField(null=True, help_text="Its packet rate as a share of this limit")
    moved_nodes = models.PositiveIntegerField(default=0)
    moved_bps = models.BigIntegerField(default=0)
    cut_off_nodes = models.PositiveIntegerField(default=0)
    cut_off_bps = models.BigIntegerField(default=0)
    redundancy_lost = models.PositiveIntegerField(default=0)
    growth_percent = models.FloatField(null=True)
    detail = models.JSONField(help_text="`rollout.capacity.records`: moves, loads and names, limited")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["result", "key"], name="capacity_failure_once")]
        indexes = [models.Index(fields=["result", "rank", "id"], name="capacity_failure_worst")]

    @property
    def is_shared_risk(self) -> bool:
        """Whether several components fail together."""
        return self.key.startswith(GROUP)
