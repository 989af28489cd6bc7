"""Reads of agents."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from backstay.accounts.models import Agent, RoleGrant, User


def agents(site: str) -> QuerySet[Agent]:
    """A site's agents, revoked ones included."""
    return Agent.objects.filter(site=site)


def active_agents(site: str) -> list[Agent]:
    return list(agents(site).filter(revoked_at=None))


def agent(ident: str | UUID) -> Agent | None:
    """Return the agent by its UUID; None if unknown or not a UUID."""
    try:
        return Agent.objects.filter(pk=UUID(str(ident))).first()
    except ValueError:
        return None


def active_agent(ident: UUID) -> Agent | None:
    return Agent.objects.filter(pk=ident, revoked_at__isnull=True).first()


def active_user(name: str) -> User | None:
    """The user with that name who may sign in."""
    return User.objects.filter(username=name, is_active=True).first()


def people_at(site: str) -> QuerySet[User]:
    """Active users who have a role at the site (`accounts.services.role_at`)."""
    granted = RoleGrant.objects.filter(user=OuterRef("pk"), site__in=["", site])
    return User.objects.filter(Q(is_superuser=True) | Exists(granted), is_active=True)
