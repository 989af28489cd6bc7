"""Path reports without news: most reports of an agent, stored by few statements for all paths together.

A heartbeat says what is stored already. Only its time, the round-trip times and the times of the gateways
are written, and the gap before it if it comes late. The first report of a path that works is stored here
too: when a site or its backend starts, all agents send one at once. A report with any news, and all reports
of its batch with it, go through `policy.observation`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from backstay.core.model.outage import max_silence
from backstay.policy.models import PathGap
from backstay.telemetry.facts import PathSeen
from backstay.telemetry.ingest import store

Liveness = dict[str, dict[str, Any]]
"""Gateway name -> {"alive", "rtt_us", "forwards", "since"}."""

# The rows, locked in the order of their ids as `observation` locks them. Only reports of a path's own agent
# write its outages, and requests of one agent are stored one after the other.
_KNOWN = """
SELECT path.id, path.node_id, policy.site_id, policy.name, policy.probe_interval_ms, site.interval_s,
    path.active_text, path.active_id, path.at, path.target_alive, path.liveness,
    path.since IS NOT NULL AND path.observed_from IS NOT NULL,
    EXISTS (SELECT 1 FROM policy_pathoutage AS known WHERE known.path_id = path.id AND known."end" IS NULL),
    (SELECT gateway.node_id FROM policy_policygateway AS gateway
     JOIN inventory_node AS node ON node.id = gateway.node_id
     WHERE gateway.policy_id = policy.id AND node.name = path.active_text)
FROM policy_path AS path JOIN policy_failoverpolicy AS policy ON policy.id = path.policy_id
JOIN inventory_site AS site ON site.id = policy.site_id
WHERE policy.site_id = ANY (%s::bigint[]) AND policy.name = ANY (%s::text[])
    AND path.node_id = ANY (%s::bigint[])
ORDER BY path.id FOR NO KEY UPDATE OF path
"""
_STORE = """
UPDATE policy_path AS path SET at = seen.at, target_rtt_us = seen.rtt_us, liveness = seen.liveness::jsonb
FROM unnest(%s::bigint[], %s::timestamptz[], %s::int[], %s::text[]) AS seen (id, at, rtt_us, liveness)
WHERE path.id = seen.id
RETURNING path.id
"""
# Routes of paths depend on the gateways of nodes that are gateways themselves: their first report has news.
_GATEWAYS = """
SELECT policy.site_id, policy.name, node.name, node.id
FROM policy_policygateway AS gateway JOIN policy_failoverpolicy AS policy ON policy.id = gateway.policy_id
JOIN inventory_node AS node ON node.id = gateway.node_id
WHERE policy.site_id = ANY (%s::bigint[])
"""
_BEGIN = """
UPDATE policy_path AS path SET at = seen.at, target_rtt_us = seen.rtt_us, liveness = seen.liveness::jsonb,
    observed_from = seen.at, since = seen.at, active_text = seen.active, active_id = seen.gateway,
    target_alive = seen.alive, target_since = CASE WHEN seen.alive IS NOT NULL THEN seen.at END
FROM unnest(%s::bigint[], %s::timestamptz[], %s::int[], %s::text[], %s::text[], %s::bigint[], %s::bool[])
    AS seen (id, at, rtt_us, liveness, active, gateway, alive)
WHERE path.id = seen.id
RETURNING path.id
"""

_LIVENESS = 10
"""Its column in `_KNOWN`: Django's connections return JSON as text."""


