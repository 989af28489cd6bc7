"""Schemas shared by all resources: pages, errors, request bodies, states."""

from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from backstay.core.model import state

T = TypeVar("T")


class Page(BaseModel, Generic[T]):
    """One page of a list."""

    items: list[T]
    next: str | None = Field(None, description="Cursor of the next page: pass it as ?cursor=")


class Problem(BaseModel):
    """Body of every error response."""

    code: str
    message: str = Field(description="The error and the next step")
    fields: dict[str, str] = Field(default_factory=dict)


READ: dict[Any, Any] = {
    304: None,
    400: Problem,
    401: Problem,
    403: Problem,
    404: Problem,
    422: Problem,
    429: Problem,
    503: Problem,
}
"""A GET: not modified, malformed parameter, not signed in, not for wallboards, not found, unknown filter or
sort, too many requests of a wallboard, no database."""
LIMITS: dict[Any, Any] = {408: Problem, 413: Problem}
"""A body that is too slow or too large, whatever the operation: refused before it (config/web_bodies.py)."""
WRITE: dict[Any, Any] = {
    **LIMITS,
    400: Problem,
    401: Problem,
    403: Problem,
    404: Problem,
    409: Problem,
    422: Problem,
    429: Problem,
    503: Problem,
}
"""A POST: also not allowed, a concurrent edit, or a reused Idempotency-Key."""


class Body(BaseModel):
    """Undeclared fields are rejected by name (422) instead of being ignored."""

    model_config = ConfigDict(extra="forbid")


State = state.State
"""Five states, everywhere: unknown: stale or never reported, never shown as good."""
Reason = Annotated[str, Field(max_length=2000)]
Ticket = Annotated[str, Field(max_length=100)]


class FileDiffOut(BaseModel):
    """A boot file before and after; `diff` is unified."""

    path: str
    diff: str
    after: str
