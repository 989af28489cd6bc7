"""Values that core computes as annotations, so that queries sort by them and page like any other list.

Computing a value for every row is worth it only for a list that is sorted by it: see `sorts_by`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from django.db.models import FloatField, Func, JSONField, Model, QuerySet, TextField, Value
from django.db.models.functions import Cast

R = TypeVar("R", bound=Model)
K = TypeVar("K", int, str)


def sorts_by(sort: str | None, *fields: str) -> bool:
    """Whether a list's `sort`, such as `-share`, is by one of the fields."""
    return sort is not None and sort.removeprefix("-") in fields


def with_texts(rows: QuerySet[R], name: str, values: Mapping[K, str], key: str = "pk") -> QuerySet[R]:
    """Rows annotated with the value of their column `key`; NULL where there is none."""
    annotated: QuerySet[R] = rows.annotate(**{name: _text(key, values)})
    return annotated


def with_numbers(
    rows: QuerySet[R], name: str, values: Mapping[K, float | None], key: str = "pk"
) -> QuerySet[R]:
    """As `with_texts`, for numbers; NULL also where the value is None."""
    known = {key: repr(float(value)) for key, value in values.items() if value is not None}
    annotated: QuerySet[R] = rows.annotate(**{name: Cast(_text(key, known), FloatField())})
    return annotated


def _text(column: str, values: Mapping[K, str]) -> Func:
    known = Value({str(key): value for key, value in values.items()}, output_field=JSONField())
    key = Cast(column, TextField())
    return Func(known, key, function="jsonb_extract_path_text", output_field=TextField())
