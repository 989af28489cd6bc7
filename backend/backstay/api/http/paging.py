"""Lists in pages: sorted by a field of a whitelist, continued by an opaque keyset cursor.

A cursor holds the sort and the last row's value and id, so a page goes on after that row even when rows
were added or removed meanwhile. Ties are broken by id; what has no value comes last in either order.
"""

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Field as ModelField
from django.db.models import Model, Q, QuerySet
from pydantic import AfterValidator, Field

from backstay.api.http.schemas import Page
from backstay.core.errors import Invalid

T = TypeVar("T")
R = TypeVar("R", bound=Model)
Value = str | float | None
DEFAULT_LIMIT = 100
MOST = 500


def _clean(text: str) -> str:
    if "\0" in text:
        raise ValueError("must not contain NUL")
    return text


Limit = Annotated[int, Field(ge=1, le=MOST)]
Text = Annotated[str, Field(max_length=300), AfterValidator(_clean)]
CursorText = Annotated[str, Field(max_length=1000), AfterValidator(_clean)]
Id = Annotated[int, Field(ge=1, lt=2**63)]


@dataclass(frozen=True, slots=True)
class Sort:
    """A field, and whether the greatest comes first."""

    field: str
    descending: bool

    def __str__(self) -> str:
        return f"-{self.field}" if self.descending else self.field


@dataclass(frozen=True, slots=True)
class Cursor:
    """The row after which a page begins."""

    value: Value
    id: int | str


def sort_of(text: str | None, default: str, known: Iterable[str]) -> Sort:
    """The sort that a client asked for; `Invalid` when the field is not one of the known."""
    wanted = text or default
    sort = Sort(wanted.removeprefix("-"), wanted.startswith("-"))
    if sort.field not in known:
        expected = f"expected one of {', '.join(sorted(known))}, with - in front for descending"
        raise Invalid(f"sort={wanted!r} is not known: {expected}.", fields={"sort": expected})
    return sort


def cursor_of(text: str | None, sort: Sort) -> Cursor | None:
    """The cursor that a client sent back; `Invalid` when it is not ours or of another sort."""
    if not text:
        return None
    try:
        said, value, ident = json.loads(base64.urlsafe_b64decode(text.encode("ascii")))
        good = isinstance(value, str | int | float | None) and isinstance(ident, str | int)
    except (ValueError, TypeError, UnicodeEncodeError, binascii.Error) as cause:
        raise bad_cursor() from cause
    if not good or isinstance(value, bool) or isinstance(ident, bool) or said != str(sort):
        raise bad_cursor()
    return Cursor(value, ident)


def bad_cursor() -> Invalid:
    """A cursor that is not ours, or of another list."""
    expected = "expected the `next` of the page before, with the same sort"
    return Invalid(f"The cursor cannot be used: {expected}.", fields={"cursor": expected})


def encoded(sort: Sort, value: Value, ident: int | str) -> str:
    """The opaque text of a cursor."""
    return base64.urlsafe_b64encode(json.dumps([str(sort), value, ident]).encode()).decode("ascii")


def natural(text: str) -> str:
    """A key by which `sp2` comes before `sp10`."""
    return re.sub(r"\d+", lambda match: match.group().zfill(12), text.casefold())


def key_value(value: Any) -> Value:
    """A field's value as a sort key: times as Unix seconds, names in natural order."""
    match value:
        case None:
            return None
        case datetime():
            return value.timestamp()
        case bool() | int() | float():
            return float(value)
        case _:
            return natural(str(value))


def age_key(at: datetime | None) -> float | None:
    """The sort key of an age: it must not move with the clock, so it is the negated time since when."""
    return None if at is None else -at.timestamp()


def page(
    items: Iterable[T],
    keys: Mapping[str, Callable[[T], Any]],
    ident: Callable[[T], int | str],
    *,
    sort: Sort,
    cursor: str | None,
    limit: int,
) -> tuple[list[T], str | None]:
    """One page of a list that is in memory, and the cursor of the next."""
    field = keys[sort.field]
    rows = [_Row(key_value(field(item)), ident(item), item) for item in items]
    rows.sort(key=lambda row: row.ident)
    known = sorted((row for row in rows if row.value is not None), key=_value, reverse=sort.descending)
    ordered = [*known, *(row for row in rows if row.value is None)]
    after = cursor_of(cursor, sort)
    if after is not None:
        try:
            ordered = [row for row in ordered if _is_after(row, after, sort.descending)]
        except TypeError as cause:
            raise bad_cursor() from cause
    shown = ordered[:limit]
    if len(ordered) <= limit:
        return [row.item for row in shown], None
    return [row.item for row in shown], encoded(sort, shown[-1].value, shown[-1].ident)


@dataclass(frozen=True, slots=True)
class _Row:
    value: Any
    ident: Any
    item: Any


def _value(row: _Row) -> Any:
    return row.value


def _is_after(row: _Row, cursor: Cursor, descending: bool) -> bool:
    if row.value is None or cursor.value is None:
        if row.value is None and cursor.value is None:
            return bool(row.ident > cursor.id)
        return row.value is None
    if row.value != cursor.value:
        return bool((row.value < cursor.value) == descending)
    return bool(row.ident > cursor.id)


@dataclass(frozen=True, slots=True)
class Column:
    """A sortable column, or annotation, that is never null; `backwards` for an age, which grows as the time
    lies back.
    """

    name: str
    backwards: bool = False


def page_rows(
    rows: QuerySet[R], columns: Mapping[str, Column], *, sort: Sort, cursor: str | None, limit: int
) -> tuple[list[R], str | None]:
    """One page of a query, and the cursor of the next; ties go the same way as the sort."""
    column = columns[sort.field]
    descending = sort.descending != column.backwards
    after = cursor_of(cursor, sort)
    if after is not None:
        rows = rows.filter(_beyond(column.name, after, descending, _field(rows, column.name)))
    sign = "-" if descending else ""
    shown = list(rows.order_by(f"{sign}{column.name}", f"{sign}pk")[: limit + 1])
    if len(shown) <= limit:
        return shown, None
    last = getattr(shown[limit - 1], column.name)
    value = last.isoformat() if isinstance(last, datetime) else last
    return shown[:limit], encoded(sort, value, shown[limit - 1].pk)


def _field(rows: QuerySet[R], column: str) -> "ModelField[Any, Any]":
    annotated = rows.query.annotations.get(column)
    field = rows.model._meta.get_field(column) if annotated is None else annotated.output_field
    assert isinstance(field, ModelField)
    return field


def _beyond(column: str, cursor: Cursor, descending: bool, field: "ModelField[Any, Any]") -> Q:
    operator = "lt" if descending else "gt"
    try:
        value = field.to_python(cursor.value)
        ident = int(cursor.id)
    except (ValidationError, ValueError) as cause:
        raise bad_cursor() from cause
    return Q(**{f"{column}__{operator}": value}) | Q(**{column: value, f"pk__{operator}": ident})


def as_page(items: list[T], following: str | None) -> Page[T]:
    """The answer of a list."""
    return Page(items=items, next=following)
