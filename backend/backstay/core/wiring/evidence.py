"""From cable evidence to links and contradictions.

Links of the site file always stand: they are intended, and contradictions are shown on them. Every other port
has at most one link. If sources name different ends, the most reliable source wins:

    infiniband   the subnet manager's sweep: it walked the cable
    lldp         a neighbour's name, sent over the cable itself (IEEE 802.1AB)
    fdb          the only address that a bridge learnt behind a port
    subnet       two ports that alone share a network of two addresses (/30, /31: RFC 3021)

Within one source the newest claim wins, because a cable may have been moved. Evidence that is not repeated
for three of its intervals expires.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Source = Literal["infiniband", "lldp", "fdb", "subnet"]
RANK: dict[Source, int] = {"infiniband": 0, "lldp": 1, "fdb": 2, "subnet": 3}
"""The lower, the more reliable."""
LIFETIME_INTERVALS = 3
LEAST_PERIOD_S = 60.0
"""Minimum period of a source that reported only once: agents repeat adjacencies every minute."""

Ends = tuple[int, int]
"""Two port ids, the smaller first."""


def ends(one: int, other: int) -> Ends:
    """Order two port ids."""
    return (one, other) if one < other else (other, one)


@dataclass(frozen=True, slots=True)
class Claim:
    """One device's report, from one source, that two ports are connected."""

    source: Source
    by: int
    """Id of the reporting node."""
    ends: Ends
    since: datetime
    """First report."""
    until: datetime
    """Expiry unless repeated."""


@dataclass(frozen=True, slots=True)
class Joint:
    """One link with its evidence and the claims that contradict it."""

    ends: Ends
    declared: bool
    evidence: tuple[Claim, ...]
    conflicts: tuple[Claim, ...]


def judge(
    declared: Iterable[Ends], claims: Iterable[Claim], numbered: frozenset[int], now: datetime
) -> list[Joint]:
    """The links of a site, those of the site file first.

    `numbered`: ports with addresses. Two ends that share a small network can have a switch between them, so
    subnet evidence contradicts a link only if both its ports have addresses.
    """
    claims_by_pair: dict[Ends, list[Claim]] = {}
    for claim in claims:
        if claim.until > now and claim.ends[0] != claim.ends[1]:
            claims_by_pair.setdefault(claim.ends, []).append(claim)
    taken: dict[int, Ends] = {}
    wanted = list(dict.fromkeys(declared))
    for pair in wanted:
        taken.update(dict.fromkeys(pair, pair))
    found = _found(claims_by_pair, taken, wanted)
    against = _against(claims_by_pair, taken, [*wanted, *found], numbered)
    return [
        Joint(
            pair,
            number < len(wanted),
            _ordered(claims_by_pair.get(pair, ())),
            _ordered(against.get(pair, ())),
        )
        for number, pair in enumerate([*wanted, *found])
    ]


def next_due(claims: Iterable[Claim], now: datetime) -> datetime | None:
    """When the first valid claim expires; None if none is valid."""
    return min((claim.until for claim in claims if claim.until > now), default=None)


def _found(
    claims_by_pair: Mapping[Ends, list[Claim]], taken: dict[int, Ends], wanted: list[Ends]
) -> list[Ends]:
    """The most reliable links that are not declared, port by port; fills `taken`."""
    found = []
    for pair in sorted(
        claims_by_pair.keys() - set(wanted), key=lambda pair: _belief(pair, claims_by_pair[pair])
    ):
        if not any(port in taken for port in pair):
            taken.update(dict.fromkeys(pair, pair))
            found.append(pair)
    return found


def _belief(pair: Ends, claims: list[Claim]) -> tuple[int, float, Ends]:
    best = min(RANK[claim.source] for claim in claims)
    latest = max(claim.since.timestamp() for claim in claims if RANK[claim.source] == best)
    return best, -latest, pair


def _against(
    claims_by_pair: Mapping[Ends, list[Claim]],
    taken: Mapping[int, Ends],
    kept: list[Ends],
    numbered: frozenset[int],
) -> dict[Ends, list[Claim]]:
    """Link -> claims that name another end for one of its ports."""
    against: dict[Ends, list[Claim]] = {}
    for pair in claims_by_pair.keys() - set(kept):
        for winner in {taken[port] for port in pair if port in taken}:
            contrary = [claim for claim in claims_by_pair[pair] if _contradicts(claim, winner, numbered)]
            if contrary:
                against.setdefault(winner, []).extend(contrary)
    return against


def _contradicts(claim: Claim, link: Ends, numbered: frozenset[int]) -> bool:
    return claim.source != "subnet" or all(port in numbered for port in link)


def _ordered(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    return tuple(sorted(claims, key=lambda claim: (RANK[claim.source], claim.by, claim.ends)))
