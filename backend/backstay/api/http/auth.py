"""Authentication by session cookie or API token, and the sites that the user may see.

A site that the user may not see gives 404, never 403.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.contrib.auth import get_user
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from ninja.security import APIKeyCookie, HttpBearer
from ninja.utils import check_csrf

from backstay.accounts import services
from backstay.accounts.models import User
from backstay.core.errors import Forbidden, NotFound, Unauthenticated
from backstay.core.roles import Role
from backstay.inventory.models import Site

T = TypeVar("T")
CSRF_MESSAGE = "The CSRF token is missing or wrong: send csrf_token of GET /api/v1/session as X-CSRFToken."


@dataclass(frozen=True, slots=True)
class Principal:
    """A user; `at_most`: the role of the API token."""

    user: User
    at_most: Role | None = None

    def may_see(self, site: str) -> bool:
        """Whether the user has any role at the site."""
        return services.role_at(self.user, site) is not None

    def may(self, site: str, role: Role) -> bool:
        """Whether the user has this role at the site."""
        held = services.capped(services.role_at(self.user, site), self.at_most)
        return held is not None and services.RANK[held] >= services.RANK[role]

    def require(self, site: str, role: Role) -> None:
        """Raise Forbidden unless the user has this role at the site."""
        services.require(self.user, site, role, at_most=self.at_most)

    def require_everywhere(self, role: Role) -> None:
        """As `require`, at every site."""
        services.require(self.user, "", role, at_most=self.at_most)


class Bearer(HttpBearer):
    """`Authorization: Bearer TOKEN`."""

    def authenticate(self, request: HttpRequest, token: str) -> Principal:
        """The token's owner; an invalid token is refused even with a valid cookie."""
        row = services.api_token(token, timezone.now())
        if row is None:
            raise Unauthenticated("The API token is unknown or expired: make a new one.")
        return Principal(row.user, Role(row.role))


class Session(APIKeyCookie):
    """Django's session cookie (its name has a prefix over HTTPS); unsafe methods need the CSRF token too."""

    param_name = "backstay"

    def __init__(self) -> None:
        super().__init__(csrf=False)

    def authenticate(self, request: HttpRequest, key: str | None) -> Principal | None:
        """The signed-in user; None: not signed in."""
        if not isinstance(request.user, User):
            return None
        if check_csrf(request) is not None:
            raise Forbidden(CSRF_MESSAGE)
        return Principal(request.user)


AUTH: list[Any] = [Bearer(), Session()]


def principal(request: HttpRequest) -> Principal:
    """The authenticated user."""
    found = getattr(request, "auth", None)
    assert isinstance(found, Principal)
    return found


def may_still_see(request: HttpRequest, site: str) -> bool:
    """Whether the token or session of an earlier request is valid and its user may see the site."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        row = services.api_token(token, timezone.now())
        return row is not None and Principal(row.user).may_see(site)
    request.session = type(request.session)(request.session.session_key)  # The stored session, read anew.
    user = get_user(request)
    return isinstance(user, User) and Principal(user).may_see(site)


def visible_sites(request: HttpRequest) -> QuerySet[Site]:
    """Active sites that the user may see, by name."""
    names = services.sites_of(principal(request).user)
    sites = Site.objects.filter(archived_at=None).order_by("name")
    return sites if names is None else sites.filter(name__in=names)


def site_of(request: HttpRequest, name: str | None) -> Site:
    """The site by name; default: the first that the user may see."""
    sites = list(visible_sites(request))
    if name is None and sites:
        return sites[0]
    for site in sites:
        if site.name == name:
            return site
    if name is None:
        raise NotFound("There is no site yet: import a site file with manage.py import_site FILE.")
    raise NotFound(f"There is no site {name!r} that you may see.")


class Lookup(Generic[T]):
    """Loads the object of a path parameter; NotFound if the user may not see its site."""

    def __init__(
        self, what: str, read: Callable[[int], T | None], site: Callable[[Any], Site] = lambda row: row.site
    ) -> None:
        self._what, self._read, self._site = what, read, site

    def __call__(self, request: HttpRequest, ident: int) -> T:
        row = found(self._read(ident), self._what)
        see(request, self._site(row), self._what)
        return row


def require_operator(request: HttpRequest, site: Site) -> str:
    """The user's name; Forbidden unless operator at the site."""
    who = principal(request)
    who.require(site.name, Role.OPERATOR)
    return who.user.get_username()


def is_operator(request: HttpRequest, site: Site) -> bool:
    return principal(request).may(site.name, Role.OPERATOR)


def require_admin(request: HttpRequest, site: Site) -> User:
    """The user; Forbidden unless administrator at the site."""
    who = principal(request)
    who.require(site.name, Role.ADMIN)
    return who.user


def require_admin_everywhere(request: HttpRequest) -> None:
    principal(request).require_everywhere(Role.ADMIN)


def found(row: T | None, what: str) -> T:
    """The row; NotFound if None."""
    if row is None:
        raise NotFound(f"There is no such {what}, or it was removed.")
    return row


def see(request: HttpRequest, site: Site, what: str) -> Site:
    """The site of an object; NotFound if the user may not see it."""
    return found(site if principal(request).may_see(site.name) else None, what)
