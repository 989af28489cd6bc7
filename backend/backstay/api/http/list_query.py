"""Lists: `ListQuery` reads filters, search, sort and page; pages continue by an opaque keyset cursor.

A cursor holds the sort and the last row's value and id, so a page continues after that row even when rows
are added or removed meanwhile. Ties are broken by id; rows without a value come last in either order.

`ListQuery.rows` pages in PostgreSQL. A `Column` names a column, a column of a joined row (`node__name`) or an
annotation. `nullable`: rows may have no value; `natural`: text in natural order (`sp2` before `sp10`) by the
collation that `inventory` migrates; `backwards`: an age, sorted by the time since which it counts, because a
sort key must not move with the clock. The primary key may have any type that JSON text can hold.
"""

import base64
import binascii
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Self, TypeVar, overload

from django.core.exceptions import ValidationError
from django.db.models import F, Model, Q, QuerySet
from django.db.models.functions import Collate
from pydantic import BaseModel, Field, ValidationInfo, model_validator

from backstay.api.http.schemas import Page
from backstay.core.errors import Invalid, Refused
from backstay.core.timerange import LONGEST_PAST, past_moment

T = TypeVar("T")
R = TypeVar("R", bound=Model)
Value = str | float | None
Keys = Mapping[str, Callable[[Any], Any]]
NATURAL = "natural_order"
"""Collation of names that compares numbers by value."""
DEFAULT_LIMIT = 100
MAX_LIMIT = 500


Text = Annotated[str, Field(max_length=300)]
Id = Annotated[int, Field(ge=1, lt=2**63)]
Points = Annotated[int, Field(ge=10, le=5000)]


At = Annotated[
    Text | None,
    Field(
        description="The state at this past moment, as `now-1h` or `2026-11-23T10:00:00Z`, at most"
        f" {LONGEST_PAST.days} days ago; what history does not keep is null. Default: now"
    ),
]
"""Read by `past_at`."""


@overload
def past_at(text: str, now: datetime) -> datetime: ...
@overload
def past_at(text: str | None, now: datetime) -> datetime | None: ...
def past_at(text: str | None, now: datetime) -> datetime | None:
    """The moment of an `at` parameter; None: now. `Invalid`."""
    return None if text is None else past_moment(text, now, "at")


class ListQuery(BaseModel):
    """Query parameters of every list; subclasses add filters. Unknown parameters are rejected (422)."""

    site: Text | None = Field(None, description="Name of the site; default: the first site that you may see")
    q: Text | None = Field(None, description="Search text; case is ignored")
    sort: Text | None = Field(None, description="Field to sort by; prefix it with - for descending order")
    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT)
    cursor: Annotated[str, Field(max_length=1000)] | None = Field(
        None, description="`next` of the previous page, with the same filters and sort"
    )

    @model_validator(mode="after")
    def _known(self, info: ValidationInfo) -> Self:
        request = (info.context or {}).get("request")
        unknown = sorted(set(request.GET) - set(type(self).model_fields)) if request is not None else []
        if unknown:
            expected = f"expected one of {', '.join(sorted(type(self).model_fields))}"
            raise Refused(
                f"Unknown parameter {unknown[0]}: {expected}.", fields=dict.fromkeys(unknown, expected)
            )
        return self

    def matches(self, *texts: str | None) -> bool:
        """Whether any of the texts contains `q`."""
        wanted = (self.q or "").casefold()
        return any(wanted in (text or "").casefold() for text in texts)

    def page(self, items: Iterable[T], keys: Keys, ident: Callable[[T], int | str], default: str) -> Page[T]:
        """One page of a registry that is part of the program: device metrics, the papers' tables."""
        sort = sort_of(self.sort, default, keys)
        shown, following = page(items, keys, ident, sort=sort, cursor=self.cursor, limit=self.limit)
        return Page(items=shown, next=following)

    def rows(
        self,
        rows: QuerySet[R],
        columns: "Mapping[str, Column]",
        default: str,
        light: QuerySet[R] | None = None,
    ) -> tuple[list[R], str | None]:
        """One page of a query, and the cursor of the next.

        `light`: the same rows without the annotations that only a page needs. The page is chosen from them if
        they have the column of the sort, and else by this column alone, so that the others are computed for
        its rows only.
        """
        if light is None:
            sort = sort_of(self.sort, default, columns)
            return page_rows(rows, columns, sort=sort, cursor=self.cursor, limit=self.limit)
        first = light if self.sorts_by_column_of(light, columns, default) else rows
        chosen, following = self.keys(first, columns, default)
        return in_order(rows, chosen), following

    def keys(
        self, rows: QuerySet[R], columns: "Mapping[str, Column]", default: str
    ) -> tuple[list[Any], str | None]:
        """As `rows`, the primary keys only: annotations by which the list is not sorted are not computed."""
        sort = sort_of(self.sort, default, columns)
        found, following = _page_rows(
            rows, columns, lambda keyed: keyed.values_list("pk", "sort_key", named=True),
            sort=sort, cursor=self.cursor, limit=self.limit,
        )  # fmt: skip
        return [row.pk for row in found], following

    def sorts_by_column_of(self, rows: QuerySet[R], columns: "Mapping[str, Column]", default: str) -> bool:
        """Whether these rows have the column by which the list is sorted."""
        column = columns[sort_of(self.sort, default, columns).field].name
        first = column.partition("__")[0]
        known = {field.name for field in rows.model._meta.get_fields()}
        return column in rows.query.annotations or first in known


