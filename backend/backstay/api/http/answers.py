"""The statuses that operations can answer with besides their own."""

from typing import Any

from backstay.api.schemas.page import Problem

READ: dict[Any, Any] = {304: None, 400: Problem, 401: Problem, 404: Problem, 503: Problem}
"""A GET: not modified, a bad parameter, nobody signed in, nothing there, the database away."""
WRITE: dict[Any, Any] = {
    400: Problem,
    401: Problem,
    403: Problem,
    404: Problem,
    409: Problem,
    422: Problem,
    503: Problem,
}
"""A POST: also not allowed, somebody was first, or a reused Idempotency-Key."""
