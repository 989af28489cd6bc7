"""Hardware addresses as text: one spelling, so that the same one is the same wherever it was read."""

from __future__ import annotations

import re

_SEPARATOR = re.compile(r"[:.\- ]")
_HEX = re.compile(r"[0-9a-f]+")


def spelled(text: str) -> str:
    """`02:00:5e:00:00:01` of `2:0:5E:0:0:1`, `0200.5e00.0001` or `02-00-...`; other text in lower case.

    Works for addresses of any length (InfiniBand has 20 octets), as long as every octet, or every group of
    octets, is told apart or padded.
    """
    lowered = text.strip().casefold()
    parts = _SEPARATOR.split(lowered)
    if len(parts) < 2 or not all(_HEX.fullmatch(part) for part in parts):
        return lowered
    if all(len(part) == 4 for part in parts):
        parts = [half for part in parts for half in (part[:2], part[2:])]
    return ":".join(part.zfill(2) for part in parts) if all(len(part) <= 2 for part in parts) else lowered
