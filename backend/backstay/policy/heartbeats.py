"""Path reports without news: most reports of an agent, stored by two prepared statements.

A heartbeat says what is stored already. Only its time, the round-trip times and the times of the gateways are
written. A report with any news, and all reports of its batch with it, go through `policy.observation`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from backstay.core.model.outage import max_silence
from backstay.telemetry.facts import Facts, PathSeen
from backstay.telemetry.ingest import store

Liveness = dict[str, dict[str, Any]]
"""Gateway name -> {"alive", "rtt_us", "forwards", "since"}."""

# The rows, locked in the order of their ids as `observation` locks them. Only reports of a path's own agent
# write its outages, and requests of one agent are stored one after the other.
_KNOWN = """
SELECT path.id, path.node_id, policy.name, policy.probe_interval_ms, path.active_text, path.active_id,
    path.at, path.target_alive, path.liveness, path.since IS NOT NULL AND path.observed_from IS NOT NULL,
    EXISTS (SELECT 1 FROM policy_pathoutage AS known WHERE known.path_id = path.id AND known."end" IS NULL),
    (SELECT gateway.node_id FROM policy_policygateway AS gateway
     JOIN inventory_node AS node ON node.id = gateway.node_id
     WHERE gateway.policy_id = policy.id AND node.name = path.active_text)
FROM policy_path AS path JOIN policy_failoverpolicy AS policy ON policy.id = path.policy_id
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

_LIVENESS = 8
"""Its column in `_KNOWN`: Django's connections return JSON as text."""


@dataclass(frozen=True, slots=True)
class KnownPath:
    """A path as stored."""

    id: int
    node_id: int
    policy: str
    probe_interval_ms: int
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


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A path as stored, and its newest report, which has no news."""

    known: KnownPath
    seen: PathSeen


def store_heartbeats(facts: Facts) -> bool:
    """Store the paths of a batch if none of its reports has news; otherwise False, and nothing is written.

    Reports of removed policies and nodes are skipped.
    """
    found, news = read(facts.paths, {facts.site_id})
    if news:
        return False
    write(found)
    return True


def read(paths: Collection[PathSeen], sites: Collection[int]) -> tuple[list[Heartbeat], list[PathSeen]]:
    """Lock the paths of these sites, and tell heartbeats from reports with news; once a path has news, all
    its later reports have.

    Reports of removed policies and nodes are skipped.
    """
    if not paths:
        return [], []
    names = sorted({seen.policy for seen in paths})
    nodes = sorted({seen.node_id for seen in paths})
    rows = [_known(row) for row in store.query(_KNOWN, [sorted(sites), names, nodes])]
    known = {(row.policy, row.node_id): row for row in rows}
    newest: dict[int, PathSeen] = {}
    news: dict[int, list[PathSeen]] = {}
    for seen in sorted(paths, key=lambda item: item.at):
        row = known.get((seen.policy, seen.node_id))
        if row is None:
            continue
        last = newest[row.id].at if row.id in newest else row.at
        if row.id in news or last is None or not _is_heartbeat(row, seen, last):
            news.setdefault(row.id, []).append(seen)
        else:
            newest[row.id] = seen
    heartbeats = [Heartbeat(row, newest[row.id]) for row in rows if row.id in newest]
    return heartbeats, [seen for of_path in news.values() for seen in of_path]


def write(heartbeats: Sequence[Heartbeat]) -> None:
    """Store the times of paths that `read` found."""
    if not heartbeats:
        return
    columns = [
        [one.known.id for one in heartbeats],
        [one.seen.at for one in heartbeats],
        [one.seen.target_rtt_us for one in heartbeats],
        [json.dumps(dated(one.known.liveness, one.seen)) for one in heartbeats],
    ]
    store.query(_STORE, columns)


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
    """Whether the report repeats the stored state, and soon enough that no gap is between them."""
    return (
        row.is_steady
        and seen.switch is None
        and seen.outage is None
        and seen.active == row.active
        and seen.target_alive is not False
        and seen.target_alive == row.target_alive
        and timedelta(0) < seen.at - last <= max_silence(row.probe_interval_ms)
        and states(seen.liveness) == states(row.liveness)
        and all(reported.get("since") is not None for reported in row.liveness.values())
    )
