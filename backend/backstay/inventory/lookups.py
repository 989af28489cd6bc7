"""Annotates rows with values from registries, so that lists can sort and page by them.

An annotation is only worthwhile if the list is filtered or sorted by it: see `sorts_by`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from django.db.models import Func, JSONField, Model, QuerySet, TextField, Value
from django.db.models.functions import Cast

R = TypeVar("R", bound=Model)


def sorts_by(sort: str | None, *fields: str) -> bool:
    """Whether `sort`, such as `-share`, names one of the fields."""
    return sort is not None and sort.removeprefix("-") in fields


def with_texts(rows: QuerySet[R], name: str, values: Mapping[str, str], key: str) -> QuerySet[R]:
    """Annotate rows with the value for their column `key`; NULL if missing."""
    known = Value(dict(values), output_field=JSONField())
    text = Func(known, Cast(key, TextField()), function="jsonb_extract_path_text", output_field=TextField())
    annotated: QuerySet[R] = rows.annotate(**{name: text})
    return annotated
