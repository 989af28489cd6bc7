"""A device's current neighbour table and the history of its addresses; only differences are written.

A report is a whole table, often thousands of entries with few changes, and is compared with the stored one.
Ended entries go to `telemetry_neighbourpast`, which has no model: one row per period in which an address had
a hardware address, in the partition of the day it ended. Only this module writes it and only
`selectors/neighbours.py` reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from ipaddress import ip_address

from django.db.models import Q

from backstay.core.model.hardware import spelled
from backstay.telemetry.ingest import store
from backstay.telemetry.models import NeighbourQuota, NodeState
from backstay.telemetry.states.tables import plain
from backstay_wire import Neighbour as WireNeighbour
from backstay_wire import NeighbourReport

MOST_A_DAY = 100_000
"""History rows per device and day; ended entries beyond the limit are only counted."""

_KNOWN = """
SELECT id, port, host(address), mac, state FROM telemetry_neighbour WHERE node_id = %s
"""
_GONE = "DELETE FROM telemetry_neighbour WHERE id = ANY(%s::bigint[]) RETURNING 1"
_CHANGED = """
UPDATE telemetry_neighbour AS known SET mac = reported.mac, state = reported.state, since = %s,
    held_since = CASE WHEN known.mac = reported.mac THEN known.held_since ELSE %s END
FROM unnest(%s::bigint[], %s::text[], %s::text[]) AS reported (id, mac, state)
WHERE known.id = reported.id RETURNING 1
"""
_NEW = """
INSERT INTO telemetry_neighbour (node_id, port, address, mac, state, since, held_since)
SELECT %s, reported.port, reported.address, reported.mac, reported.state, %s, %s
FROM unnest(%s::text[], %s::inet[], %s::text[], %s::text[]) AS reported (port, address, mac, state)
ON CONFLICT (node_id, port, address) DO NOTHING RETURNING 1
"""
# Before the entries are deleted or changed; longest held first.
_PAST = """
WITH kept AS (
    INSERT INTO telemetry_neighbourpast (node_id, port, address, mac, since, until)
    SELECT node_id, port, address, mac, least(held_since, %s), %s FROM telemetry_neighbour
    WHERE id = ANY(%s::bigint[]) ORDER BY held_since LIMIT %s
    RETURNING 1
)
SELECT count(*) FROM kept
"""
# Addresses of this report on which tables of the site disagree; the rule checks later whether they still do,
# on one fabric. One pass over the stored entries of these addresses: a join of reported with stored entries
# is quadratic for a table that repeats one address.
_CLASHES = """
INSERT INTO telemetry_neighbourclash (site_id, address, since)
SELECT mine.site_id, known.address, %s::timestamptz
FROM inventory_node AS mine
JOIN inventory_node AS node ON node.site_id = mine.site_id
JOIN telemetry_neighbour AS known ON known.node_id = node.id
JOIN (SELECT DISTINCT address FROM unnest(%s::inet[]) AS begun (address)) AS reported
    ON reported.address = known.address
