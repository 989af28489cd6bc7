"""Completes a damaged or truncated JSON text up to its damage, so that what precedes it can be read. Pure.

A saved output may have several documents in sequence (vtysh). Everything before the damage is kept: the text
is cut after the last whole element, and what is open there is closed.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

_CLOSING = {"{": "}", "[": "]"}
_BACK = (1, 2, 4, 8, 16, 32, 64, 128)
"""Cuts that are tried, counted from the damage: few, because the whole text is parsed for each."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """The text up to the damage, completed."""

    output: str
    kept: int
    """Number of characters of the original text that it begins with."""


def repairs(output: str) -> Iterator[Repaired]:
    """The longest part first, then parts without the last elements, which may lack what a parser needs.

    Nothing if the text has no damage. Raises RecursionError for a text that nests too deeply.
    """
    damage = _first_damage(output)
    if damage is None:
        return
    start, place = damage
    cuts = list(_cuts(output, start, place))
    for back in _BACK:
        if back <= len(cuts):
            cut, closing = cuts[-back]
            yield Repaired(output[:cut] + closing, cut)


def _first_damage(output: str) -> tuple[int, int] | None:
    """Where the damaged document begins, and the position that JSON does not permit."""
    decoder, place = json.JSONDecoder(), 0
    while (start := _start(output, place)) is not None:
        try:
            _, place = decoder.raw_decode(output, start)
        except json.JSONDecodeError as error:
            return start, error.pos
        except ValueError:
            # A number with too many digits has no position.
            return start, len(output)
    return None


def _start(output: str, place: int) -> int | None:
    starts = [at for at in (output.find(bracket, place) for bracket in _CLOSING) if at >= 0]
    return min(starts, default=None)


def _cuts(output: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Each position up to `end` at which everything open can be closed, and how."""
    opened: list[str] = []
    in_string = is_escaped = False
    for place in range(start, min(end, len(output))):
        letter = output[place]
        if in_string:
            in_string = is_escaped or letter != '"'
            is_escaped = letter == "\\" and not is_escaped
        elif letter == '"':
            in_string = True
        elif letter in _CLOSING:
            opened.append(letter)
            yield place + 1, _closed(opened)
        elif letter in "}]":
            if not opened or _CLOSING[opened.pop()] != letter:
                return
            yield place + 1, _closed(opened)
        elif letter == ",":
            yield place, _closed(opened)


def _closed(opened: list[str]) -> str:
    return "".join(_CLOSING[letter] for letter in reversed(opened))
