"""Reads of agents, people and their saved views."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from backstay.accounts.models import Agent, RoleGrant, SavedView, User


def agents(site: str) -> QuerySet[Agent]:
    """A site's agents, revoked ones included."""
    return Agent.objects.filter(site=site)


def silent_agents(site: str, oldest: datetime) -> list[Agent]:
    """Active agents whose last report is older, or that never reported."""
    silent = Q(last_reported_at=None) | Q(last_reported_at__lt=oldest)
    return list(agents(site).filter(silent, revoked_at=None))


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


def saved_views(
    person: User,
    site: str,
    *,
    list_name: str | None = None,
    shared: bool | None = None,
    text: str | None = None,
) -> QuerySet[SavedView]:
    """The person's own views of the site's lists, and those that are shared; `text` is in their name."""
    known = SavedView.objects.filter(Q(is_shared=True) | Q(owner=person), site=site)
    wanted = {"list_name": list_name, "is_shared": shared, "name__icontains": text or None}
    known = known.filter(**{name: value for name, value in wanted.items() if value is not None})
    return known.select_related("owner")


def saved_view(person: User, ident: int) -> SavedView | None:
    """A view that is the person's own or shared."""
    mine = Q(is_shared=True) | Q(owner=person)
    return SavedView.objects.filter(mine, pk=ident).select_related("owner").first()
