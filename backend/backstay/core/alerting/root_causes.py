"""Which open incident is the root cause of which others, from the objects that they share and their times.

A root cause is of a more general kind than its effect, covers the same objects, and did not begin after the
effect. The result does not depend on the order in which incidents opened, and never forms a chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Literal

from backstay.core.thresholds import ROUND_S

AFTERMATH = timedelta(seconds=10)
"""Time after the end of a root cause in which its effects may begin, or last: paths return one after the
other."""


class CauseRank(IntEnum):
    """Role of an incident kind: a kind can be the root cause of higher ranks only."""

    REPORTING_LOST = 0
    FABRIC_DOWN = 1
    GATEWAY_DOWN = 2
    NODE_UNREACHABLE = 3
    LINK_DOWN = 4
    FAILED_OVER = 5
    """Root cause of effects at its gateway while nothing more general is found, also of its own kind."""
    EFFECT = 6
    """Can have a root cause; cannot be one."""
    INDEPENDENT = 7
    """Has no root cause and is none."""


MAX_WAITS: Mapping[CauseRank, timedelta] = {
    CauseRank.LINK_DOWN: timedelta(seconds=ROUND_S),
    CauseRank.FAILED_OVER: timedelta(seconds=2 * ROUND_S),
    CauseRank.EFFECT: timedelta(seconds=2 * ROUND_S),
}
"""How long an incident that was found waits for its root cause before it is shown without one, by its rank.
Carriers and routes are reported at once; that a gateway is at fault is known once several nodes' probes have
failed, one or two rounds later. Other ranks do not wait."""
EFFECTS = frozenset({CauseRank.FAILED_OVER, CauseRank.EFFECT})
"""Ranks of what normally has a root cause, which may be found by its paths."""
_DISTURBING = frozenset({CauseRank.FABRIC_DOWN, CauseRank.GATEWAY_DOWN, CauseRank.LINK_DOWN})
"""Ranks of causes whose recovery moves paths."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Ids of objects: those that an incident is about, or those that a root cause covers."""

    nodes: frozenset[int] = frozenset()
    links: frozenset[int] = frozenset()
    paths: frozenset[int] = frozenset()
    gateways: frozenset[int] = frozenset()
    """Gateways of paths, as far as their failure can be the reason."""

    def shared(self, other: Scope) -> int:
        """Number of objects in both."""
        return (
            len(self.nodes & other.nodes)
            + len(self.links & other.links)
            + len(self.paths & other.paths)
            + len(self.gateways & other.gateways)
        )


NOTHING = Scope()


@dataclass(frozen=True, slots=True)
class Trouble:
    """The fields of an open incident that the cause search needs."""

    id: int
    name: str
    """The fingerprint: it decides between equal causes."""
    rank: CauseRank
    since: datetime
    scope: Scope = NOTHING
    """The objects that it is about."""
    covers: Scope = NOTHING
    """The objects that it explains."""
    until: datetime | None = None
    """When it was resolved; None: it lasts."""


@dataclass(slots=True)
class _Index:
    """Possible root causes by the objects that they cover."""

    nodes: dict[int, list[Trouble]] = field(default_factory=dict)
    links: dict[int, list[Trouble]] = field(default_factory=dict)
    paths: dict[int, list[Trouble]] = field(default_factory=dict)
    gateways: dict[int, list[Trouble]] = field(default_factory=dict)

    def add(self, trouble: Trouble) -> None:
        covers = trouble.covers
        for index, ids in zip(self._indexes(), _parts(covers), strict=True):
            for ident in ids:
                index.setdefault(ident, []).append(trouble)

    def covering(self, scope: Scope) -> dict[int, Trouble]:
        """By id."""
        found = {}
        for index, ids in zip(self._indexes(), _parts(scope), strict=True):
            for ident in ids:
                found.update({trouble.id: trouble for trouble in index.get(ident, ())})
        return found

    def _indexes(self) -> tuple[dict[int, list[Trouble]], ...]:
        return self.nodes, self.links, self.paths, self.gateways


def _parts(scope: Scope) -> tuple[frozenset[int], ...]:
    return scope.nodes, scope.links, scope.paths, scope.gateways


def explain(
    troubles: Iterable[Trouble], watchers: Mapping[int, int], tolerance: timedelta
) -> dict[int, int | None]:
    """Map each incident id to the id of its root cause, or None if it has none.

    `watchers` maps a device to the node whose agent polls it. An effect may be noticed up to `tolerance`
    before its cause, and may be resolved before its cause is found. A cause that lasts goes before a resolved
    one.
    """
    known = sorted(troubles, key=lambda trouble: trouble.name)
    index = _Index()
    for trouble in known:
        if trouble.rank < CauseRank.EFFECT:
            index.add(trouble)
    causes = {trouble.id: _cause(trouble, index.covering(trouble.scope), tolerance) for trouble in known}
    causes |= _collector_causes(known, watchers, causes)
    return {effect: _end(effect, causes) for effect in causes}


