"""Checks of the site file's `shared_risks`: each member is a component of the same file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from backstay.inventory.site_file.errors import Path
from backstay.inventory.site_file.schema import PortItem, SharedRiskItem


@dataclass(frozen=True, slots=True)
class KnownComponents:
    """Names in the file; those of invalid items count as existing."""

    nodes: Collection[str]
    invalid_nodes: Collection[str]
    ports: Mapping[str, PortItem]
    """By `node:port`, of valid nodes."""
    fabrics: Collection[str]
    media: Collection[str]
    """Fabrics with a shared medium: one of their ports is in no link."""


def check(risks: Mapping[int, SharedRiskItem], known: KnownComponents) -> Iterator[tuple[Path, str]]:
    """Errors of members."""
    for index, risk in risks.items():
        for place, member in enumerate(risk.members):
            wrong = _wrong(member, known)
            if member in risk.members[:place]:
                wrong = f"every component once; {member} is listed twice"
            if wrong:
                yield ("shared_risks", index, "members", place), wrong


def _wrong(member: str, known: KnownComponents) -> str:
    kind, _, name = member.partition(":")
    if kind == "node":
        return "" if name in known.nodes else f"node: and a node of this file; there is no {name}"
    if kind == "link":
        return _wrong_link(name, known)
    if name not in known.fabrics:
        return f"fabric: and a fabric of this file; there is no {name}"
    if name not in known.media and not known.invalid_nodes:
        return f"a fabric with a shared medium; {name} has none: name its switches or links"
    return ""


def _wrong_link(end: str, known: KnownComponents) -> str:
    port = known.ports.get(end)
    if port is None:
        is_invalid = end.partition(":")[0] in known.invalid_nodes
        return "" if is_invalid else f"link:node:port of a port in this file; there is no {end}"
    return "a port on a fabric, not on the management network" if port.management else ""
