"""One digest for equal values: canonical JSON (sorted keys, no spaces), SHA-256."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields, is_dataclass
from typing import Any


def digest(value: object) -> str:
    """SHA-256 in hex of dataclasses, mappings, sequences, addresses and plain values.

    A mapping's order does not count, a sequence's does. A mapping's keys are text, numbers or tuples.
    """
    text = json.dumps(_keyed(value), default=_Plain(), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class _Plain:
    """What JSON knows in place of a value. Nodes share gateways and prefixes: each object is asked once.

    Objects are told apart by `id`, which holds while the value that is digested keeps them all alive.
    """

    def __init__(self) -> None:
        self._known: dict[int, Any] = {}

    def __call__(self, value: Any) -> Any:
        """For `json.dumps`."""
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
    """A mapping by tuples as pairs in order: JSON has no such keys."""
    if isinstance(value, dict) and any(isinstance(key, tuple) for key in value):
        return sorted(
            [[json.dumps(key, default=str), _keyed(item)] for key, item in value.items()], key=_first
        )
    return value


def _first(pair: list[object]) -> str:
    return str(pair[0])


def _names(kind: type) -> tuple[str, ...]:
    """A dataclass's fields; of anything else, none."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()
    return _FIELDS[kind]


_FIELDS: dict[type, tuple[str, ...]] = {}
