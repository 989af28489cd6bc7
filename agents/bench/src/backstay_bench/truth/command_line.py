"""Contradictions between the command line and the API. Pure.

`--json` is compared by field, and printed tables by the words for each state.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from backstay_bench.truth.snapshots import Json, Snapshots

_COUNTS = ("paths_total", "paths_on_fallback", "paths_dead", "paths_unknown", "open_incidents", "root_causes")
_OF_PATH = ("state", "active", "on_fallback", "end_to_end", "placement", "standby", "standby_dead")
_OF_INCIDENT = ("title", "state", "phase", "effects", "runbook")
_OF_GROUP = ("title", "detail", "state", "rerouted", "dead", "affected")
Row = tuple[str, str, dict[str, str]]
"""First word of a printed row, the object's name, and fact -> state that the row shows in words."""


def command_line(known: Snapshots) -> Iterator[str]:
    """What `backstay status`, `paths`, `links`, `gateways`, `incidents` and `events --grouped` have otherwise
    than the API.
    """
    if not known.cli_status:
        return
    for field in _COUNTS:
        ours, theirs = known.overview.get(field), known.cli_status.get(field)
        if ours != theirs:
            yield f"`backstay status` has {field} {theirs}, the API {ours}"
    yield from _same("paths", _OF_PATH, known.paths, known.cli_paths)
    yield from _same("incidents", _OF_INCIDENT, known.roots, known.cli_incidents)
    yield from _differing("events --grouped", _OF_GROUP, _by(known.groups, "key"), known.cli_groups, "key")
    tables = {"paths": _path_rows(known), "links": _link_rows(known), "gateways": _gateway_rows(known)}
    for verb, rows in tables.items():
        yield from _labels_printed(verb, known.cli_tables[verb], rows, known.labels)


def _path_rows(known: Snapshots) -> Iterator[Row]:
    for path in known.paths:
        yield str(path["id"]), path["name"], {fact: path[fact] for fact in ("end_to_end", "standby")}


def _link_rows(known: Snapshots) -> Iterator[Row]:
    for link in known.links:
        yield link["name"], link["name"], {"carrier": link["carrier"], "link_use": link["carries"]}


def _gateway_rows(known: Snapshots) -> Iterator[Row]:
    for node in known.nodes:
        if node["gateway"] is not None:
            role, reachability = node["gateway"]["role"], node["gateway"]["reachability"]
            yield node["name"], node["name"], {"gateway_role": role, "reachability": reachability}


def _by(items: Sequence[Json], key: str) -> dict[str, Json]:
    return {str(item[key]): item for item in items}


def _same(verb: str, fields: Sequence[str], listed: Sequence[Json], printed: Sequence[Json]) -> Iterator[str]:
    """The same objects with the same values of these fields."""
    if len(listed) != len(printed):
        yield f"`backstay {verb}` has {len(printed)} {verb}, the API {len(listed)}"
    yield from _differing(verb, fields, _by(listed, "id"), printed, "id")


def _differing(
    verb: str, fields: Sequence[str], listed: Mapping[str, Json], printed: Sequence[Json], key: str
) -> Iterator[str]:
    for item in printed:
        other = listed.get(str(item[key]))
        name = item.get("name") or item.get("title")
        for field in fields:
            if other is not None and item.get(field) != other.get(field):
                yield f"`backstay {verb}`: {name} has {field} {item.get(field)}, the API {other.get(field)}"


def _labels_printed(verb: str, printed: str, rows: Iterable[Row], labels: Json) -> Iterator[str]:
    """Each object has a row with the API's words for its states."""
    lines: dict[str, list[str]] = {}
    for line in filter(str.strip, printed.splitlines()):
        lines.setdefault(line.split(maxsplit=1)[0], []).append(line)
    for first, name, states in rows:
        if first not in lines:
            yield f"`backstay {verb}` prints no row for {name}"
            continue
        for fact, state in states.items():
            spec = labels[fact][state]
            if not any(f"{spec['glyph']} {spec['label']}" in line for line in lines[first]):
                yield f"`backstay {verb}` does not print {spec['label']!r} for {name}"
