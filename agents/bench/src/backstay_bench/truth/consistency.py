"""Contradictions between surfaces that show the same moment. Pure.

Each check compares two surfaces and returns what they disagree about. A value that one surface computes and
another one lists must be equal; a summary may be coarser than a list, and never better.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from backstay_bench.truth.snapshots import Json, Snapshots, end_to_end, states_number

_CALM = ("no problems", "every path is on its preferred gateway", "nothing is broken")
_WORSE = {"ok": 0, "unknown": 1, "disabled": 1, "warning": 2, "critical": 3}
"""Incidents have the states warning and critical only."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two surfaces that cannot both be right."""

    surfaces: str
    """`overview, paths`."""
    text: str

    def __str__(self) -> str:
        return f"{self.surfaces}: {self.text}"


def consistency(snapshots: Snapshots) -> list[Contradiction]:
    """All contradictions of one moment, by check."""
    return [Contradiction(surfaces, text) for surfaces, check in CHECKS for text in check(snapshots)]


def lasting(earlier: list[Contradiction], later: list[Contradiction]) -> list[Contradiction]:
    """Contradictions of two moments: surfaces that were read while something changed disagree only once."""
    return [item for item in later if item in earlier]


def _counts(known: Snapshots) -> Iterator[str]:
    overview = known.overview
    expected = {
        "paths_total": len(known.paths_in_force),
        "paths_on_fallback": len(known.rerouted_paths),
        "paths_dead": len(known.dead_paths),
        "paths_unknown": sum(end_to_end(path) == "unknown" for path in known.paths_in_force),
    }
    for field, number in expected.items():
        if field in overview and overview[field] != number:
            yield f"{field} is {overview[field]}, the list has {number}"


def _incident_counts(known: Snapshots) -> Iterator[str]:
    expected = {"open_incidents": len(known.incidents), "root_causes": len(known.roots)}
    for field, number in expected.items():
        if field in known.overview and known.overview[field] != number:
            yield f"{field} is {known.overview[field]}, the list has {number}"


def _problems(known: Snapshots) -> Iterator[str]:
    """Every critical root is a problem, unless the tile shows only the first ones."""
    tile = known.tile("problems")
    titles = {item["title"] for item in tile.get("items", ())}
    if tile.get("total", 0) > len(titles):
        return
    for root in known.roots:
        if root["state"] == "critical" and root["title"] not in titles:
            yield f"the critical incident {root['title']!r} is no problem"


def _headline(known: Snapshots) -> Iterator[str]:
    text = known.overview["headline"].casefold()
    calm = next((phrase for phrase in _CALM if phrase in text), None)
    dead, moved = len(known.dead_paths), len(known.rerouted_paths)
    if calm is not None and (dead or moved):
        yield f"the headline says {calm!r} with {dead} dead and {moved} rerouted paths"
    if dead and not states_number(text, dead):
        yield f"the headline does not state the {dead} dead paths: {known.overview['headline']!r}"


def _silent(known: Snapshots) -> Iterator[str]:
    silent = {node["name"] for node in known.topology["nodes"] if _is_silent(node)}
    tile = known.tile("not_reporting")
    listed = {item["title"] for item in tile.get("items", ())}
    if tile.get("total", 0) < len(silent):
        names = ", ".join(sorted(silent))
        yield f"{tile.get('total', 0)} are not reporting, the map has {len(silent)}: {names}"
    for name in sorted(listed):
        node = next((item for item in known.topology["nodes"] if item["name"] == name), None)
        if node is not None and node["state"] == "ok":
            yield f"{name} is not reporting and green on the map"


def _is_silent(node: Json) -> bool:
    return bool(node["kind"] != "fabric" and node["state"] == "unknown")


def _map_links(known: Snapshots) -> Iterator[str]:
    listed = {link["id"]: link for link in known.links}
    for link in known.topology["links"]:
        other = listed.get(link["id"])
        if other is None:
            yield f"{link['name']} is on the map only"
            continue
        for field in ("state", "carries"):
            if link[field] != other[field]:
                yield f"{link['name']} is {link[field]} on the map, {other[field]} in the list"


def _map_nodes(known: Snapshots) -> Iterator[str]:
    listed = {node["id"]: node for node in known.nodes}
    for node in known.topology["nodes"]:
        if node["kind"] != "fabric" and node["id"] in listed:
            other = listed[node["id"]]["state"]
            if node["state"] != other:
                yield f"{node['name']} is {node['state']} on the map, {other} in the list"