def in_order(rows: QuerySet[R], keys: Collection[Any]) -> list[R]:
    """The rows with these primary keys; those removed meanwhile are left out."""
    known = {row.pk: row for row in rows.filter(pk__in=keys)}
    return [known[key] for key in keys if key in known]


@dataclass(frozen=True, slots=True)
class Sort:
    """A field and its direction."""

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
    """Parse the sort; `Refused` if the field is unknown."""
    wanted = text or default
    sort = Sort(wanted.removeprefix("-"), wanted.startswith("-"))
    if sort.field not in known:
        expected = f"expected one of {', '.join(sorted(known))}, with - in front for descending"
        raise Refused(f"Cannot sort by {sort.field!r}: {expected}.", fields={"sort": expected})
    return sort


def cursor_of(text: str | None, sort: Sort) -> Cursor | None:
    """Decode the cursor; `Invalid` if malformed or of another sort."""
    if not text:
        return None
    try:
        order, value, ident = json.loads(base64.urlsafe_b64decode(text.encode("ascii")))
        good = isinstance(value, str | int | float | None) and isinstance(ident, str | int)
    except (ValueError, TypeError, UnicodeEncodeError, binascii.Error) as cause:
        raise bad_cursor() from cause
    if not good or isinstance(value, bool) or isinstance(ident, bool) or order != str(sort):
        raise bad_cursor()
    return Cursor(value, ident)


def bad_cursor() -> Invalid:
    expected = "expected the `next` of the previous page, with the same sort"
    return Invalid(f"The cursor cannot be used: {expected}.", fields={"cursor": expected})


def encoded(sort: Sort, value: Value, ident: int | str) -> str:
    return base64.urlsafe_b64encode(json.dumps([str(sort), value, ident]).encode()).decode("ascii")


def natural(text: str) -> str:
    """A sort key that places `sp2` before `sp10`."""
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


def page(
    items: Iterable[T],
    keys: Mapping[str, Callable[[T], Any]],
    ident: Callable[[T], int | str],
    *,
    sort: Sort,
    cursor: str | None,
    limit: int,
) -> tuple[list[T], str | None]:
    """One page of a registry in memory, and the cursor of the next."""
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
    """A sortable column or annotation; the module's docstring has the meaning of each flag."""

    name: str
    backwards: bool = False
    natural: bool = False
    nullable: bool = False

    def key(self) -> "F | Collate":
        """The expression to sort by."""
        return Collate(F(self.name), NATURAL) if self.natural else F(self.name)


def page_rows(
    rows: QuerySet[R], columns: Mapping[str, Column], *, sort: Sort, cursor: str | None, limit: int
) -> tuple[list[R], str | None]:
    """One page of a query, and the cursor of the next; ties follow the direction of the sort."""
    return _page_rows(rows, columns, lambda keyed: keyed, sort=sort, cursor=cursor, limit=limit)


def _page_rows(
    rows: QuerySet[R],
    columns: Mapping[str, Column],
    selected: Callable[[QuerySet[Any]], Iterable[Any]],
    *,
    sort: Sort,
    cursor: str | None,
    limit: int,
) -> tuple[list[Any], str | None]:
    """`selected`: what is read of each row; at least `pk` and `sort_key`."""
    column = columns[sort.field]
    descending = sort.descending != column.backwards
    keyed: QuerySet[Any] = rows.annotate(sort_key=column.key())
    after = cursor_of(cursor, sort)
    if after is not None:
        keyed = keyed.filter(_beyond(keyed, after, column, descending=descending))
    # Without NULLs the plain order is the one that an index has.
    last = True if column.nullable else None
    order = F("sort_key").desc(nulls_last=last) if descending else F("sort_key").asc(nulls_last=last)
    ordered = keyed.order_by(order, "-pk" if descending else "pk")
    shown = list(selected(ordered[: limit + 1]))
    if len(shown) <= limit:
        return shown, None
    end: Any = shown[limit - 1]
    return shown[:limit], encoded(sort, _plain(end.sort_key), _plain(end.pk))


def _plain(value: Any) -> Any:
    """A sort value or primary key for JSON."""
    match value:
        case bool():
            return int(value)
        case datetime():
            return value.isoformat()
        case None | int() | float() | str():
            return value
        case _:
            return str(value)


def _beyond(rows: QuerySet[R], cursor: Cursor, column: Column, *, descending: bool) -> Q:
    operator = "lt" if descending else "gt"
    ident = _parsed(rows.model._meta.pk, cursor.id)
    if cursor.value is None and not column.nullable:
        raise bad_cursor()
    if cursor.value is None:
        return Q(**{"sort_key__isnull": True, f"pk__{operator}": ident})
    value = _parsed(rows.query.annotations["sort_key"].output_field, cursor.value)
    beyond = Q(**{f"sort_key__{operator}": value}) | Q(**{"sort_key": value, f"pk__{operator}": ident})
    if column.nullable:
        return beyond | Q(sort_key__isnull=True)
    # An index is entered at this bound; PostgreSQL does not derive it from the alternatives.
    return Q(**{f"sort_key__{operator}e": value}) & beyond


def _parsed(field: Any, plain: Value | int) -> Any:
    """A cursor's value converted to the field's type; `Invalid` if impossible."""
    try:
        value = field.to_python(plain)
    except (ValidationError, ValueError, OverflowError) as cause:
        raise bad_cursor() from cause
    if _plain(value) != plain:
        raise bad_cursor()
    return value
