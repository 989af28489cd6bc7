"""Who may do what: people with roles scoped to sites, API tokens, and the agents' identities."""

from __future__ import annotations

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models

from backstay.core.roles import Role

ROLE_CHOICES = [(role.value, role.name.title()) for role in Role]


class User(AbstractUser):
    """A person who signs in."""


class RoleGrant(models.Model):
    """A role for one person at one site, or at every site."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="grants")
    role = models.CharField(max_length=16, choices=ROLE_CHOICES)
    site = models.SlugField(blank=True, help_text="Site name; empty: all sites")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "site"], name="one_role_per_person_and_site")]


class ApiToken(models.Model):
    """A bearer token of the public API: acts as its owner, at most with `role`. Only a digest is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token, hex")
    role = models.CharField(max_length=16, choices=ROLE_CHOICES)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True, help_text="Last use, to the minute")
    expires_at = models.DateTimeField(null=True, db_index=True)


class SavedView(models.Model):
    """Filters, sort and columns of a list under a name: a person's own, or shared with the site."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="saved_views")
    site = models.SlugField()
    list_name = models.CharField(max_length=100, help_text="Path of the list in the API, such as `links`")
    name = models.CharField(max_length=100)
    is_shared = models.BooleanField(default=False, help_text="Everybody who may see the site may use it")
    filters = models.JSONField(default=dict, help_text="Query parameters of the list, without the sort")
    sort = models.CharField(max_length=100, blank=True)
    columns = models.JSONField(default=list, help_text="Ids of columns; empty: those of the page")
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["site", "list_name", "name"],
                condition=models.Q(is_shared=True),
                name="one_shared_view_per_name",
            ),
            models.UniqueConstraint(
                fields=["owner", "site", "list_name", "name"], name="one_view_per_owner_and_name"
            ),
        ]


class Agent(models.Model):
    """A host agent: its node, its public key, and its last self-report."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    site = models.SlugField()
    node = models.CharField(max_length=128, help_text="Name of its node")
    public_key = models.BinaryField(max_length=32, help_text="Raw Ed25519 public key, RFC 8032")
    version = models.CharField(max_length=128)
    enrolled_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True)
    last_reported_at = models.DateTimeField(null=True)
    clock_offset_ms = models.FloatField(null=True, help_text="Agent's clock minus ours in the last batch")
    spool_waiting = models.PositiveIntegerField(default=0)
    spool_dropped = models.PositiveBigIntegerField(default=0)
    reports_refused = models.PositiveBigIntegerField(
        default=0,
        db_default=0,
        help_text="Reports since enrolment that were refused, without repeated ones",
    )
    reports_sanitised = models.PositiveBigIntegerField(
        default=0, db_default=0, help_text="Reports since enrolment in which text was replaced or cut"
    )
    generation = models.PositiveBigIntegerField(default=1, help_text="Generation of its desired state")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["site", "node"],
                condition=models.Q(revoked_at__isnull=True),
                name="one_live_agent_per_node",
            )
        ]
        indexes = [
            models.Index(
                fields=["revoked_at"], condition=models.Q(revoked_at__isnull=False), name="agent_age"
            )
        ]


class EnrolmentToken(models.Model):
    """Lets one agent enrol for one node, within fifteen minutes. Only a digest is kept."""

    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token, hex")
    site = models.SlugField()
    node = models.CharField(max_length=128)
    created_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True)
    agent = models.ForeignKey(Agent, null=True, on_delete=models.CASCADE, help_text="Agent that used it")


class SignInAttempts(models.Model):
    """Failed attempts to sign in within a window, of a name, an address, both, or a device token."""

    key = models.CharField(max_length=32, primary_key=True, help_text="Digest of what is counted")
    failures = models.PositiveIntegerField()
    ends_at = models.DateTimeField(db_index=True, help_text="End of the window")
    succeeded_at = models.DateTimeField(null=True, help_text="Last sign-in of this name from this address")


class AgentNonce(models.Model):
    """A nonce that an agent has used to renew its credential, kept to reject replays."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="nonces")
    nonce = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["agent", "nonce"], name="nonce_once")]
