"""Wallboards and the digests of their tokens."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from backstay.inventory.models import Site


class Wallboard(models.Model):
    """A screen without a signed-in person: its token reads one site. Only a digest of the token is kept."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="wallboards")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token, hex")
    pages = models.JSONField(help_text="core.alerting.wallboard.WallboardPage, in the order of the rotation")
    seconds = models.PositiveSmallIntegerField(help_text="For which each page is shown")
    theme = models.CharField(max_length=16, help_text="core.alerting.wallboard.WallboardTheme")
    text_size = models.CharField(max_length=16, help_text="core.alerting.wallboard.TextSize")
    expires_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, help_text="Last use, to the minute")
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["site", "name"], condition=Q(revoked_at__isnull=True), name="wallboard_once"
            )
        ]
        indexes = [
            models.Index(fields=["revoked_at"], condition=Q(revoked_at__isnull=False), name="wallboard_age")
        ]
