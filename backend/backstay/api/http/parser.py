"""The validator of all text and numbers in bodies and queries: what PostgreSQL and JSON can hold.

Path parameters are integers or names; the handlers of database errors (`errors.py`) cover those that are not.
"""

from __future__ import annotations

import json
import math
from typing import Any

from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from ninja.parser import Parser

from backstay.core.errors import Invalid

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
    """Invalid if the value holds NUL, a lone surrogate, or a number that is infinite or too large."""
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
    if "\0" in text:
        raise Invalid("Text must not contain NUL.")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise Invalid("Text must not contain a lone surrogate.")
