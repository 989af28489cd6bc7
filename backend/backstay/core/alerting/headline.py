"""The headline of a site: what is wrong, why, and how many paths it concerns, from one snapshot's totals.

Dead paths are always in the first sentence. Every number is a total that the same page shows elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from backstay.core.formatting import count, listing, part_of

TILE_ITEMS = 5
"""Items that a tile of the overview shows."""
Outcome = Literal["preferred", "rerouted", "dead", "unknown"]
"""Of a path, exactly one: it delivers through its preferred gateway or through another, it delivers nothing,
or nobody knows."""
Reason = Literal["unreachable", "not forwarding", "no route", "unused", "held", "fault"]
_PREDICATES: dict[Reason, str] = {
    "unreachable": " is unreachable",
    "not forwarding": " is reachable but not forwarding",
    "no route": ": no route",
    "unused": " failed over",
    "held": " is held by an operator",
    "fault": "",
}
_WORST_REASON: tuple[Reason, ...] = tuple(_PREDICATES)
MAX_CULPRITS = 2
"""Causes that the headline names; the rest is counted."""


@dataclass(frozen=True, slots=True)
class AffectedPath:
    """A dead or rerouted path, and what a node's own observations blame."""

    id: int
    outcome: Outcome
    culprit: str
    """A gateway's name, the target's address, a policy's or a node's name; with `fault`: a clause."""
    reason: Reason
    onto: str = ""
    """The gateway in use, if the path is rerouted."""


@dataclass(frozen=True, slots=True)
class Culprit:
    """One cause of dead and rerouted paths."""

    text: str
    """`grf1 is unreachable`."""
    dead: tuple[int, ...]
    rerouted: tuple[int, ...]
    """Ids of paths."""
    onto: tuple[str, ...]
    """Gateways in use instead."""

    @property
    def effect(self) -> str:
        """`3 paths dead, 7 rerouted to atmgw`."""
        return effect(len(self.dead), len(self.rerouted), self.onto)


def effect(dead: int, rerouted: int, onto: Iterable[str]) -> str:
    """`3 paths dead, 7 rerouted to atmgw`; empty if no path is affected."""
    parts = [f"{count(dead, 'path')} dead"] if dead else []
    if rerouted:
        number = str(rerouted) if dead else count(rerouted, "path")
        parts.append(f"{number} rerouted to {listing(sorted(onto))}")
    return ", ".join(parts)


def culprits(paths: Iterable[AffectedPath]) -> list[Culprit]:
    """The causes, those of most dead paths first; each path has exactly one."""
    found: dict[str, list[AffectedPath]] = {}
    for path in paths:
        found.setdefault(path.culprit, []).append(path)
    named = [_culprit(name, mine) for name, mine in found.items()]
    return sorted(named, key=lambda item: (-len(item.dead), -len(item.rerouted), item.text))


def _culprit(name: str, paths: list[AffectedPath]) -> Culprit:
    reason = min((path.reason for path in paths), key=_WORST_REASON.index)
    rerouted = [path for path in paths if path.outcome == "rerouted"]
    return Culprit(
        text=f"{name}{_PREDICATES[reason]}",
        dead=tuple(path.id for path in paths if path.outcome == "dead"),
        rerouted=tuple(path.id for path in rerouted),
        onto=tuple(sorted({path.onto for path in rerouted})),
    )


@dataclass(frozen=True, slots=True)
class PathTotals:
    """Paths by outcome."""

    preferred: int = 0
    rerouted: int = 0
    dead: int = 0
    unknown: int = 0

    @property
    def total(self) -> int:
        return self.preferred + self.rerouted + self.dead + self.unknown


@dataclass(frozen=True, slots=True)
class HeadlineFacts:
    """Totals of one snapshot."""

    nodes: int
    links: int
    silent_nodes: int
    """Nodes that do not report."""
    not_reporting: int
    """Nodes and agents of the tile."""
    paths: PathTotals
    culprits: tuple[Culprit, ...]
    problems: int
    worst_problems: tuple[str, ...]
    """Titles of the most urgent ones that no culprit names; at most `MAX_CULPRITS` are written."""
    full: int
    """Link directions above the saturation threshold."""
    awaiting: Mapping[str, int]
    """Awaited action (`confirmation`, `approval`, `start`) -> changes."""
    held: str
    """Held nodes as text; empty: none."""
    evaluation_late: bool = False
    """Whether new problems would not be known, because the alert rules are not evaluated."""


def headline(facts: HeadlineFacts) -> str:
    """One to seven short sentences; the first one is the worst."""
    if facts.nodes and facts.silent_nodes >= facts.nodes:
        return "No node is reporting: no value here is live. Check the agents."
    affected, others = _affected(facts), _others(facts)
    if facts.problems:
        return " ".join([*affected, _problems(facts), *others])
    in_doubt = facts.paths.unknown or facts.not_reporting or facts.evaluation_late
    nothing = "No known problems." if in_doubt else "No problems."
    return " ".join([nothing, *(others or [_quiet(facts)])])


def _problems(facts: HeadlineFacts) -> str:
    """With the titles of the first ones that the headline has not named already."""
    text = f"{count(facts.problems, 'problem needs', 'problems need')} attention"
    titles = [title.removesuffix(".") for title in facts.worst_problems[:MAX_CULPRITS]]
    if not titles or facts.problems <= len(facts.culprits):
        return f"{text}."
    if facts.culprits:
        return f"{text}, among them {'; '.join(titles)}."
    rest = facts.problems - len(titles)
    return f"{text}: {'; '.join(titles)}{f'; and {rest} more' if rest else ''}."


def _affected(facts: HeadlineFacts) -> list[str]:
    paths = facts.paths
    if not facts.culprits:
        return []
    first = facts.culprits[0]
    if len(facts.culprits) == 1:
        return [f"{first.text}: {first.effect}."]
    onto = {name for item in facts.culprits for name in item.onto}
    named = [item.text for item in facts.culprits[:MAX_CULPRITS]]
    rest = len(facts.culprits) - len(named)
    more = f"; {count(rest, 'more cause')}" if rest else ""
    whole = effect(paths.dead, paths.rerouted, onto)
    return [f"{whole[0].upper()}{whole[1:]}: {'; '.join(named)}{more}."]


def _others(facts: HeadlineFacts) -> list[str]:
    found = []
    if facts.paths.unknown:
        found.append(f"{part_of(facts.paths.unknown, facts.paths.total, 'path')} unknown.")
    if facts.full:
        found.append(f"{count(facts.full, 'link direction is', 'link directions are')} full.")
    if any(facts.awaiting.values()):
        found.append(_awaiting(facts.awaiting))
    if facts.held:
        found.append(f"{facts.held}.")
    if facts.not_reporting:
        found.append(f"{facts.not_reporting} not reporting.")
    return found


def _awaiting(awaiting: Mapping[str, int]) -> str:
    known = [(action, number) for action, number in awaiting.items() if number]
    total = sum(number for _, number in known)
    subject = count(total, "change awaits", "changes await")
    if len(known) == 1:
        return f"{subject} {known[0][0]}."
    return f"{subject} action: {listing([f'{number} {action}' for action, number in known])}."


def _quiet(facts: HeadlineFacts) -> str:
    parts = f"{count(facts.nodes, 'node')} and {count(facts.links, 'link')} are reporting"
    if not facts.paths.total:
        return f"{parts}."
    return f"{parts}, every path is on its preferred gateway."
