"""JSON of programs whose releases add fields: each value read is checked, unread keys are reported."""

import json
from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from typing import Any, NoReturn, TypeVar

Item = TypeVar("Item")


class ShapeError(ValueError):
    """A value has the wrong type; the message names its path."""


class JsonObject:
    """An object with its path in the document and the set of keys already read."""

    def __init__(self, values: Mapping[str, Any], place: str = "") -> None:
        self._values = values
        self._place = place
        self._taken: set[str] = set()
        self._parts: list[JsonObject] = []

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def number(self, key: str, default: float | None = None) -> float:
        """A number; `default` if it is missing. Raises ShapeError without either."""
        value = self._take(key)
        if value is None and default is not None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise ShapeError(f"{self._at(key)} is not a number")
        return value

    def whole(self, key: str, default: int | None = None) -> int:
        """A number truncated to an integer. Raises ShapeError."""
        return int(self.number(key, default))

    def maybe(self, key: str) -> int | None:
        """A whole number; None if missing. Raises ShapeError."""
        return self.whole(key) if self._values.get(key) is not None else self._take(key)

    def flag(self, key: str) -> bool | None:
        """True or false, also written 1 and 0; None if missing. Raises ShapeError."""
        value = self._take(key)
        if value is not None and value not in (True, False):
            raise ShapeError(f"{self._at(key)} is neither true nor false")
        return None if value is None else bool(value)

    def text(self, key: str) -> str:
        """Text; "" if missing. Raises ShapeError."""
        value = self._take(key)
        if value is not None and not isinstance(value, str):
            raise ShapeError(f"{self._at(key)} is not text")
        return value or ""

    def texts(self, key: str) -> list[str]:
        """A list of texts; empty if missing. Raises ShapeError."""
        value = self._take(key)
        if value is not None and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
            raise ShapeError(f"{self._at(key)} is not a list of texts")
        return value or []

    def part(self, key: str) -> "JsonObject | None":
        """An object; None if missing or empty. Raises ShapeError."""
        value = self._take(key)
        return self._part(value, self._at(key)) if value not in (None, {}) else None

    def parts(self, key: str) -> "Iterator[JsonObject]":
        """The objects of a list; none if missing. Raises ShapeError."""
        value = self._take(key)
        if value is not None and not isinstance(value, list):
            raise ShapeError(f"{self._at(key)} is not a list")
        for number, item in enumerate(value or []):
            yield self._part(item, f"{self._at(key)}[{number}]")

    def readable(self, key: str, parse: "Callable[[JsonObject], Item]") -> tuple[list[Item], list[str]]:
        """What `parse` makes of the objects of a list, and why others are unreadable. Raises ShapeError if it
        is no list."""
        found: list[Item] = []
        unparsed: list[str] = []
        value = self._take(key)
        if value is not None and not isinstance(value, list):
            raise ShapeError(f"{self._at(key)} is not a list")
        for number, item in enumerate(value or []):
            try:
                found.append(parse(self._part(item, f"{self._at(key)}[{number}]")))
            except ShapeError as error:
                unparsed.append(str(error))
        return found, unparsed

    def skip(self, *keys: str) -> None:
        """Mark known values that are not needed as read."""
        self._taken.update(keys)

    def rest(self) -> list[str]:
        """Paths of the unread values, here and below."""
        own = [self._at(key) for key in self._values if key not in self._taken]
        return own + [place for part in self._parts for place in part.rest()]

    def _take(self, key: str) -> Any:
        self._taken.add(key)
        return self._values.get(key)

    def _part(self, value: Any, place: str) -> "JsonObject":
        if not isinstance(value, dict):
            raise ShapeError(f"{place} is not an object")
        self._parts.append(part := JsonObject(value, place))
        return part

    def _at(self, key: str) -> str:
        return f"{self._place}.{key}" if self._place else key


def load(document_text: str) -> Any:
    """JSON without the non-standard numbers NaN and Infinity. Raises ShapeError."""
    try:
        return json.loads(document_text, parse_constant=_no_number)
    except RecursionError as error:
        raise ShapeError("JSON nested too deep") from error
    except ValueError as error:
        raise ShapeError(f"not JSON, or cut off: {error}") from error


def _no_number(constant: str) -> NoReturn:
    raise ShapeError(f"{constant} is not a JSON number")
