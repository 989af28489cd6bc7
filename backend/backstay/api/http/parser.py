"""The validator of all text and numbers that a client sends: body, query, path and headers."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from django.utils.decorators import sync_and_async_middleware
from ninja.parser import Parser

from backstay.core.errors import Invalid
from backstay_wire.text import complaint

HEADERS = (
    "Accept-Encoding",
    "Authorization",
    "Cookie",
    "Idempotency-Key",
    "If-None-Match",
    "Last-Event-ID",
    "Origin",
    "Referer",
    "X-CSRFToken",
    "X-Forwarded-For",
)
"""Headers that we or Django read."""
LARGEST = 2**63 - 1
"""Integers beyond it fit no column."""


class CheckedParser(Parser):
    """Parses JSON and query strings; Invalid if a value cannot be stored."""

    def parse_body(self, request: HttpRequest) -> Any:
        """The JSON body."""
        body = json.loads(request.body)
        for key, value in body.items() if isinstance(body, dict) else [("body", body)]:
            _check_field(key, value)
        return body

    def parse_querydict(
        self, data: MultiValueDict[str, Any], list_fields: list[str], request: HttpRequest
    ) -> Any:
        """The query, or a form."""
        for key, values in data.lists():
            _check_field(key, values)
        return super().parse_querydict(data, list_fields, request)


def _check_field(name: str, value: Any) -> None:
    check(name)
    try:
        check(value)
    except Invalid as problem:
        raise Invalid(problem.message, fields={name: problem.message}) from None


def check(value: Any) -> None:
    """Invalid if the value holds a forbidden character, or a number that is infinite or too large."""
    match value:
        case str():
            _check_text(value)
        case bool() | None:
            pass
        case int() | float():
            if not math.isfinite(value) or abs(value) > LARGEST:
                raise Invalid("A number is too large or not finite.")
        case dict():
            for key, item in value.items():
                check(key)
                check(item)
        case list():
            for item in value:
                check(item)


def _check_text(text: str) -> None:
    if why := complaint(text):
        raise Invalid(why)


@sync_and_async_middleware
def checked_address(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Refuse a request whose path or headers hold forbidden characters, as the parser does for the rest."""

    def check_request(request: HttpRequest) -> None:
        texts = {"path": request.path, **{name: request.headers.get(name, "") for name in HEADERS}}
        for name, text in texts.items():
            if why := complaint(text):
                raise BadRequest(f"{name}: {why}")

    if inspect.iscoroutinefunction(get_response):

        async def respond(request: HttpRequest) -> Any:
            check_request(request)
            return await get_response(request)

        return respond

    def respond_here(request: HttpRequest) -> Any:
        check_request(request)
        return get_response(request)

    return respond_here
