"""Duplicate addresses: one address with several hardware addresses in the neighbour tables of one fabric."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Generic, Protocol, TypeVar


class AddressClaim(Protocol):
    """One table's entry for an address."""

    @property
    def address(self) -> str: ...
    @property
    def fabric_id(self) -> int | None: ...
    @property
    def mac(self) -> str: ...
    @property
    def held_since(self) -> datetime: ...


ClaimT = TypeVar("ClaimT", bound=AddressClaim)


@dataclass(frozen=True, slots=True)
class Duplicate(Generic[ClaimT]):
    """An address with several hardware addresses in one fabric's tables."""

    address: str
    fabric_id: int | None
    macs: tuple[str, ...]
    """The longest-known first."""
    since: datetime
    """When the second hardware address appeared."""
    claims: tuple[ClaimT, ...]


def duplicates(claims: Iterable[ClaimT]) -> list[Duplicate[ClaimT]]:
    """Duplicates among the entries, by address and fabric."""
    ordered = sorted(claims, key=lambda claim: (claim.address, claim.fabric_id or 0, claim.held_since))
    found = []
    for (address, fabric), group in groupby(ordered, key=lambda claim: (claim.address, claim.fabric_id)):
        entries = tuple(group)
        first: dict[str, datetime] = {}
        for claim in entries:
            first.setdefault(claim.mac, claim.held_since)
        if len(first) > 1:
            since = sorted(first.values())[1]
            found.append(Duplicate(address, fabric, tuple(first), since, entries))
    return found
