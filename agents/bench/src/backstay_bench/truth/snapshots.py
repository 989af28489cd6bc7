"""Snapshot of every surface: JSON of the API and of the command line."""

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


def states_number(text: str, number: int) -> bool:
    """Whether a sentence contains the number as a word: `grf1` does not state 1."""
    for mark in ",.:;()":
        text = text.replace(mark, " ")
    return str(number) in text.split()


def end_to_end(path: Json) -> str:
    """End-to-end state, the display state of an answer without one. An unverified path (it has no target) is
    displayed as unknown, and is not."""
    return str(path.get("end_to_end", path["state"]))


@dataclass(frozen=True)
class Snapshots:
    """One moment of one site. Lists are complete: all pages."""

    overview: Json
    topology: Json
    """The map."""
    paths: list[Json]
    links: list[Json]
    nodes: list[Json]
    incidents: list[Json]
    """Open and acknowledged."""
    groups: list[Json] = field(default_factory=list)
    """Groups of the newest events; empty also if they were not read."""
    details: dict[int, Json] = field(default_factory=dict)
    """Id -> a root cause with its evidence."""
    labels: Json = field(default_factory=dict)
    """Fact -> its states -> glyph and label, as the API describes them for its clients."""
    cli_status: Json = field(default_factory=dict)
    """`backstay status --json`; empty: the command line was not read."""
    cli_paths: list[Json] = field(default_factory=list)
    """`backstay paths --json`."""
    cli_tables: dict[str, str] = field(default_factory=dict)
    """Of `paths`, `links` and `gateways` as they are printed."""
    cli_incidents: list[Json] = field(default_factory=list)
    """`backstay incidents --json`: root causes."""
    cli_groups: list[Json] = field(default_factory=list)
    """`backstay events --grouped --json`."""

    @property
    def paths_in_force(self) -> list[Json]:
        """Paths that count: not those of drafts."""
        return [path for path in self.paths if path.get("in_force", True)]

    @property
    def dead_paths(self) -> list[Json]:
        """Paths that reporting nodes report without a route or without an answer of the target."""
        return [path for path in self.paths_in_force if end_to_end(path) in {"dead", "critical"}]

    @property
    def rerouted_paths(self) -> list[Json]:
        """Working paths on a fallback."""
        moved = [path for path in self.paths_in_force if path["on_fallback"]]
        return [path for path in moved if end_to_end(path) not in {"dead", "critical", "unknown"}]

    @property
    def silent_nodes(self) -> frozenset[str]:
        """Names of nodes from which no recent report is shown."""
        return frozenset(node["name"] for node in self.nodes if node["reporting"] != "reporting")

    @property
    def roots(self) -> list[Json]:
        """Incidents without a root cause of their own, or that have outlasted it."""
        known = {incident["id"] for incident in self.incidents}
        return [incident for incident in self.incidents if incident["cause_id"] not in known]

    def tile(self, kind: str) -> Json:
        """A tile of the overview; empty if it has none of that kind."""
        return next((tile for tile in self.overview["tiles"] if tile["kind"] == kind), {})
