"""The errors that a person or a program can be told about, and nothing else.

    BackstayError            500  internal       a bug; the message says where to look
    |-- Unauthenticated      401  unauthenticated
    |-- Forbidden            403  forbidden
    |-- NotFound             404  not_found
    |-- Invalid              400  invalid        `fields` names each mistake
    |-- Conflict             409  conflict       somebody was there first
    |-- TooLarge             413  too_large
    |-- Refused              422  refused        well formed, but not acceptable
    |-- TooMany              429  too_many       `retry_after_s`
    `-- Unavailable          503  unavailable    `retry_after_s`

One place turns them into responses (`api.errors`). `permanent` is the decision bit: sending the same
request again cannot help.
"""

# ruff: noqa: N818  (the names are what an operator reads; the base says that they are errors)

from __future__ import annotations

from typing import ClassVar


class BackstayError(Exception):
    """Base of the tree: what went wrong and the next step, in one message for people."""

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
    """Nobody is signed in, or the credential is unknown, expired or revoked."""

    code = "unauthenticated"
    status = 401


class Forbidden(BackstayError):
    """The person is known but may not do this here."""

    code = "forbidden"
    status = 403


class NotFound(BackstayError):
    """No such object, or none that this person may see: the two are not told apart."""

    code = "not_found"
    status = 404


class Invalid(BackstayError):
    """A parameter or body is malformed; `fields` maps each name to what was expected."""

    code = "invalid"
    status = 400


class Conflict(BackstayError):
    """The object is no longer in the state that the request assumed."""

    code = "conflict"
    status = 409


class TooLarge(BackstayError):
    """The body passes its bound."""

    code = "too_large"
    status = 413


class Refused(BackstayError):
    """Understood and well formed, but not acceptable."""

    code = "refused"
    status = 422


class TooMany(BackstayError):
    """A rate limit was passed."""

    code = "too_many"
    status = 429
    permanent = False


class Unavailable(BackstayError):
    """A part that this needs is away for now."""

    code = "unavailable"
    status = 503
    permanent = False