def ready(
    troubles: Iterable[Trouble],
    waiting: Mapping[int, datetime],
    watchers: Mapping[int, int],
    tolerance: timedelta,
    now: datetime,
) -> set[int]:
    """Ids of the waiting incidents to show: their root cause is shown and lasts, or they have waited enough.

    `waiting`: id -> since when. Only what is shown can be a root cause, so the result depends neither on the
    order in which incidents were found nor on what else waits.
    """
    known = list(troubles)
    ranks = {trouble.id: trouble.rank for trouble in known}
    found = {
        ident for ident, since in waiting.items() if now - since >= MAX_WAITS.get(ranks[ident], timedelta())
    }
    hidden = waiting.keys() - found
    seen = [replace(item, covers=NOTHING) if item.id in hidden else item for item in known]
    lasting = {trouble.id for trouble in known if trouble.until is None}
    causes = explain(seen, watchers, tolerance)
    return found | {ident for ident in hidden if causes[ident] in lasting}


def _cause(effect: Trouble, candidates: Mapping[int, Trouble], tolerance: timedelta) -> int | None:
    possible = [
        cause
        for cause in candidates.values()
        if _may_cause(cause, effect) and effect.since >= cause.since - tolerance and _overlap(cause, effect)
    ]
    if not possible:
        return None
    return min(possible, key=lambda cause: (*_preference(cause, effect), cause.name)).id


def _overlap(cause: Trouble, effect: Trouble) -> bool:
    """Whether they lasted at one time; paths that a recovery disturbs begin shortly after its cause ended."""
    if cause.until is not None:
        is_of_paths = cause.rank in _DISTURBING and effect.rank >= CauseRank.FAILED_OVER
        if not is_of_paths or effect.since > cause.until + AFTERMATH:
            return False
    return effect.until is None or effect.until >= cause.since


def _preference(cause: Trouble, effect: Trouble) -> tuple[bool, int, int]:
    return cause.until is not None, -cause.covers.shared(effect.scope), cause.rank


def _may_cause(cause: Trouble, effect: Trouble) -> bool:
    if cause.id == effect.id or effect.rank == CauseRank.INDEPENDENT:
        return False
    if cause.rank == effect.rank == CauseRank.FAILED_OVER:
        return cause.name < effect.name
    return cause.rank < effect.rank


def _collector_causes(
    known: list[Trouble], watchers: Mapping[int, int], causes: Mapping[int, int | None]
) -> dict[int, int | None]:
    """Unreachable devices whose collecting agent's node is unreachable too, if nothing else explains them."""
    unreachable = {
        node: trouble.id
        for trouble in known
        if trouble.rank == CauseRank.NODE_UNREACHABLE and trouble.until is None
        for node in trouble.scope.nodes
    }
    return {
        incident: unreachable[watchers[node]]
        for node, incident in unreachable.items()
        if causes[incident] is None and watchers.get(node, node) != node and watchers[node] in unreachable
    }


def _end(effect: int, causes: Mapping[int, int | None]) -> int | None:
    """The last cause of a chain; None for a cycle, which `watchers` can form."""
    seen, cause = {effect}, causes[effect]
    while cause is not None and causes.get(cause) is not None:
        if cause in seen:
            return None
        seen.add(cause)
        cause = causes[cause]
    return cause


def remains(troubles: Iterable[Trouble], causes: Mapping[int, int | None], now: datetime) -> set[int]:
    """Ids of effects that last although their root cause ended less than `AFTERMATH` ago."""
    ends = {trouble.id: trouble.until for trouble in troubles}
    effects = {effect: ends.get(cause) for effect, cause in causes.items() if cause is not None}
    return {
        effect
        for effect, end in effects.items()
        if end is not None and ends[effect] is None and now - end < AFTERMATH
    }


GroupSeverity = Literal["warning", "critical"]


def group_severities(
    causes: Mapping[int, int | None], own: Mapping[int, GroupSeverity]
) -> dict[int, GroupSeverity]:
    """Incident id -> its severity: a root cause is at least as severe as its worst effect."""
    found = dict(own)
    for effect, cause in causes.items():
        if cause is not None and own[effect] == "critical":
            found[cause] = "critical"
    return found
