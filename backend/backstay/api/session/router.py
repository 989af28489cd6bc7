"""Sign-in, sign-out and the current user."""

from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import auth
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils import timezone
from ninja import Router, Status

from backstay.accounts import sign_in as passwords
from backstay.accounts.services import capped, highest_role
from backstay.api.http.auth import AUTH, Principal, principal
from backstay.api.http.client_address import address_of
from backstay.api.http.schemas import LIMITS, Problem
from backstay.api.session.schemas import Person, SignIn
from backstay.core.errors import Forbidden, Unauthenticated

router = Router(tags=["session"])
ERRORS = {400: Problem, 401: Problem, 503: Problem}


@router.get(
    "/session",
    response={200: Person, 304: None, **ERRORS, 403: Problem, 429: Problem},
    operation_id="get_session",
    auth=AUTH,
)
def get_session(request: HttpRequest) -> Person:
    """The signed-in user, the highest role at any site, and the CSRF token for unsafe methods."""
    who = principal(request)
    return _person(request, who)


@router.post(
    "/session",
    response={200: Person, **ERRORS, **LIMITS, 403: Problem, 422: Problem, 429: Problem},
    operation_id="sign_in",
    auth=None,
)
def sign_in(request: HttpRequest, response: HttpResponse, body: SignIn) -> Person:
    """Sign in by name and password; sets the session cookie and the browser's device token."""
    _require_same_origin(request)
    device = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    user = passwords.sign_in(body.username, body.password, address_of(request), device, timezone.now())
    auth.login(request, user)
    person = _person(request, Principal(user))
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        passwords.device_token(body.username),
        max_age=passwords.TOKEN_LIFETIME,
        secure=settings.SECURE_COOKIES,
        httponly=True,
        samesite="Strict",
    )
    return person


@router.delete(
    "/session", response={204: None, **ERRORS, 403: Problem, 429: Problem}, operation_id="sign_out", auth=AUTH
)
def sign_out(request: HttpRequest) -> Status[None]:
    """End the session on the server."""
    auth.logout(request)
    return Status(204, None)


def _person(request: HttpRequest, who: Principal) -> Person:
    user, at_most = who.user, who.at_most
    held = capped(highest_role(user), at_most)
    if held is None:
        raise Unauthenticated("You have no role at any site: ask an administrator for one.")
    return Person(
        username=user.get_username(),
        name=user.get_full_name() or user.get_username(),
        role=held.value,
        csrf_token=get_token(request),
    )


def _require_same_origin(request: HttpRequest) -> None:
    """Sign-in has no session for a CSRF token: check the browser's Origin header (RFC 6454)."""
    origin = request.headers.get("Origin")
    if origin is None or origin in settings.CSRF_TRUSTED_ORIGINS:
        return
    if urlsplit(origin).netloc != request.get_host():
        raise Forbidden("Sign in from Backstay's own pages.")