WHERE mine.id = %s AND known.mac <> ''
GROUP BY mine.site_id, known.address HAVING min(known.mac) <> max(known.mac)
ON CONFLICT (site_id, address) DO NOTHING RETURNING 1
"""
_SETTLED = """
DELETE FROM telemetry_neighbourclash AS clash WHERE (
    SELECT count(DISTINCT known.mac) FROM telemetry_neighbour AS known
    JOIN inventory_node AS node ON node.id = known.node_id AND node.site_id = clash.site_id
    WHERE known.address = clash.address AND known.mac <> ''
) < 2 RETURNING 1
"""

Key = tuple[str, str]
"""Port and address."""


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """A stored entry."""

    id: int
    port: str
    address: str
    mac: str
    state: str


@dataclass(slots=True)
class TableDifference:
    """The difference between a report and the stored table."""

    gone: list[StoredEntry] = field(default_factory=list)
    changed: list[tuple[StoredEntry, WireNeighbour]] = field(default_factory=list)
    new: list[tuple[Key, WireNeighbour]] = field(default_factory=list)

    @property
    def ended(self) -> list[StoredEntry]:
        """Entries that ended; unresolved entries do not count."""
        left = [held for held, entry in self.changed if held.mac != spelled(entry.mac)]
        return [held for held in (*self.gone, *left) if held.mac]

    @property
    def begun(self) -> list[tuple[str, str]]:
        """(address, hardware address) of new or changed resolved entries."""
        moved = [(held.address, spelled(entry.mac)) for held, entry in self.changed]
        known = {(held.address, held.mac) for held, _ in self.changed}
        fresh = [(address, spelled(entry.mac)) for (_, address), entry in self.new]
        return [pair for pair in (*moved, *fresh) if pair[1] and pair not in known]


def apply_neighbours(node: int, report: NeighbourReport, at: datetime) -> None:
    """Store a whole neighbour table, unless a newer one is stored."""
    taken = NodeState.objects.filter(Q(neighbours_at__lt=at) | Q(neighbours_at=None), node_id=node)
    if not taken.update(neighbours_at=at):
        return
    found = difference(known(node), report.neighbours)
    if ended := found.ended:
        _keep(node, ended, at)
    if found.gone:
        store.query(_GONE, [[held.id for held in found.gone]])
    if found.changed:
        ids = [held.id for held, _ in found.changed]
        entries = [entry for _, entry in found.changed]
        store.query(_CHANGED, [at, at, ids, *_columns(entries)])
    if found.new:
        ports, addresses = [key[0] for key, _ in found.new], [key[1] for key, _ in found.new]
        reported = _columns([entry for _, entry in found.new])
        store.query(_NEW, [node, at, at, ports, addresses, *reported])
    if begun := found.begun:
        _note_clashes(node, begun, at)


def _note_clashes(node: int, begun: Sequence[tuple[str, str]], at: datetime) -> None:
    """Record addresses on which the stored tables of the site disagree, this one included."""
    store.query(_CLASHES, [at, list(dict.fromkeys(address for address, _ in begun)), node])


def forget_settled() -> int:
    """Delete clashes on which all tables of the site now agree; returns the count."""
    return len(store.query(_SETTLED, []))


def known(node: int) -> list[StoredEntry]:
    """The stored table of a device."""
    rows = store.query(_KNOWN, [node])
    return [StoredEntry(ident, port, _spelt(address), *rest) for ident, port, address, *rest in rows]


def difference(stored: Iterable[StoredEntry], reported: Iterable[WireNeighbour]) -> TableDifference:
    """Compare a reported table with the stored one."""
    wanted = {(entry.port, plain(entry.address)): entry for entry in reported}
    found = TableDifference()
    for held in stored:
        entry = wanted.pop((held.port, held.address), None)
        if entry is None:
            found.gone.append(held)
        elif held.state != entry.state or not _is_at(held, entry):
            found.changed.append((held, entry))
    found.new = list(wanted.items())
    return found


def _is_at(held: StoredEntry, entry: WireNeighbour) -> bool:
    """Whether the entry is unchanged; compares the texts first, because there may be thousands."""
    return held.mac == entry.mac or held.mac == spelled(entry.mac)


def _columns(entries: Sequence[WireNeighbour]) -> list[list[str]]:
    return [[spelled(entry.mac) for entry in entries], [entry.state for entry in entries]]


def _spelt(address: str) -> str:
    """An address as PostgreSQL prints it: IPv4-mapped IPv6 with dots, unlike Python."""
    return str(ip_address(address)) if "." in address and ":" in address else address


def _keep(node: int, ended: Sequence[StoredEntry], at: datetime) -> None:
    """Write ended entries to the history, longest held first, up to the device's daily limit."""
    quota, _ = NeighbourQuota.objects.get_or_create(node_id=node, defaults={"day": at.date()})
    if quota.day != at.date():
        quota.day, quota.written, quota.dropped = at.date(), 0, 0
    room = max(MOST_A_DAY - quota.written, 0)
    ((kept,),) = store.query(_PAST, [at, at, [held.id for held in ended], room])
    quota.written += kept
    quota.dropped += len(ended) - kept
    quota.save()
