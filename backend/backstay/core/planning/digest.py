"""SHA-256 over canonical JSON (sorted keys, no spaces): equal values have equal digests."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields, is_dataclass
from typing import Any


def digest(value: object) -> str:
    """SHA-256 in hex of dataclasses, mappings, sequences, addresses and plain values.

    The order of a sequence matters, that of a mapping does not. Keys of a mapping are text, numbers or
    tuples.
    """
    text = json.dumps(_keyed(value), default=_Plain(), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class _Plain:
    """Converts values for JSON. Nodes share gateways and prefixes, so each object is converted once.

    The cache key is `id`, which is valid because the digested value keeps all objects alive.
    """

    def __init__(self) -> None:
        self._known: dict[int, Any] = {}

    def __call__(self, value: Any) -> Any:
        try:
            return self._known[id(value)]
        except KeyError:
            return self._known.setdefault(id(value), _plain(value))


def _plain(value: Any) -> Any:
    names = _names(type(value))
    if names:
        return [_keyed(getattr(value, name)) for name in names]
    if isinstance(value, frozenset | set):
        return sorted(str(item) for item in value)
    return str(value)


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


_FIELDS: dict[type, tuple[str, ...]] = {}
