"""Rules of a site, incidents and their flips."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from backstay.core.model.progress import Phase
from backstay.inventory.models import Link, Node, Site
from backstay.policy.models import Path


class SiteRule(models.Model):
    """One rule of `alerts.rules` at one site, with the site's parameters."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="rules")
    kind = models.CharField(max_length=32, help_text="A key of alerts.rules.RULES")
    enabled = models.BooleanField(default=True)
    severity = models.CharField(
        max_length=8,
        blank=True,
        default="",
        db_default="",
        help_text="Of all its incidents; empty: the rule's",
    )
    parameters = models.JSONField(
        default=dict, help_text="{name: value}, where they differ from the defaults"
    )
    origin = models.CharField(
        max_length=8,
        default="operator",
        db_default="operator",
        help_text="Who changed it last: file, operator",
    )
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    changed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["site", "kind"], name="rule_per_site")]


class Incident(models.Model):
    """One problem of one object, from detection to resolution."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="incidents")
    rule = models.ForeignKey(SiteRule, on_delete=models.PROTECT, related_name="incidents")
    fingerprint = models.CharField(max_length=200, help_text="Rule, object and direction")
    phase = models.CharField(max_length=16, choices=[(phase.value, phase.name.title()) for phase in Phase])
    severity = models.CharField(max_length=8, help_text="Of the incident and its effects: the worst")
    own_severity = models.CharField(max_length=8, help_text="Of the finding alone")
    subject = models.CharField(max_length=300)
    title = models.CharField(max_length=300)
    detail = models.CharField(max_length=2000, blank=True)
    direction = models.CharField(max_length=8, blank=True, help_text="Direction of a link: forward or back")
    node = models.ForeignKey(Node, null=True, on_delete=models.SET_NULL, related_name="incidents")
    link = models.ForeignKey(Link, null=True, on_delete=models.SET_NULL, related_name="incidents")
    paths = models.ManyToManyField(Path, related_name="incidents")
    cause = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="effects")
    value = models.FloatField(null=True)
    threshold = models.FloatField(null=True)
    peak_title = models.CharField(max_length=300, blank=True, help_text="Title at the largest value so far")
    peak_value = models.FloatField(null=True)
    affected = models.JSONField(
        default=dict,
        help_text="{dead_paths, rerouted_paths, standby_paths, links, nodes}: ids; of a root cause",
    )
    evidence = models.JSONField(default=list, help_text="[{source, text, at, by, supports}]")
    bad = models.PositiveIntegerField(default=0, help_text="Consecutive samples above raise_at")
    good = models.PositiveIntegerField(default=0, help_text="Consecutive samples below clear_at while open")
    judged_at = models.DateTimeField(null=True, help_text="End of the newest evaluated sample")
    is_waiting = models.BooleanField(
        default=False, db_default=False, help_text="Pending only until its root cause is known"
    )
    found_at = models.DateTimeField(null=True, help_text="First evaluation that found it")
    opened_at = models.DateTimeField(help_text="First finding")
    last_seen = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True)
    acknowledged_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    acknowledged_at = models.DateTimeField(null=True)
    comment = models.CharField(max_length=2000, blank=True, help_text="Of the acknowledgement")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="owned_incidents"
    )
    snoozed_until = models.DateTimeField(null=True, help_text="No notifications until then")
    snoozed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    seen_severity = models.CharField(
        max_length=8,
        blank=True,
        db_default="",
        help_text="Severity at its acknowledgement or snooze: a worse one reopens it",
    )
    is_suppressed = models.BooleanField(
        default=False, db_default=False, help_text="Pending only until its maintenance window ends"
    )
    returns = models.PositiveIntegerField(
        default=0, db_default=0, help_text="How often the condition came back"
    )
    flapping_since = models.DateTimeField(
        null=True, help_text="First occurrence, once it came back; `opened_at` is of the newest"
    )
    quiet_since = models.DateTimeField(
        null=True, help_text="The condition is over; it stays open in case it comes back"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["site", "fingerprint"],
                condition=~models.Q(phase="resolved"),
                name="one_unresolved_incident_per_object",
            )
        ]
        indexes = [
            models.Index(fields=["site", "phase", "-opened_at"], name="incident_newest"),
            models.Index(fields=["site", "resolved_at"], name="incident_resolved"),
            models.Index(
                fields=["snoozed_until"],
                name="incident_snoozed",
                condition=models.Q(snoozed_until__isnull=False),
            ),
        ]


class Flip(models.Model):
    """One transition of an incident, recorded as a row.

    The flips are the outbox of notifications: `processed_at` is when `notify.outbox` has read it.
    """

    incident = models.ForeignKey(Incident, on_delete=models.CASCADE, related_name="flips")
    from_phase = models.CharField(max_length=16)
    to_phase = models.CharField(max_length=16)
    at = models.DateTimeField()
    actor = models.CharField(max_length=150, blank=True, help_text="Name of a person; empty: a rule")
    comment = models.CharField(max_length=2000, blank=True)
    processed_at = models.DateTimeField(null=True, db_index=True)


class IncidentComment(models.Model):
    """What a person wrote about an incident."""

    incident = models.ForeignKey(Incident, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    author_name = models.CharField(max_length=150, help_text="Stays when the user is deleted")
    text = models.CharField(max_length=2000)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["incident", "at"], name="comments_of_incident")]


class SiteRound(models.Model):
    """The newest round of a site: shows whether its rules are evaluated."""

    site = models.OneToOneField(Site, on_delete=models.CASCADE, related_name="round")
    finished_at = models.DateTimeField()
    took_ms = models.FloatField()
    postponed = models.JSONField(
        default=list, help_text="Kinds of rules for which no time was left; the next round begins with them"
    )
    notified_at = models.DateTimeField(
        null=True,
        help_text="When the outbox last compared the site's incidents with what its routes reported",
    )


class EvaluationFailure(models.Model):
    """A part of a site's rounds that fails: a rule or a step. The row exists while it fails."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="evaluation_failures")
    part = models.CharField(max_length=32, help_text="A key of alerts.rules.RULES or of alerts.rounds.STEPS")
    text = models.CharField(max_length=300, help_text="Why it failed last")
    since = models.DateTimeField()
    failures = models.PositiveIntegerField(default=1, help_text="Consecutive failures")
    retry_at = models.DateTimeField(help_text="Rounds leave it out until then")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["site", "part"], name="evaluation_failure_once")]


