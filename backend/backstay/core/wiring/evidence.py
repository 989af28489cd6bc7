"""From what sources say of cables to links and contradictions.

The site file's links stand, whatever others say: they are what is meant, and a contradiction is shown on
them. Every other port has at most one link. Where sources name different ends, the order of belief is

    infiniband   the subnet's own sweep: it walked the cable
    lldp         a neighbour's name, sent over the cable itself (IEEE 802.1AB)
    fdb          the only address that a bridge learnt behind a port
    subnet       two ports that alone share a network of two addresses (/30, /31: RFC 3021)

and within one source what began to be said last: a cable that was moved is the news. Evidence that was
not repeated for three of its intervals counts no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Source = Literal["infiniband", "lldp", "fdb", "subnet"]
RANK: dict[Source, int] = {"infiniband": 0, "lldp": 1, "fdb": 2, "subnet": 3}
"""The smaller, the more it is believed."""
LIFETIME_INTERVALS = 3
LEAST_PERIOD_S = 60.0
"""Of a source that was heard once only: agents repeat what they know of a device each minute."""

Ends = tuple[int, int]
"""Two port ids, the smaller first."""


def ends(one: int, other: int) -> Ends:
    """The same whichever end is named first."""
    return (one, other) if one < other else (other, one)


@dataclass(frozen=True, slots=True)
class Claim:
    """One device's word, from one source, that two ports are joined."""

    source: Source
    by: int
    """Node id of who says so."""
    ends: Ends
    since: datetime
    """When it first said so."""
    until: datetime
    """When it counts no more unless it is repeated."""


@dataclass(frozen=True, slots=True)
class Joint:
    """One link: what is drawn, who says so, and who contradicts."""

    ends: Ends
    declared: bool
    evidence: tuple[Claim, ...]
    conflicts: tuple[Claim, ...]


def judge(
    declared: Iterable[Ends], claims: Iterable[Claim], numbered: frozenset[int], now: datetime
) -> list[Joint]:
    """The links of a site, those of the site file first.

    `numbered`: ports with addresses. Two ends that share a small network may well have a switch in between,
    so that kind of evidence contradicts only a link both of whose ports have addresses of their own.
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
    """When the first of them grows too old; None when none is in force."""
    return min((claim.until for claim in claims if claim.until > now), default=None)


def _found(
    claims_by_pair: Mapping[Ends, list[Claim]], taken: dict[int, Ends], wanted: list[Ends]
) -> list[Ends]:
    """The best of what nobody declared, port by port; fills `taken`."""
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
    """Link -> the claims that name another end for one of its ports."""
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
