"""The points of a plan's matrix, and its flows by shape: the contents of one cell.

A point is the matrix with one value of each list; a round is a set of simultaneous flows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from backstay.core.model.throughput_kinds import Shape

Pair = tuple[str, str]
"""(sender, receiver), by node name; the sender is the client of the test."""
MOST_CELLS = 2500
"""Of one run: a mesh of fifty ends, one cell a pair."""
MOST_FLOWS = 64
"""At one time."""


def points(matrix: Mapping[str, Any], repeats: int = 1) -> list[dict[str, Any]]:
    """Every combination of the lists' values, the last list varying fastest; scalars are constant."""
    fixed = {name: one for name, one in matrix.items() if not isinstance(one, list)}
    lists = {name: one for name, one in matrix.items() if isinstance(one, list)}
    found = [{**fixed, **dict(zip(lists, values, strict=True))} for values in product(*lists.values())]
    return [dict(point) for _ in range(repeats) for point in found]


def size(matrix: Mapping[str, Any], repeats: int = 1) -> int:
    """Number of points, without creating them."""
    return repeats * prod(len(one) for one in matrix.values() if isinstance(one, list))


def repeated(matrix: Mapping[str, Any]) -> list[str]:
    """Fields whose list repeats a value, which would repeat a point."""
    lists = {name: one for name, one in matrix.items() if isinstance(one, list)}
    return [name for name, one in lists.items() if len(set(one)) < len(one)]


def end_errors(shape: Shape, senders: Sequence[str], receivers: Sequence[str]) -> dict[str, str]:
    """Validation errors by field; empty if the ends fit the shape."""
    found: dict[str, str] = {}
    for field, names in (("senders", senders), ("receivers", receivers)):
        if shape != "n_pairs" and len(set(names)) != len(names):
            found[field] = "each node once"
    least, most = _SENDERS[shape]
    if not least <= len(senders) <= most:
        found.setdefault("senders", _expected(least, most))
    least, most = (len(senders), len(senders)) if shape == "n_pairs" else _RECEIVERS[shape]
    if not least <= len(receivers) <= most:
        found.setdefault("receivers", _expected(least, most))
    if not found:
        return _within(shape, senders, receivers)
    return found


_ANY = (1, MOST_FLOWS)
_MESH = (2, 50)
"""50 ends have 2,450 ordered pairs."""
_ALL_TO_ALL = (2, 8)
"""8 ends have 56 simultaneous flows."""
_SENDERS: dict[Shape, tuple[int, int]] = {
    "pair": (1, 1),
    "n_pairs": _ANY,
    "many_to_one": _ANY,
    "one_to_many": (1, 1),
    "n_way": _ALL_TO_ALL,
    "mesh": _MESH,
}
_RECEIVERS: dict[Shape, tuple[int, int]] = {
    "pair": (1, 1),
    "many_to_one": (1, 1),
    "one_to_many": _ANY,
    "n_way": (0, 0),
    "mesh": (0, 0),
}


def _expected(least: int, most: int) -> str:
    number = str(least) if least == most else f"{least} to {most}"
    return f"expected {number} of them" if most else "expected none: every end sends and receives"


def _within(shape: Shape, senders: Sequence[str], receivers: Sequence[str]) -> dict[str, str]:
    for pairs in rounds(shape, senders, receivers):
        for sender, receiver in pairs:
            if sender == receiver:
                return {"receivers": f"{sender} cannot send to itself"}
        if len(set(pairs)) != len(pairs):
            return {"receivers": "each pair once: use more streams instead"}
    return {}


def rounds(shape: Shape, senders: Sequence[str], receivers: Sequence[str]) -> list[list[Pair]]:
    """Rounds of simultaneous flows: one round, but one round per ordered pair for a mesh."""
    if shape == "n_pairs":
        return [list(zip(senders, receivers, strict=True))]
    if shape in {"n_way", "mesh"}:
        every = [(one, other) for one in senders for other in senders if one != other]
        return [every] if shape == "n_way" else [[pair] for pair in every]
    return [[(sender, receiver) for sender in senders for receiver in receivers]]
