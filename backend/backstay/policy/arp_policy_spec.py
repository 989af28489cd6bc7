"""Specification of an ARP policy and its validation by field. Pure.

The wire defines the settings and their bounds: agents write no others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from backstay.core.formatting import listing
from backstay.telemetry.catalogue import SETTINGS, TABLE_SETTINGS

MOST_PATTERNS = 64
_PATTERN = re.compile(r"[A-Za-z0-9*?\[\]._:@+-]{1,128}")
FieldError = tuple[str, str]
"""(field, message with the next step)."""
Bounds = Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class ArpPolicySpec:
    """The API's `ArpPolicyIn` without site and fabric."""

    mode: str
    settings: dict[str, int]
    ports: list[dict[str, Any]]
    """[{pattern, settings}]."""
    table: dict[str, int]
    note: str

    def columns(self) -> dict[str, Any]:
        """Column -> value of `ArpPolicy`; only after `validate`."""
        return asdict(self)


def validate(spec: ArpPolicySpec) -> dict[str, str]:
    """Field -> error with the next step; empty: valid."""
    found = [*_settings("settings", spec.settings, SETTINGS), *_settings("table", spec.table, TABLE_SETTINGS)]
    if len(spec.ports) > MOST_PATTERNS:
        found.append(("ports", f"At most {MOST_PATTERNS} patterns: move common settings to the fabric."))
    for number, part in enumerate(spec.ports):
        if _PATTERN.fullmatch(part["pattern"]) is None:
            text = f"{part['pattern']!r} is not a pattern of port or node:port, such as css0 or sp0?:css*."
            found.append((f"ports.{number}.pattern", text))
        found += _settings(f"ports.{number}.settings", part["settings"], SETTINGS)
    wrong: dict[str, str] = {}
    for field, text in found:
        wrong.setdefault(field, text)
    return wrong


def _settings(field: str, settings: Mapping[str, int], bounds: Bounds) -> Iterator[FieldError]:
    unknown = sorted(set(settings) - set(bounds))
    if unknown:
        yield field, f"{listing(unknown)}: not a managed setting; choose one from the list."
    for name, value in sorted(settings.items()):
        least, greatest = bounds.get(name, (value, value))
        if not least <= value <= greatest:
            yield field, f"{name} is {value}: must be {least} to {greatest}."
