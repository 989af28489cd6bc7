"""The headline of a site at a past moment. It never says that all was well: history may lack a problem."""

from __future__ import annotations

from dataclasses import dataclass

from backstay.core.alerting.headline import MAX_CULPRITS, PathTotals
from backstay.core.formatting import count, part_of


@dataclass(frozen=True, slots=True)
class PastHeadlineFacts:
    """Totals of one moment."""

    nodes: int
    measured: int
    """Nodes of which a port was measured."""
    paths: PathTotals
    problems: int
    worst_problems: tuple[str, ...]
    """Titles, the most urgent first; at most `MAX_CULPRITS` are written."""
    full: int
    """Link directions above the saturation threshold."""
    held_nodes: int


def past_headline(facts: PastHeadlineFacts) -> str:
    """Two to six short sentences; the first one is the worst."""
    if not facts.measured and not facts.problems and facts.paths.unknown == facts.paths.total:
        return "Nothing was measured at that time: history does not know its states."
    parts = [*_paths(facts.paths), _problems(facts)]
    if facts.full:
        parts.append(f"{count(facts.full, 'link direction was', 'link directions were')} full.")
    if facts.paths.unknown:
        parts.append(f"{part_of(facts.paths.unknown, facts.paths.total, 'path')} unknown.")
    if facts.held_nodes:
        parts.append(f"{count(facts.held_nodes, 'node was', 'nodes were')} held.")
    missing = facts.nodes - facts.measured
    whole = f"{part_of(facts.nodes, facts.nodes, 'node')} measured."
    parts.append(f"{part_of(missing, facts.nodes, 'node')} not measured." if missing else whole)
    return " ".join(parts)


def _paths(paths: PathTotals) -> list[str]:
    if paths.dead and paths.rerouted:
        return [f"{count(paths.dead, 'path was', 'paths were')} dead, {paths.rerouted} on a fallback."]
    if paths.dead:
        return [f"{count(paths.dead, 'path was', 'paths were')} dead."]
    if paths.rerouted:
        return [f"{count(paths.rerouted, 'path was', 'paths were')} on a fallback."]
    return []


def _problems(facts: PastHeadlineFacts) -> str:
    if not facts.problems:
        return "No incident was open."
    titles = [title.removesuffix(".") for title in facts.worst_problems[:MAX_CULPRITS]]
    rest = facts.problems - len(titles)
    text = count(facts.problems, "problem was", "problems were")
    return f"{text} open: {'; '.join(titles)}{f'; and {rest} more' if rest else ''}."
