"""Authentication by session cookie, API token or a wallboard's token, and the sites that each may see.

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
from backstay.accounts.tokens import WALLBOARD_PREFIX
from backstay.alerts.wallboards.models import Wallboard
from backstay.alerts.wallboards.selectors import wallboard_of
from backstay.alerts.wallboards.services import note_use, reader_of
from backstay.api.http.client_address import address_of
from backstay.api.http.rate_limit import RateLimit
from backstay.core.errors import Forbidden, NotFound, Unauthenticated
from backstay.core.roles import Role
from backstay.inventory.models import Site

T = TypeVar("T")
WALLBOARD_OPERATIONS = frozenset(
    {
        "get_current_wallboard",
        "get_overview",
        "get_topology",
        "list_links",
        "get_port_trends",
        "list_paths",
        "list_incidents",
        "live",
    }
)
"""Ids of the operations that a wallboard's token may call; everything else is refused."""
NOT_FOR_WALLBOARDS = "A wallboard's link only shows its own pages: sign in for everything else."
_wallboard_calls = RateLimit(burst=120, per_s=20.0)
"""Of one wallboard, at one address: a screen makes about two calls a second."""
_wallboard_failures = RateLimit(burst=20, per_s=0.2)
"""Unknown tokens of one address."""
_SITE = "backstay_site"
CSRF_MESSAGE = "The CSRF token is missing or wrong: send csrf_token of GET /api/v1/session as X-CSRFToken."


@dataclass(frozen=True, slots=True)
class Principal:
    """A user; `at_most`: the role of the API token."""

    user: User
    at_most: Role | None = None

    @property
    def sites(self) -> set[str] | None:
        """Names of the sites that the user may see; None: every site."""
        return services.sites_of(self.user)

    @property
    def reader(self) -> str:
        """Its name as a reader of live streams (live.clients)."""
        return f"user:{self.user.pk}"

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


@dataclass(frozen=True, slots=True)
class WallboardScreen:
    """A screen with a wallboard's token: a viewer of one site, without a user."""

    wallboard: Wallboard

    @property
    def sites(self) -> set[str] | None:
        """The name of its site."""
        return {self.wallboard.site.name}

    @property
    def reader(self) -> str:
        """Its name as a reader of live streams (live.clients)."""
        return reader_of(self.wallboard)

    def may_see(self, site: str) -> bool:
        """Whether this is its site."""
        return site == self.wallboard.site.name

    def may(self, site: str, role: Role) -> bool:
        """Whether it has this role at the site."""
        return role is Role.VIEWER and self.may_see(site)


class Bearer(HttpBearer):
    """`Authorization: Bearer TOKEN`."""

    def authenticate(self, request: HttpRequest, token: str) -> Principal | WallboardScreen:
        """The token's owner; an invalid token is refused even with a valid cookie."""
        if token.startswith(WALLBOARD_PREFIX):
            return _wallboard_screen(request, token)
        row = services.api_token(token, timezone.now())
        if row is None:
            raise Unauthenticated("The API token is unknown or expired: make a new one.")
        return Principal(row.user, Role(row.role))


def _wallboard_screen(request: HttpRequest, token: str) -> WallboardScreen:
    """Raises Unauthenticated, TooMany, or Forbidden for an operation outside WALLBOARD_OPERATIONS."""
    address, now = address_of(request), timezone.now()
    _wallboard_failures.require(address)
    try:
        wallboard = wallboard_of(token, now)
    except Unauthenticated:
        _wallboard_failures.spend(address)
        raise
    _wallboard_calls.require(address, wallboard.pk)
    _wallboard_calls.spend(address, wallboard.pk)
    # The URL's name is the operation's: each path has at most one GET. A test calls every operation.
    match = request.resolver_match
    if request.method != "GET" or match is None or match.url_name not in WALLBOARD_OPERATIONS:
        raise Forbidden(NOT_FOR_WALLBOARDS)
    note_use(wallboard, now)
    return WallboardScreen(wallboard)


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
    """The authenticated user; Forbidden for a wallboard's screen."""
    found = reader(request)
    if isinstance(found, WallboardScreen):
        raise Forbidden(NOT_FOR_WALLBOARDS)
    return found


def reader(request: HttpRequest) -> Principal | WallboardScreen:
    """Who reads: the authenticated user, or a wallboard's screen."""
    found = getattr(request, "auth", None)
    assert isinstance(found, Principal | WallboardScreen)
    return found


def may_still_see(request: HttpRequest, site: str) -> bool:
    """Whether the token or session of an earlier request is valid and its user may see the site."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.startswith(WALLBOARD_PREFIX):
        try:
            return WallboardScreen(wallboard_of(token, timezone.now())).may_see(site)
        except Unauthenticated:
            return False
    if scheme.lower() == "bearer":
        row = services.api_token(token, timezone.now())
        return row is not None and Principal(row.user).may_see(site)
    request.session = type(request.session)(request.session.session_key)  # The stored session, read anew.
    user = get_user(request)
    return isinstance(user, User) and Principal(user).may_see(site)


def visible_sites(request: HttpRequest) -> QuerySet[Site]:
    """Active sites that the user may see, by name."""
    names = reader(request).sites
    sites = Site.objects.filter(archived_at=None).order_by("name")
    return sites if names is None else sites.filter(name__in=names)


def site_of(request: HttpRequest, name: str | None) -> Site:
    """The site by name; default: the first that the user may see."""
    sites = list(visible_sites(request))
    for site in sites:
        if name in {None, site.name}:
            setattr(request, _SITE, site)
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
    return reader(request).may(site.name, Role.OPERATOR)


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
    setattr(request, _SITE, site)
    return found(site if reader(request).may_see(site.name) else None, what)


def site_read(request: HttpRequest) -> Site | None:
    """The site that `site_of` or `see` found for this request."""
    site = getattr(request, _SITE, None)
    return site if isinstance(site, Site) else None
