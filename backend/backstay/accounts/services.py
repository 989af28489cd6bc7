"""What people may do, and their API tokens. The agents' side is in `agents.py`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from backstay.accounts.models import ApiToken, RoleGrant, User
from backstay.accounts.tokens import API_PREFIX, digest, new_token
from backstay.core.errors import Forbidden
from backstay.core.roles import Role

RANK: dict[str, int] = {role.value: rank for rank, role in enumerate(Role)}
"""Each role includes the ones before it."""
USED_AT_STEP = timedelta(minutes=1)


def role_at(user: User | AnonymousUser, site: str) -> Role | None:
    """Return the user's highest role at the named site; None without access."""
    if not isinstance(user, User) or not user.is_active:
        return None
    if user.is_superuser:
        return Role.ADMIN
    return _highest(user.grants.filter(site__in=["", site]))


def sites_of(user: User | AnonymousUser) -> set[str] | None:
    """Names of the sites that the user may see; None means every site."""
    if not isinstance(user, User) or not user.is_active:
        return set()
    sites = set(user.grants.values_list("site", flat=True))
    return None if user.is_superuser or "" in sites else sites


def require(user: User | AnonymousUser, site: str, role: Role, *, at_most: Role | None = None) -> None:
    """Raise Forbidden unless the user has at least `role` at the site.

    `at_most` is the role of the API token in use, which limits the user's role.
    """
    held = capped(role_at(user, site), at_most)
    if held is None or RANK[held] < RANK[role]:
        raise Forbidden(
            f"This needs the role {role.value} at {site}"
            + (f"; yours is {held.value}." if held else ".")
            + " Ask an administrator of the site."
        )


def capped(role: Role | None, at_most: Role | None) -> Role | None:
    """The lower of two roles."""
    if role is None or at_most is None:
        return role
    return min(role, at_most, key=lambda item: RANK[item])


def permissions_digest(user: User, at_most: Role | None) -> str:
    """Identifies what the user is allowed now, at every site, with this API token."""
    grants = sorted(user.grants.values_list("site", "role"))
    return hashlib.sha256(repr((user.is_superuser, at_most, grants)).encode()).hexdigest()


def _highest(grants: Iterable[RoleGrant]) -> Role | None:
    held = [Role(grant.role) for grant in grants]
    return max(held, key=lambda role: RANK[role], default=None)


def grant(user: User, role: Role, site: str = "") -> None:
    """Grant a role at one site, or at every site; replaces the previous role there."""
    RoleGrant.objects.update_or_create(user=user, site=site, defaults={"role": role})


def save_person(username: str, password: str, role: Role) -> User:
    """Create or update a user with that role at every site. Existing sessions survive if nothing changes."""
    user, _ = User.objects.get_or_create(username=username)
    if not user.check_password(password):
        user.set_password(password)
    user.is_active = True
    user.save()
    grant(user, role)
    return user


def create_api_token(user: User, name: str, role: Role, *, expires_at: datetime | None = None) -> str:
    """Create a token that acts as its owner, at most with `role`; only the digest is stored."""
    token = new_token(API_PREFIX)
    ApiToken.objects.create(user=user, name=name, role=role, digest=digest(token), expires_at=expires_at)
    return token


def api_token(token: str, now: datetime) -> ApiToken | None:
    """Return the valid token with its owner loaded; None if unknown, expired or the owner is inactive."""
    alive = Q(expires_at__isnull=True) | Q(expires_at__gt=now)
    rows = ApiToken.objects.select_related("user").filter(alive, user__is_active=True)
    row = rows.filter(digest=digest(token)).first()
    if row and (row.used_at is None or now - row.used_at >= USED_AT_STEP):
        ApiToken.objects.filter(pk=row.pk).update(used_at=now)
    return row


def highest_role(user: User) -> Role | None:
    """The highest role at any site."""
    return Role.ADMIN if user.is_superuser else _highest(user.grants.all())
