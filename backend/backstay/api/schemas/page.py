"""One page of a list, and what every error says."""

from typing import Generic, TypeVar

from pydantic import BaseModel, Field

T = TypeVar("T")


class Page(BaseModel, Generic[T]):
    """One page of a list."""

    items: list[T]
    next: str | None = Field(None, description="Cursor of the next page: pass it as ?cursor=")


class Problem(BaseModel):
    """Every error, whatever the status."""

    code: str
    message: str = Field(description="What went wrong and the next step")
    fields: dict[str, str] = Field(default_factory=dict)
