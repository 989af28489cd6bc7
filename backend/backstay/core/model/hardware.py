"""Normalised text form of hardware addresses, so that addresses from different sources compare equal."""

from __future__ import annotations

import re

_SEPARATOR = re.compile(r"[:.\- ]")
_HEX = re.compile(r"[0-9a-f]+")
_SPELLED = re.compile(r"[0-9a-f]{2}(?::[0-9a-f]{2})+")


def spelled(text: str) -> str:
    """`02:00:5e:00:00:01` for `2:0:5E:0:0:1`, `0200.5e00.0001` or `02-00-...`; other text in lower case.

    Works for addresses of any length (InfiniBand has 20 octets), if octets or groups of octets are separated
    or padded.
    """
    if _SPELLED.fullmatch(text):
        return text  # Nearly always; tables have thousands.
    lowered = text.strip().casefold()
    parts = _SEPARATOR.split(lowered)
    if len(parts) < 2 or not all(_HEX.fullmatch(part) for part in parts):
        return lowered
    if all(len(part) == 4 for part in parts):
        parts = [half for part in parts for half in (part[:2], part[2:])]
    return ":".join(part.zfill(2) for part in parts) if all(len(part) <= 2 for part in parts) else lowered
