"""Errors that reach users and API clients.

    BackstayError            500  internal       a bug; the message says where to look
    |-- Unauthenticated      401  unauthenticated
    |-- Forbidden            403  forbidden
    |-- NotFound             404  not_found
    |-- Invalid              400  invalid        `fields` names each invalid parameter
    |-- TooSlow              408  too_slow       the body did not arrive in time
    |-- Conflict             409  conflict       the object changed in the meantime
    |-- TooLarge             413  too_large
    |-- Refused              422  refused        well formed, but not acceptable
    |-- TooMany              429  too_many       `retry_after_s`
    |-- Abandoned            499  abandoned      the client is gone; nobody reads it
    `-- Unavailable          503  unavailable    `retry_after_s`

`api.errors` turns them into responses. `permanent` means that sending the same request again cannot succeed.
"""

# ruff: noqa: N818  (operators read the names; the base class says that they are errors)

from __future__ import annotations

from typing import ClassVar


class BackstayError(Exception):
    """Base class; the message states what failed and the next step."""

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500
    permanent: ClassVar[bool] = True

    def __init__(
        self, message: str, *, fields: dict[str, str] | None = None, retry_after_s: float | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.fields = fields or {}
        self.retry_after_s = retry_after_s


class Unauthenticated(BackstayError):
    """Not signed in, or the credential is unknown, expired or revoked."""

    code = "unauthenticated"
    status = 401


class Forbidden(BackstayError):
    """The user lacks the required permission."""

    code = "forbidden"
    status = 403


class NotFound(BackstayError):
    """The object does not exist or the user may not see it; the response is the same for both."""

    code = "not_found"
    status = 404


class Invalid(BackstayError):
    """A parameter or the body is malformed; `fields` maps each name to the expected value."""

    code = "invalid"
    status = 400


class TooSlow(BackstayError):
    """The body did not arrive within its deadline."""

    code = "too_slow"
    status = 408
    permanent = False


class Conflict(BackstayError):
    """The object is no longer in the state that the request assumed."""

    code = "conflict"
    status = 409


class TooLarge(BackstayError):
    """The body exceeds its size limit."""

    code = "too_large"
    status = 413


class Refused(BackstayError):
    """The request is well formed but not acceptable."""

    code = "refused"
    status = 422


class TooMany(BackstayError):
    """A rate limit was exceeded."""

    code = "too_many"
    status = 429
    permanent = False


class Abandoned(BackstayError):
    """The client closed the connection before the request was answered; the work was stopped."""

    code = "abandoned"
    status = 499
    permanent = False

    def __init__(self) -> None:
        super().__init__("The client closed the connection.")


class Unavailable(BackstayError):
    """A required component is temporarily unavailable."""

    code = "unavailable"
    status = 503
    permanent = False
