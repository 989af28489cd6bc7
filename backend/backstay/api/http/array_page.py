"""Pages of a list that is sorted by numbers in memory, with the order of `ListQuery.rows` and such cursors.

Loads come from arrays that each process keeps: PostgreSQL would unroll the samples of the whole site to sort
by one of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backstay.api.http.list_query import Column, Cursor, Sort, bad_cursor, cursor_of, encoded


def page_numbers(
    idents: NDArray[np.int64],
    values: NDArray[np.float64],
    column: Column,
    *,
    sort: Sort,
    cursor: str | None,
    limit: int,
) -> tuple[list[int], str | None]:
    """Ids of one page, and the cursor of the next. NaN: no value, last in either order."""
    sign = -1 if sort.descending != column.backwards else 1
    rows = _Rows(sign * idents, np.where(np.isnan(values), 0.0, sign * values), np.isnan(values))
    after = cursor_of(cursor, sort)
    chosen = np.arange(len(idents)) if after is None else np.flatnonzero(_beyond(rows, after, sign))
    order = chosen[np.lexsort((rows.ident[chosen], rows.key[chosen], rows.is_unknown[chosen]))]
    shown = order[:limit]
    if len(order) <= limit:
        return idents[shown].tolist(), None
    end = shown[-1]
    value = None if rows.is_unknown[end] else float(values[end])
    return idents[shown].tolist(), encoded(sort, value, int(idents[end]))


@dataclass(frozen=True, slots=True)
class _Rows:
    """Ids and values with the sign that sorts them in ascending order."""

    ident: NDArray[np.int64]
    key: NDArray[np.float64]
    is_unknown: NDArray[np.bool_]


def _beyond(rows: _Rows, cursor: Cursor, sign: int) -> NDArray[np.bool_]:
    """Which rows follow the cursor."""
    if isinstance(cursor.value, str) or not isinstance(cursor.id, int) or abs(cursor.id) >= 2**63:
        raise bad_cursor()
    is_later = rows.ident > sign * cursor.id
    if cursor.value is None:
        return np.asarray(rows.is_unknown & is_later)
    value = sign * float(cursor.value)
    return np.asarray(rows.is_unknown | (rows.key > value) | ((rows.key == value) & is_later))
