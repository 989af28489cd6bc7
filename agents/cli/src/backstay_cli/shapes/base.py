"""The parts of the API's answers that this program shows or acts on; all else is left alone.

Names are those of the API's document, where a test looks each field up. Words of a fixed set are plain
text here: a newer backend may know more of them.
"""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from backstay_cli.errors import Unreachable

T = TypeVar("T", bound="Shape")


class Shape(BaseModel):
    """Base: read only what is named."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def read(shape: type[T], answer: Any) -> T:
    """An answer as a value."""
    try:
        return shape.model_validate(answer)
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))
        raise Unreachable(
            f"The answer does not fit ({shape.__name__}, {where}): this program and Backstay are of"
            " different versions. Install the one that came with it."
        ) from error


def read_all(shape: type[T], page: dict[str, Any]) -> list[T]:
    """A page's items as values."""
    return [read(shape, item) for item in page["items"]]
