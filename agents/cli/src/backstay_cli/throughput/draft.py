"""A test plan from options or a file, in the API's form. Pure.

Only unreadable values are rejected here; the server validates the plan and names invalid fields.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from backstay_cli.errors import Usage
from backstay_cli.text import names, seconds_of, shown
from backstay_cli.throughput.kinds import KINDS, Parameter, parameter

READ_ONLY = frozenset({
    "id", "kind", "state", "state_text", "since", "age_s", "next_at", "author", "created_at", "cells", "runs",
    "last_run", "may_run", "url",
})  # fmt: skip
"""Read-only fields of a plan, allowed in a file because `tests plan --json` prints them."""
_FIGURE = re.compile(r"(\d+(?:\.\d+)?)([kmgt]?)(?:i?b|bit/s|b/s)?", re.IGNORECASE)
_RANGE = re.compile(r"(\d+)-(\d+)")
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_MOST = 64
_SWITCH = {"on": True, "off": False}


def ends_of(texts: Sequence[str] | None) -> list[str]:
    """`sp01,sp02` or the option repeated: in order; in pairs a node may occur again."""
    return [part.strip() for text in texts or () for part in text.split(",") if part.strip()]


def listed(text: str) -> list[str]:
    """Comma-separated values, without repeats."""
    return list(dict.fromkeys(ends_of([text])))


def octets_of(text: str) -> int:
    """`65536`, `64K`, `1.5M`: units of 1024, as in iperf3's lengths."""
    return round(_figure(text, 1024, "64K or 1M"))


def rate_of(text: str) -> float:
    """`10M`, `2.5G` in bit/s: units of 1000."""
    return _figure(text, 1000, "10M or 2.5G")


def _figure(text: str, step: int, example: str) -> float:
    found = _FIGURE.fullmatch(text.strip())
    if found is None:
        raise Usage(f"{shown(text)} is not a number: write {example}, several separated by commas.")
    return float(found[1]) * float(step ** _POWERS[found[2].lower()])


def wholes(text: str) -> list[int]:
    """`1,2,4` or `1-8`."""
    found: list[int] = []
    for part in listed(text):
        span = _RANGE.fullmatch(part)
        first, last = (int(span[1]), int(span[2])) if span else (_whole(part), _whole(part))
        if not first <= last < first + _MOST:
            raise Usage(f"{shown(part)} is not a range: write 1-8, with at most {_MOST} values.")
        found += range(first, last + 1)
    return found


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise Usage(f"{shown(text)} is not an integer: write 1,2,4 or 1-8.")
    return int(text)


def switches(text: str) -> list[bool]:
    """`on`, `off`, `on,off`."""
    found = listed(text)
    if not set(found) <= set(_SWITCH):
        raise Usage(f"{shown(text)} is not a choice: write on, off or on,off.")
    return [_SWITCH[item] for item in found]


def _each(read: Callable[[str], Any]) -> Callable[[str], list[Any]]:
    return lambda text: list(dict.fromkeys(read(part) for part in listed(text)))


def _one_whole(text: str) -> int:
    return _whole(text.strip())


def read(parameter: Parameter, text: str) -> Any:
    """A parameter's value, or its values, as the API takes them. Usage when unreadable."""
    if parameter["type"] == "boolean":
        return switches(text)
    if parameter["type"] in {"choice", "text"}:
        return listed(text) if parameter["varies"] else text
    if parameter["unit"] == "s":
        seconds = seconds_of(text)
        return int(seconds) if seconds.is_integer() else seconds
    if not parameter["unit"]:
        return wholes(text) if parameter["varies"] else _one_whole(text)
    figure: Callable[[str], Any] = octets_of if parameter["unit"] == "bytes" else rate_of
    return _each(figure)(text) if parameter["varies"] else figure(text)


def matrix_of(kind: str, typed: dict[str, str | None]) -> dict[str, Any]:
    """The matrix; a test that is given neither length, amount nor count takes the default duration."""
    found: dict[str, Any] = {"kind": kind}
    found |= {name: read(parameter(kind, name), text) for name, text in typed.items() if text is not None}
    ends_by = KINDS[kind]["ends_by"]
    for one in KINDS[kind]["parameters"]:
        is_needed = one["required"] or one["name"] in ends_by
        if one["name"] == "duration_s" and is_needed and not {"duration_s", *ends_by} & set(found):
            found["duration_s"] = one["default"]
    return found


def shape_of(shape: str | None, senders: Sequence[str], receivers: Sequence[str]) -> str:
    """The given shape, or the only one possible for these ends."""
    if not senders:
        raise Usage("Name the sender with --from NODE and the receiver with --to NODE.")
    if shape is not None:
        return shape
    if not receivers:
        raise Usage(
            "Name the receiver with --to NODE, or use --shape mesh (each pair alone) or n_way (all at once)."
        )
    if len(senders) == len(receivers) == 1:
        return "pair"
    if 1 in {len(senders), len(receivers)}:
        return "one_to_many" if len(senders) == 1 else "many_to_one"
    if len(senders) == len(receivers):
        return "n_pairs"
    raise Usage(
        f"{len(senders)} to {len(receivers)} does not match a shape: give one receiver, or one per sender."
    )


def of_file(text: str, name: str) -> dict[str, Any]:
    """A plan from a file: the body of the API, or the edited output of `tests plan NAME --json`."""
    try:
        document = json.loads(text)
    except ValueError as error:
        raise Usage(f"{shown(name)} is not JSON: {shown(str(error))}.") from None
    if not isinstance(document, dict):
        raise Usage(f"{shown(name)} is not a plan: an object with name, senders and matrix is expected.")
    missing = [field for field in ("name", "senders", "matrix") if field not in document]
    if missing:
        raise Usage(f"{shown(name)} is not a plan: {names(missing)} is missing.")
    return {field: value for field, value in document.items() if field not in READ_ONLY}