def _paths_on_map(known: Snapshots) -> Iterator[str]:
    """A dead path is drawn dead on a link of its own, never as a standby."""
    links = {link["id"]: link for link in known.topology["links"]}
    for path in known.dead_paths:
        drawn = [links[link]["carries"] for link in path["links"] if link in links]
        if drawn and not {"dead", "active"} & set(drawn):
            yield f"the dead path {path['name']} is drawn as {', '.join(sorted(set(drawn)))}"


def _covered(known: Snapshots) -> Iterator[str]:
    """Every dead path of a deployed policy has an incident, directly or through the incident's root cause."""
    covered = {path for incident in known.incidents for path in incident["path_ids"]}
    for path in known.dead_paths:
        if path["id"] not in covered:
            yield f"no incident covers the dead path {path['name']} of {path['policy']}"


def _green(known: Snapshots) -> Iterator[str]:
    """Green requires a passing end-to-end probe."""
    for path in known.paths:
        if path["state"] == "ok" and path["target"] and path["target_alive"] is not True:
            yield f"{path['name']} is ok, but its target is not known to be reachable"


def _causes(known: Snapshots) -> Iterator[str]:
    by_id = {incident["id"]: incident for incident in known.incidents}
    for incident in known.incidents:
        cause = by_id.get(incident["cause_id"])
        if cause is None:
            continue  # It has none, or has outlasted it.
        if cause["cause_id"] is not None:
            yield f"the root cause of {incident['title']!r} has a root cause itself"
        if _WORSE[cause["state"]] < _WORSE[incident["state"]]:
            yield f"{incident['title']!r} is {incident['state']}, its root cause is {cause['state']}"


def _carrier(known: Snapshots) -> Iterator[str]:
    """A link whose ends have carrier is never down; one without is never in use."""
    for link in known.links:
        carriers = [link[end].get("carrier") for end in ("source", "target")]
        if all(carrier is True for carrier in carriers) and "down" in link["state_text"].split():
            yield f"{link['name']} has carrier at both ends and is {link['state_text']!r}"
        if False in carriers and link["state"] == "ok":
            yield f"{link['name']} has no carrier and is ok"


def _node_incidents(known: Snapshots) -> Iterator[str]:
    """A reporting node with a critical root incident about itself is not green."""
    critical = {item["node_id"] for item in known.roots if item["state"] == "critical"} - {None}
    for node in known.topology["nodes"]:
        if node["kind"] != "fabric" and node["id"] in critical and node["state"] == "ok":
            yield f"{node['name']} is green and has a critical incident"


def _command_line(known: Snapshots) -> Iterator[str]:
    if not known.cli_status:
        return
    for field in ("paths_total", "paths_on_fallback", "paths_dead", "open_incidents", "headline"):
        ours, theirs = known.overview.get(field), known.cli_status.get(field)
        if field != "headline" and ours != theirs:
            yield f"`backstay status` has {field} {theirs}, the API {ours}"
    yield from _same_paths({path["id"]: path for path in known.paths}, known.cli_paths)


def _same_paths(listed: Mapping[int, Json], shown: list[Json]) -> Iterator[str]:
    if len(listed) != len(shown):
        yield f"`backstay paths` has {len(shown)} paths, the API {len(listed)}"
    for path in shown:
        other = listed.get(path["id"])
        for field in ("state", "active", "on_fallback"):
            if other is not None and path[field] != other[field]:
                yield f"`backstay paths`: {path['name']} has {field} {path[field]}, the API {other[field]}"


CHECKS: tuple[tuple[str, Callable[[Snapshots], Iterator[str]]], ...] = (
    ("overview, paths", _counts),
    ("overview, incidents", _incident_counts),
    ("overview, incidents", _problems),
    ("overview, paths", _headline),
    ("overview, map", _silent),
    ("map, links", _map_links),
    ("map, devices", _map_nodes),
    ("map, paths", _paths_on_map),
    ("paths, incidents", _covered),
    ("paths", _green),
    ("incidents", _causes),
    ("links", _carrier),
    ("map, incidents", _node_incidents),
    ("command line, API", _command_line),
)
"""(the surfaces, the check)."""
