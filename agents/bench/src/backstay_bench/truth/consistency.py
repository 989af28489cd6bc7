"""Contradictions between surfaces that show the same moment. Pure.

Each check compares two surfaces and returns what they disagree about. A value that one surface computes and
another one lists must be equal; a summary may be coarser than a list, and never better.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from backstay_bench.truth.command_line import command_line
from backstay_bench.truth.snapshots import Json, Snapshots, end_to_end, states_number

_CALM = ("no problems", "every path is on its preferred gateway", "nothing is broken")
_STANDBYS = ("verified", "not verified", "dead")
"""The best first."""
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
    """A link with carrier is never down; one without is never in use."""
    for link in known.links:
        if link["carrier"] == "up" and "down" in link["state_text"].replace(";", " ").split():
            yield f"{link['name']} has carrier and is {link['state_text']!r}"
        if link["carrier"] in {"down", "admin_down"} and link["state"] == "ok":
            yield f"{link['name']} has no carrier and is ok"


def _node_incidents(known: Snapshots) -> Iterator[str]:
    """A reporting node with a critical root incident about itself is not green."""
    critical = {item["node_id"] for item in known.roots if item["state"] == "critical"} - {None}
    for node in known.topology["nodes"]:
        if node["kind"] != "fabric" and node["id"] in critical and node["state"] == "ok":
            yield f"{node['name']} is green and has a critical incident"


def _map_gateways(known: Snapshots) -> Iterator[str]:
    """A gateway has one role, on the map and in the list of devices."""
    listed = {node["id"]: node["gateway"] for node in known.nodes}
    for node in known.topology["nodes"]:
        if node["kind"] == "fabric" or node["id"] not in listed:
            continue
        ours, other = node["gateway"], listed[node["id"]]
        if ours != other:
            yield f"{node['name']} is {_role(ours)} on the map, {_role(other)} in the list"


def _role(gateway: Json | None) -> str:
    return "no gateway" if gateway is None else f"{gateway['role']} ({gateway['text']})"


def _gateway_uses(known: Snapshots) -> Iterator[str]:
    """A gateway's role and counts follow from the use that each path makes of it."""
    uses: dict[int, Counter[str]] = {}
    for path in known.paths:
        for gateway in path["gateways"]:
            uses.setdefault(gateway["node_id"], Counter())[gateway["use"]] += 1
    for node in known.nodes:
        if node["gateway"] is None:
            continue
        role, counted = node["gateway"]["role"], uses.get(node["id"], Counter())
        shown = {use: number for use, number in node["gateway"]["uses"].items() if number}
        if shown != counted:
            yield f"{node['name']} has the uses {shown}, its paths have {dict(counted)}"
        if role == "active" and counted["dead"]:
            yield f"{node['name']} is active, {counted['dead']} paths through it are dead"
        if role.startswith("standby") and counted["active"]:
            yield f"{node['name']} is {role}, {counted['active']} paths use it"


def _standbys(known: Snapshots) -> Iterator[str]:
    """A path's standby is the best of its gateways that are not in use, and names the dead ones."""
    for path in known.paths:
        found = [gateway for gateway in path["gateways"] if gateway["standby"] is not None]
        states = {gateway["standby"] for gateway in found}
        best = next((state for state in _STANDBYS if state in states), "none")
        if path["standby"] != best:
            yield f"{path['name']} has the standby {path['standby']}, its gateways have {best}"
        dead = {gateway["name"] for gateway in found if gateway["standby"] == "dead"}
        if dead != set(path["standby_dead"]):
            named = path["standby_dead"]
            yield f"{path['name']} names the dead standbys {named}, its gateways {sorted(dead)}"


def _groups(known: Snapshots) -> Iterator[str]:
    """A root cause that lasts has a group of events, which is not over."""
    by_incident = {group["incident_id"]: group for group in known.groups}
    oldest = min((datetime.fromisoformat(group["first_at"]) for group in known.groups), default=None)
    for root in known.roots:
        if oldest is None or datetime.fromisoformat(root["since"]) < oldest:
            continue  # Its events are on a later page.
        group = by_incident.get(root["id"])
        if group is None and not any(root["name"] in item["title"] for item in known.groups):
            yield f"no group of events shows {root['title']!r}"
        if group is not None and (group["end"] is not None or group["state"] == "ok"):
            yield f"{root['title']!r} lasts, its group of events is over"


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
    ("map, devices", _map_gateways),
    ("devices, paths", _gateway_uses),
    ("paths", _standbys),
    ("events, incidents", _groups),
    ("command line, API", command_line),
)
"""(the surfaces, the check)."""
