"""Annotates rows with values from registries and other queries, so that lists can sort and page by them.

An annotation is only worthwhile if the list is filtered or sorted by it: see `sorts_by`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from django.db.models import Func, JSONField, Model, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Cast, Coalesce

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


class _Keyed(Subquery):
    """A query's rows of `key` and `value` as one JSON object, computed once for all outer rows."""

    template = "(SELECT jsonb_object_agg(known.key, known.value) FROM (%(subquery)s) AS known)"
    output_field = JSONField()


def with_looked_up(rows: QuerySet[R], name: str, values: QuerySet[Any], default: str) -> QuerySet[R]:
    """As `with_texts`, with the values of a query that has the columns `key` and `value`.

    Each reference to the annotation runs that query once: use it in few expressions.
    """
    text = Func(
        _Keyed(values), Cast("pk", TextField()), function="jsonb_extract_path_text", output_field=TextField()
    )
    annotated: QuerySet[R] = rows.annotate(**{name: Coalesce(text, Value(default), output_field=TextField())})
    return annotated