class EvaluationMark(models.Model):
    """On which inputs all rules of a group were evaluated last at a site (`alerts.evaluation_marks`)."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="evaluation_marks")
    group = models.CharField(max_length=16, help_text="faults or samples")
    inputs = models.BinaryField(help_text="Digest of everything that their findings depend on")
    evaluated_at = models.DateTimeField()
    seen_at = models.DateTimeField(help_text="Newest round in which their incidents were seen")
    settled_at = models.DateTimeField(help_text="Before this, findings may follow by time alone")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["site", "group"], name="evaluation_mark_once")]


class Round(models.Model):
    """When all sites had been evaluated, and the ingest's last heartbeat: shows whether they run."""

    name = models.CharField(max_length=32, unique=True)
    finished_at = models.DateTimeField()
    took_ms = models.FloatField()
    resumed_at = models.DateTimeField(
        null=True, help_text="End of the last pause; time without reports counts from here"
    )


# Models of parts of this app, which refer to those above: Django finds what this module holds.
from backstay.alerts import rule_models  # noqa: E402, F401  (registers its models)
from backstay.alerts.notify.models import (  # noqa: E402
    Channel,
    Delivery,
    Notification,
    NotificationRoute,
    PushDevice,
    PushKey,
    ReportedIncident,
    Schedule,
)
from backstay.alerts.wallboards.models import Wallboard  # noqa: E402
from backstay.alerts.windows.models import CalendarFeed, MaintenanceTarget, MaintenanceWindow  # noqa: E402

__all__ = [
    "CalendarFeed",
    "Channel",
    "Delivery",
    "EvaluationFailure",
    "EvaluationMark",
    "Flip",
    "Incident",
    "IncidentComment",
    "MaintenanceTarget",
    "MaintenanceWindow",
    "Notification",
    "NotificationRoute",
    "PushDevice",
    "PushKey",
    "ReportedIncident",
    "Round",
    "Schedule",
    "SiteRound",
    "SiteRule",
    "Wallboard",
]
