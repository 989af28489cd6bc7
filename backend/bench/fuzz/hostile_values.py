"""Values that break parsers and databases, put into a case that was valid."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from schemathesis import Case
from schemathesis.core import NOT_SET
from schemathesis.core.parameters import RAW_QUERY_STRING_KEY, RawQueryString

AnyCase = Case[Any]
LONG = 64 * 1024
DEEP = 50_000
VALUES: tuple[Any, ...] = (
    "\0",
    "a\0b",
    "\ud800",
    "a\udfffb",
    "x" * LONG,
    "\u202e\ufeff\u0301" * 20,
    "'; DROP TABLE x; --",
    "../../etc/passwd",
    "=cmd|' /C calc'!A0",
    "",
    " ",
    "NaN",
    float("nan"),
    float("inf"),
    float("-inf"),
    1e308,
    10**400,
    2**63,
    2**63 - 1,
    -(2**63) - 1,
    2**31,
    -1,
    0,
    True,
    None,
    [],
    {},
    [[[[]]]],
    {"\0": "\0"},
    {"\ud800": 1},
    ["x"] * 5_000,
    {str(number): number for number in range(2_000)},
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999+14:00",
    "+292277026596-12-04T15:30:08Z",
    "1e400",
)
RAW_BODIES: tuple[bytes, ...] = (
    b"",
    b"\0",
    b"\xff\xfe{}",
    b'{"a":"\xed\xa0\x80"}',
    b"{",
    b"null",
    b"NaN",
    b"[" * DEEP,
    b"[" * DEEP + b"]" * DEEP,
    b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    b'{"a":1,"a":2}',
    b"9" * 5_000,
    b'{"a":' + b"9" * LONG + b"}",
    b'"' + b"x" * LONG + b'"',
    b"\x1f\x8b\x08\0broken",
)
SEGMENTS = (
    "%00",
    "1%00",
    "%ED%A0%80",
    "9" * 400,
    "-1",
    "0",
    "1e3",
    "%D9%A3",
    "..%2F..",
    "x" * 2_000,
    "9223372036854775808",
    "00000000-0000-0000-0000-000000000000",
)
QUERIES = (
    "%00",
    "a%00b",
    "%ED%A0%80",
    "%FF",
    "9" * 400,
    "-9223372036854775809",
    "NaN",
    "Infinity",
    "1e400",
    "x" * 4_000,
    "%25",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "WyJuYW1lIiwgIlx1MDAwMCIsIDFd",
    "WyJpZCIsIDFlOTk5LCAxXQ==",
)
HEADERS = (
    {"Idempotency-Key": "k" * 201},
    {"Idempotency-Key": "\xe9\xff"},
    {"Content-Type": "text/plain"},
    {"Content-Type": "application/json; charset=utf-16"},
    {"Content-Type": "multipart/form-data; boundary="},
    {"Content-Encoding": "br"},
    {"If-None-Match": '"' + "x" * 4_000},
    {"If-None-Match": "*"},
    {"Accept": "text/html"},
    {"Accept-Encoding": "gzip;q=nan, *;q=-1"},
    {"X-Forwarded-For": "999.1.1.1, ::ffff:1.2.3.4, x" * 20},
    {"Cookie": "backstay=%00; backstay-csrf=\xff; a"},
    {"X-CSRFToken": "\xff" * 64},
    {"X-Request-ID": "x" * 4_000},
)


def mutate(case: AnyCase, random: Random) -> AnyCase:
    """The case with one hostile value; its object is changed."""
    kinds: list[Callable[[AnyCase, Random], None]] = [_header]
    if case.path_parameters:
        kinds.append(_segment)
    if case.operation.query:
        kinds += [_query, _query]
    if case.operation.body:
        kinds += [_field, _field, _field, _raw]
    random.choice(kinds)(case, random)
    return case


def _header(case: AnyCase, random: Random) -> None:
    case.headers.update(random.choice(HEADERS))


def _segment(case: AnyCase, random: Random) -> None:
    """A path parameter in wire form: it replaces the placeholder, so that nothing quotes it again."""
    name = random.choice(sorted(case.path_parameters))
    case.path_parameters[name] = random.choice(SEGMENTS)


def _query(case: AnyCase, random: Random) -> None:
    names = [parameter.name for parameter in case.operation.query]
    name = random.choice([*names, "unknown", "%00"])
    case.query = {RAW_QUERY_STRING_KEY: RawQueryString(f"{name}={random.choice(QUERIES)}")}


def _raw(case: AnyCase, random: Random) -> None:
    case.body, case.media_type = random.choice(RAW_BODIES), "application/json"


def _field(case: AnyCase, random: Random) -> None:
    body = copy.deepcopy(case.body) if case.body is not NOT_SET else {}
    places = list(_places(body))
    if not places or random.random() < 0.1:
        body = random.choice(VALUES)
    else:
        holder, key = random.choice(places)
        holder[key] = random.choice(VALUES)
    case.body, case.media_type = json.dumps(body).encode(), "application/json"


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every field and element of a JSON value, with what holds it."""
    keys: Any = (
        list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    )
    for key in keys:
        yield value, key
        yield from _places(value[key])
