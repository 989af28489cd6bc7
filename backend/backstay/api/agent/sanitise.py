"""Replaces text of devices that cannot be stored or could deceive a reader; the report is kept. Pure.

Forbidden characters (`backstay_wire.text`) and octets that are not UTF-8 become U+FFFD. A text beyond its
field's limit is cut and ends with `…`. A number that no field can hold becomes infinite, so that validation
refuses its report and no other.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any

from backstay_wire.text import CONTROLS, replaced

CUT = "…"
LONGEST_INT = 40
"""Digits; a longer integer takes long to convert and fits no field."""
_ESCAPED = re.compile(rb"\\u(?:00[01]|007[fF]|[dD][89a-fA-F])")
"""Escapes in JSON that may mean a character to replace."""
_RAW = bytes(octet for octet in range(256) if re.match(rf"[{CONTROLS}]", chr(octet)))
"""The same, not escaped: all of them are ASCII, so that they are octets of UTF-8."""


def is_suspect(text: bytes) -> bool:
    """Whether a JSON text may contain characters to replace; quick, because it reads every batch."""
    return (b"\\u" in text and _ESCAPED.search(text) is not None) or len(text.translate(None, _RAW)) < len(
        text
    )


def loads(text: bytes) -> Any:
    """Parse JSON tolerantly: wrong UTF-8, lone surrogates, raw control characters. ValueError."""
    decoder = json.JSONDecoder(strict=False, parse_int=_integer)
    try:
        return decoder.decode(text.decode("utf-8", "replace"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def cleaned(value: Any) -> Any:
    """A JSON value with characters replaced, in keys too; values without such characters stay equal."""
    match value:
        case str():
            return replaced(value)
        case dict():
            return {replaced(key): cleaned(item) for key, item in value.items()}
        case list():
            return [cleaned(item) for item in value]
        case _:
            return value


def shorten(value: Any, path: Sequence[int | str], most: int) -> bool:
    """Cut the text at `path` to `most` characters, in place; whether there was one to cut.

    Parts of the path that are not in the value are skipped: a validator names the member of a union there.
    """
    holder: Any = None
    key: Any = ""
    for part in path:
        if (isinstance(value, dict) and part in value) or (isinstance(value, list) and isinstance(part, int)):
            holder, key = value, part
            value = holder[key]
    if holder is None or not isinstance(value, str) or len(value) <= most:
        return False
    holder[key] = value[: most - len(CUT)] + CUT
    return True


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= LONGEST_INT else math.inf
