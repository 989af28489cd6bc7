"""An ARP policy as a person wants it, and everything that is wrong with the wish, field by field. Pure.

Which settings there are, and within which bounds, is the wire's to say: agents write nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from backstay.core.formatting import listing
from backstay.telemetry.states.arp import SETTINGS, TABLE_SETTINGS

MOST_PATTERNS = 64
_PATTERN = re.compile(r"[A-Za-z0-9*?\[\]._:@+-]{1,128}")
FieldError = tuple[str, str]
"""(field, sentence with the next step)."""
Bounds = Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class ArpPolicySpec:
    """As the public API's `ArpPolicyIn`, but for its site and fabric."""

    mode: str
    settings: dict[str, int]
    ports: list[dict[str, Any]]
    """[{pattern, settings}]."""
    table: dict[str, int]
    note: str

    def columns(self) -> dict[str, Any]:
        """Column -> value of `ArpPolicy`. After `mistakes` only."""
        return asdict(self)


def validate(spec: ArpPolicySpec) -> dict[str, str]:
    """Field -> what is wrong and what to do; empty: the wish makes sense."""
    found = [*_settings("settings", spec.settings, SETTINGS), *_settings("table", spec.table, TABLE_SETTINGS)]
    if len(spec.ports) > MOST_PATTERNS:
        found.append(("ports", f"At most {MOST_PATTERNS} patterns: give the fabric what most ports share."))
    for number, part in enumerate(spec.ports):
        if _PATTERN.fullmatch(part["pattern"]) is None:
            text = f"{part['pattern']!r} is no pattern of a port or of node:port, as css0 or sp0?:css* are."
            found.append((f"ports.{number}.pattern", text))
        found += _settings(f"ports.{number}.settings", part["settings"], SETTINGS)
    wrong: dict[str, str] = {}
    for field, text in found:
        wrong.setdefault(field, text)
    return wrong


def _settings(field: str, settings: Mapping[str, int], bounds: Bounds) -> Iterator[FieldError]:
    unknown = sorted(set(settings) - set(bounds))
    if unknown:
        yield field, f"{listing(unknown)}: no such setting is managed; choose one of the list."
    for name, value in sorted(settings.items()):
        least, greatest = bounds.get(name, (value, value))
        if not least <= value <= greatest:
            yield field, f"{name} is {value}: give it {least} to {greatest}."
