"""Answers of the API as values; fields unknown to this program are ignored."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from backstay_cli.errors import Unreachable

T = TypeVar("T", bound="Model")


class Model(BaseModel):
    """Base of the generated models; each is compiled on first use, so that start-up stays fast."""

    __test__: ClassVar[bool] = False
    """Names such as TestRunOut are not test classes of pytest."""
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


def read(model: type[T], answer: Any) -> T:
    """An answer as a value; raises Unreachable if it does not match."""
    try:
        return model.model_validate(answer)
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))
        raise Unreachable(
            f"Unexpected response ({model.__name__}, {where}): this program and the server have different"
            " versions. Install the version that came with the server."
        ) from error


def read_all(model: type[T], page: dict[str, Any]) -> list[T]:
    """A page's items as values."""
    return [read(model, item) for item in page["items"]]
