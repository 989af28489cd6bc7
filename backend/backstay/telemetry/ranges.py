"""Sequence numbers as PostgreSQL's int8multirange, in text. Pure."""

from __future__ import annotations

from collections.abc import Iterable


def multirange(numbers: Iterable[int]) -> str:
    """`{[1,4),[7,8)}` of 1, 2, 3 and 7: runs are one range each."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][1] == number:
            runs[-1][1] = number + 1
        else:
            runs.append([number, number + 1])
    return "{" + ",".join(f"[{low},{high})" for low, high in runs) + "}"