@dataclass(frozen=True, slots=True)
class KnownPath:
    """A path as stored."""

    id: int
    node_id: int
    site_id: int
    policy: str
    probe_interval_ms: int
    interval_s: float
    """The site's."""
    active: str
    active_id: int | None
    at: datetime | None
    target_alive: bool | None
    liveness: Liveness
    is_observed: bool
    """Whether an earlier report was stored completely."""
    has_outage: bool
    gateway_id: int | None
    """The policy's gateway of the name `active`."""

    @property
    def is_steady(self) -> bool:
        """Whether a report could be without news."""
        return self.is_observed and not self.has_outage and self.active_id == self.gateway_id

    @property
    def is_new(self) -> bool:
        """Whether nothing is known of it."""
        return self.at is None and not self.is_observed and not self.has_outage


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A path as stored, and its newest report, which has no news."""

    known: KnownPath
    seen: PathSeen
    gaps: tuple[tuple[datetime, datetime], ...] = ()
    """Periods without a report before this one, and before earlier ones of the batch."""


@dataclass(frozen=True, slots=True)
class FirstReport:
    """A path of which nothing was known, and what works."""

    known: KnownPath
    seen: PathSeen
    gateway_id: int | None


@dataclass(frozen=True, slots=True)
class Plain:
    """Reports that `write` stores."""

    heartbeats: list[Heartbeat] = field(default_factory=list)
    first: list[FirstReport] = field(default_factory=list)

    def without(self, nodes: Collection[int]) -> Plain:
        """Those of other nodes."""
        return Plain(
            [one for one in self.heartbeats if one.known.node_id not in nodes],
            [one for one in self.first if one.known.node_id not in nodes],
        )


def read(paths: Collection[PathSeen], sites: Collection[int]) -> tuple[Plain, list[PathSeen]]:
    """Lock the paths of these sites, and separate plain reports from those with news; once a path has news,
    all its later reports have.

    Reports of removed policies and nodes are skipped.
    """
    if not paths:
        return Plain(), []
    names = sorted({seen.policy for seen in paths})
    nodes = sorted({seen.node_id for seen in paths})
    rows = [_known(row) for row in store.query(_KNOWN, [sorted(sites), names, nodes])]
    by_name = {(row.policy, row.node_id): row for row in rows}
    of_path: dict[int, list[PathSeen]] = {row.id: [] for row in rows}
    for seen in sorted(paths, key=lambda item: item.at):
        if (row := by_name.get((seen.policy, seen.node_id))) is not None:
            of_path[row.id].append(seen)
    starting = {row.site_id for row in rows if row.is_new}
    gateways = _gateways(starting) if starting else _Gateways({}, frozenset())
    plain, news = Plain(), list[PathSeen]()
    for row in rows:
        if row.is_new:
            news += _split_first(row, of_path[row.id], gateways, plain.first)
        else:
            news += _split(row, of_path[row.id], plain.heartbeats)
    return plain, news


def write(plain: Plain) -> set[int]:
    """Store the reports that `read` found plain; the ids of the sites in which paths have begun."""
    if plain.heartbeats:
        columns = _columns(plain.heartbeats)
        store.query(_STORE, columns)
        gaps = [
            PathGap(path_id=one.known.id, start=start, end=end)
            for one in plain.heartbeats
            for start, end in one.gaps
        ]
        if gaps:
            PathGap.objects.bulk_create(gaps)
    if plain.first:
        started = [
            [one.seen.active for one in plain.first],
            [one.gateway_id for one in plain.first],
            [one.seen.target_alive for one in plain.first],
        ]
        store.query(_BEGIN, [*_columns(plain.first), *started])
    return {one.known.site_id for one in plain.first}


@dataclass(frozen=True, slots=True)
class _Gateways:
    """Of the policies of some sites."""

    ids: dict[tuple[int, str, str], int]
    """(site id, policy, name) -> node id."""
    nodes: frozenset[int]


def _gateways(sites: Collection[int]) -> _Gateways:
    rows = store.query(_GATEWAYS, [sorted(sites)])
    ids = {(site, policy, name): node for site, policy, name, node in rows}
    return _Gateways(ids, frozenset(ids.values()))


def _split(row: KnownPath, reports: Sequence[PathSeen], found: list[Heartbeat]) -> Sequence[PathSeen]:
    """Add the path's heartbeat to `found`; returns the reports from the first one with news on."""
    newest: PathSeen | None = None
    gaps: list[tuple[datetime, datetime]] = []
    news: Sequence[PathSeen] = ()
    for at, seen in enumerate(reports):
        last = row.at if newest is None else newest.at
        if last is None or not _is_heartbeat(row, seen, last):
            news = reports[at:]
            break
        if seen.at - last > max_silence(row.probe_interval_ms, row.interval_s):
            gaps.append((last, seen.at))
        newest = seen
    if newest is not None:
        found.append(Heartbeat(row, newest, tuple(gaps)))
    return news


def _split_first(
    row: KnownPath, reports: Sequence[PathSeen], gateways: _Gateways, found: list[FirstReport]
) -> Sequence[PathSeen]:
    """Add the only report of a new path to `found`; otherwise all of them have news."""
    if len(reports) == 1 and _is_plain_first(reports[0]) and row.node_id not in gateways.nodes:
        seen = reports[0]
        found.append(FirstReport(row, seen, gateways.ids.get((row.site_id, row.policy, seen.active))))
        return ()
    return reports


def _is_plain_first(seen: PathSeen) -> bool:
    return seen.switch is None and seen.outage is None and seen.target_alive is not False


def _columns(reports: Sequence[Heartbeat | FirstReport]) -> list[list[Any]]:
    """The columns that both statements write."""
    return [
        [one.known.id for one in reports],
        [one.seen.at for one in reports],
        [one.seen.target_rtt_us for one in reports],
        [json.dumps(dated(one.known.liveness, one.seen)) for one in reports],
    ]


def dated(before: Liveness, seen: PathSeen) -> Liveness:
    """Gateway liveness, with the time of its last change."""
    found = {}
    for name, reported in seen.liveness.items():
        known = before.get(name, {})
        same = known.get("alive") == reported["alive"] and known.get("since") is not None
        found[name] = {**reported, "since": known["since"] if same else seen.at.isoformat()}
    return found


def states(liveness: Liveness) -> dict[str, tuple[bool | None, bool | None]]:
    """Gateway name -> whether it is alive, whether it forwards."""
    return {name: (reported.get("alive"), reported.get("forwards")) for name, reported in liveness.items()}


def _known(row: Sequence[Any]) -> KnownPath:
    fields = [*row]
    fields[_LIVENESS] = json.loads(row[_LIVENESS])
    return KnownPath(*fields)


def _is_heartbeat(row: KnownPath, seen: PathSeen, last: datetime) -> bool:
    """Whether the report repeats the stored state."""
    return (
        row.is_steady
        and seen.switch is None
        and seen.outage is None
        and seen.active == row.active
        and seen.target_alive is not False
        and seen.target_alive == row.target_alive
        and seen.at > last
        and states(seen.liveness) == states(row.liveness)
        and all(reported.get("since") is not None for reported in row.liveness.values())
    )
