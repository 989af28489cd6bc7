"""Converts errors to responses: clients always get a `Problem`."""

import logging
from collections.abc import Callable
from typing import Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.db import DataError, IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from psycopg.errors import ForeignKeyViolation, UniqueViolation

from backstay.core.errors import (
    BackstayError,
    Conflict,
    Invalid,
    NotFound,
    Refused,
    TooLarge,
    Unauthenticated,
    Unavailable,
)
from backstay.inventory.site_file.errors import InvalidSiteFile

log = logging.getLogger(__name__)
RETRY_AFTER_S = 2.0
UNKNOWN_FIELD = "extra_forbidden"
"""pydantic's error type of an undeclared field."""


def register(api: NinjaAPI) -> None:
    """Register handlers of all errors; the most specific wins."""
    for kind, translate in _TRANSLATE.items():
        api.add_exception_handler(kind, _handler(api, translate))


def _handler(api: NinjaAPI, translate: Callable[[HttpRequest, Any], BackstayError]) -> Any:
    def answer(request: HttpRequest, error: Exception) -> HttpResponse:
        problem = translate(request, error)
        response = api.create_response(request, body(problem), status=problem.status)
        if problem.retry_after_s is not None:
            response["Retry-After"] = str(max(1, round(problem.retry_after_s)))
        if problem.status == Unauthenticated.status:
            response["WWW-Authenticate"] = "Bearer"
        return response

    return answer


def _unexpected(request: HttpRequest, error: Exception) -> BackstayError:
    log.exception("%s %s failed", request.method, request.path, exc_info=error)
    return BackstayError("Internal error; the server's log has the details.")


def _away(request: HttpRequest, error: Exception) -> BackstayError:
    log.error("%s %s: database: %s", request.method, request.path, error)
    return Unavailable("The database is unavailable; try again in a moment.", retry_after_s=RETRY_AFTER_S)


def _unstorable(request: HttpRequest, error: Exception) -> BackstayError:
    """A value that passed parser and schema and that PostgreSQL refuses."""
    if isinstance(error, ValueError) and "NUL" not in str(error):
        return _unexpected(request, error)
    log.warning("%s %s: %s", request.method, request.path, error)
    return Invalid("The request has a value that cannot be stored.")


def _collided(request: HttpRequest, error: IntegrityError) -> BackstayError:
    """A concurrent request removed what this one refers to, or created the same; the rest is a defect."""
    if not isinstance(error.__cause__, ForeignKeyViolation | UniqueViolation):
        return _unexpected(request, error)
    log.warning("%s %s: %s", request.method, request.path, error)
    return Conflict("Another request changed this object at the same time: reload it and try again.")


def _oversized(_: HttpRequest, __: RequestDataTooBig) -> BackstayError:
    return TooLarge("The body is too large.")


def _crowded(_: HttpRequest, __: TooManyFieldsSent) -> BackstayError:
    return Invalid("The query has too many parameters.")


def _nobody(_: HttpRequest, __: AuthenticationError) -> BackstayError:
    return Unauthenticated("Sign in, or send Authorization: Bearer TOKEN.")


def _missing(_: HttpRequest, __: Http404) -> BackstayError:
    return NotFound("There is no such page in the API; see /api/v1/openapi.json.")


def _unreadable(_: HttpRequest, error: HttpError) -> BackstayError:
    return Invalid(f"The request cannot be read: {error}.")


def _invalid(_: HttpRequest, error: ValidationError) -> BackstayError:
    fields = {_name(item["loc"]): _expected(item) for item in error.errors}
    named = "; ".join(f"{name}: {expected}" for name, expected in fields.items())
    unknown = any(item["type"] == UNKNOWN_FIELD for item in error.errors)
    kind = Refused if unknown else Invalid
    return kind(f"Invalid request. {named}.", fields=fields)


def _expected(item: dict[str, Any]) -> str:
    return "unknown field" if item["type"] == UNKNOWN_FIELD else str(item["msg"])


def _name(location: tuple[Any, ...]) -> str:
    """`limit` of `("query", "limit")`, `comment` of `("body", "body", "comment")`."""
    return ".".join(str(part) for part in location[1:] if part != "body") or str(location[0])


_TRANSLATE: dict[type[Exception], Callable[[HttpRequest, Any], BackstayError]] = {
    BackstayError: lambda _, error: error,
    Exception: _unexpected,
    RequestDataTooBig: _oversized,
    TooManyFieldsSent: _crowded,
    DataError: _unstorable,
    IntegrityError: _collided,
    ValueError: _unstorable,
    OperationalError: _away,
    InterfaceError: _away,
    AuthenticationError: _nobody,
    ValidationError: _invalid,
    Http404: _missing,
    HttpError: _unreadable,
}


def body(error: BackstayError) -> dict[str, Any]:
    """The error as a `Problem`, with the error's own keys."""
    return {"code": error.code, "message": error.message, "fields": error.fields, **extras(error)}


def extras(error: BackstayError) -> dict[str, Any]:
    """The errors in a site file (`SiteFileRefused`)."""
    errors = error.errors if isinstance(error, InvalidSiteFile) else None
    if errors is None:
        return {}
    keys = ("file", "line", "key", "expected")
    return {"errors": [{key: getattr(item, key) for key in keys} for item in errors]}
