"""SHA-256 over canonical JSON (sorted keys, no spaces): equal values have equal digests."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields, is_dataclass
from json.encoder import encode_basestring_ascii
from math import isfinite
from typing import Any


def digest(value: object) -> str:
    """SHA-256 in hex of dataclasses, mappings, sequences, addresses and plain values.

    The order of a sequence matters, that of a mapping does not. Keys of a mapping are text, numbers or
    tuples.
    """
    text = _Encoder().text(_keyed(value))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class _Encoder:
    """Prints values as JSON. Nodes share gateways and prefixes, failures share loads: each object is printed
    once.

    The cache key is `id`, which is valid because the digested value keeps all objects alive.
    """

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    def text(self, value: Any) -> str:
        """The value as JSON."""
        kind = type(value)
        if kind is str:
            return encode_basestring_ascii(value)
        if kind is int:
            return str(value)
        if value is None or isinstance(value, str | int | float):
            return _scalar(value)
        if isinstance(value, list | tuple):
            return self._list(value)
        if isinstance(value, dict):
            return self._mapping(value)
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = self._object(value)
        return known

    def _list(self, values: list[Any] | tuple[Any, ...]) -> str:
        known, text = self._known, self.text
        return f"[{','.join([known.get(id(item)) or text(item) for item in values])}]"

    def _mapping(self, values: dict[Any, Any]) -> str:
        pairs = (f"{_key(key)}:{self.text(item)}" for key, item in sorted(values.items(), key=_of_pair))
        return f"{{{','.join(pairs)}}}"

    def _object(self, value: Any) -> str:
        names = _names(type(value))
        if names:
            return self._list([_keyed(getattr(value, name)) for name in names])
        if isinstance(value, frozenset | set):
            return self._list(sorted(str(item) for item in value))
        return encode_basestring_ascii(str(value))


def _scalar(value: str | float | None) -> str:
    if isinstance(value, str):
        return encode_basestring_ascii(value)
    if value is None or isinstance(value, bool):
        return _CONSTANTS[value]
    return repr(value) if type(value) is float and isfinite(value) else json.dumps(value)


def _key(key: Any) -> str:
    """A mapping's key as JSON prints it: numbers become text."""
    if isinstance(key, str):
        return encode_basestring_ascii(key)
    if key is None or isinstance(key, bool | int | float):
        return encode_basestring_ascii(json.dumps(key))
    raise TypeError(f"a key of a mapping must be text or a number, not {type(key).__name__}")


def _of_pair(pair: tuple[Any, Any]) -> Any:
    return pair[0]


def _keyed(value: object) -> object:
    """Convert a mapping with tuple keys to sorted pairs, because JSON has no such keys."""
    if isinstance(value, dict) and any(isinstance(key, tuple) for key in value):
        return sorted(
            [[json.dumps(key, default=str), _keyed(item)] for key, item in value.items()], key=_first
        )
    return value


def _first(pair: list[object]) -> str:
    return str(pair[0])


def _names(kind: type) -> tuple[str, ...]:
    """Field names of a dataclass; empty for any other type."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()
    return _FIELDS[kind]


_CONSTANTS = {None: "null", True: "true", False: "false"}
_FIELDS: dict[type, tuple[str, ...]] = {}
