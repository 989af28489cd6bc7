"""Annotates rows with values computed in core, so that queries can sort and page by them.

Computing a value for every row is only worthwhile if the list is sorted by it: see `sorts_by`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from django.db.models import FloatField, Func, JSONField, Model, QuerySet, TextField, Value
from django.db.models.functions import Cast

R = TypeVar("R", bound=Model)
K = TypeVar("K", int, str)


def sorts_by(sort: str | None, *fields: str) -> bool:
    """Whether `sort`, such as `-share`, names one of the fields."""
    return sort is not None and sort.removeprefix("-") in fields


def with_texts(rows: QuerySet[R], name: str, values: Mapping[K, str | None], key: str = "pk") -> QuerySet[R]:
    """Annotate rows with the value for their column `key`; NULL if missing or None."""
    annotated: QuerySet[R] = rows.annotate(**{name: _text(key, values)})
    return annotated


def with_numbers(
    rows: QuerySet[R], name: str, values: Mapping[K, float | None], key: str = "pk"
) -> QuerySet[R]:
    """As `with_texts`, for numbers; NULL also where the value is None."""
    known = {key: repr(float(value)) for key, value in values.items() if value is not None}
    annotated: QuerySet[R] = rows.annotate(**{name: Cast(_text(key, known), FloatField())})
    return annotated


def _text(column: str, values: Mapping[K, str | None]) -> Func:
    known = Value({str(key): value for key, value in values.items()}, output_field=JSONField())
    key = Cast(column, TextField())
    return Func(known, key, function="jsonb_extract_path_text", output_field=TextField())
