"""Neighbours that a device reports at its ports: the newest report of each source.

An entry records since when it holds, which distinguishes a moved cable from a repeated report. A set also
records its reporting period, which determines when it expires.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from backstay.core.wiring.evidence import LEAST_PERIOD_S
from backstay.core.wiring.identity import plain_mac
from backstay.telemetry.facts import Facts
from backstay.telemetry.ingest import store
from backstay.telemetry.ingest.clock import Correction, moment
from backstay.telemetry.models import AdjacencySet
from backstay_wire import AdjacencyReport, ForwardingReport

LONGEST_PERIOD_S = 3600.0
_IDENTITY = ("port", "peer", "peer_name", "peer_id", "peer_port")
_REPEATED = """
UPDATE telemetry_adjacencyset AS known SET at = reported.at, period_s = reported.period_s
FROM unnest(%s::bigint[], %s::timestamptz[], %s::float8[]) AS reported (id, at, period_s)
WHERE known.id = reported.id RETURNING known.id
"""

Entry = dict[str, Any]
Key = tuple[int, str]
"""(node id, source)."""


def apply_adjacencies(
    reports: Sequence[tuple[int, AdjacencyReport | ForwardingReport]], correction: Correction, _: Facts
) -> None:
    """Store devices' neighbours, oldest first, unless newer ones are stored.

    `reports`: (node id, report). The sets of all devices are read and written together.
    """
    reported = [((node, _source(report)), report) for node, report in reports]
    known = _locked({key for key, _ in reported})
    before = {key: row.at for key, row in known.items()}
    changed: set[Key] = set()
    received = moment(correction.received_ns)
    for key, report in reported:
        at, row = moment(correction.ours(report.at)), known.get(key)
        if row is None:
            row = known[key] = AdjacencySet(node_id=key[0], source=key[1], period_s=LEAST_PERIOD_S)
        elif at <= row.at:
            continue
        else:
            row.period_s = next_period(row.period_s, (at - row.at).total_seconds())
        row.at = at
        if _take(row, _entries(report), at):
            row.changed_at = received
            changed.add(key)
    _write([known[key] for key in sorted(changed)])
    _repeat([row for key, row in sorted(known.items()) if key not in changed and row.at != before[key]])


def _source(report: AdjacencyReport | ForwardingReport) -> str:
    return "fdb" if isinstance(report, ForwardingReport) else report.source


def _entries(report: AdjacencyReport | ForwardingReport) -> list[Entry]:
    return _learnt(report) if isinstance(report, ForwardingReport) else _adjacent(report)


def _adjacent(report: AdjacencyReport) -> list[Entry]:
    reported = [adjacency.model_dump(mode="json") for adjacency in report.adjacencies]
    for entry in reported:
        entry["peer_id"] = entry["peer_id"].casefold()
    return reported


def _learnt(report: ForwardingReport) -> list[Entry]:
    """A bridge's learnt addresses: a single one at a port is that port's direct neighbour."""
    behind: dict[str, set[str]] = {}
    for entry in report.entries:
        mac = plain_mac(entry.mac)
        if mac:
            behind.setdefault(entry.port, set()).add(mac)
    known = Counter(mac for macs in behind.values() for mac in macs)
    return [
        {"port": port, "peer": "", "peer_name": "", "peer_id": mac, "peer_port": "", "width": ""}
        for port, macs in sorted(behind.items())
        if len(macs) == 1 and known[mac := next(iter(macs))] == 1
    ]


def next_period(before_s: float, gap_s: float) -> float:
    """A source's reporting period, seconds, after a gap of `gap_s`.

    At least a minute, because changes are reported between rounds; a single pause cannot make it long.
    """
    return max(min(gap_s, 2 * before_s, LONGEST_PERIOD_S), LEAST_PERIOD_S)


def _locked(keys: Collection[Key]) -> dict[Key, AdjacencySet]:
    """Lock the rows in the order that all writers use, which avoids deadlocks."""
    rows = AdjacencySet.objects.select_for_update().filter(
        node_id__in={node for node, _ in keys}, source__in={source for _, source in keys}
    )
    return {(row.node_id, row.source): row for row in rows.order_by("node_id", "source")}


def _take(row: AdjacencySet, reported: list[Entry], at: datetime) -> bool:
    """Update the set; whether it changed."""
    before = {_identity(entry): entry["since"] for entry in row.entries}
    widths = {(_identity(entry), entry["width"]) for entry in row.entries}
    if row.pk is not None and widths == {(_identity(entry), entry["width"]) for entry in reported}:
        return False
    for entry in reported:
        entry["since"] = before.get(_identity(entry), at.isoformat())
    row.entries = reported
    return True


def _write(rows: list[AdjacencySet]) -> None:
    if rows:
        AdjacencySet.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["node", "source"],
            update_fields=["at", "changed_at", "period_s", "entries"],
        )


def _repeat(rows: list[AdjacencySet]) -> None:
    """Record that unchanged sets were reported again."""
    if rows:
        values = [[row.pk for row in rows], [row.at for row in rows], [row.period_s for row in rows]]
        store.query(_REPEATED, values)


def _identity(entry: Entry) -> tuple[str, ...]:
    return tuple(entry[key] for key in _IDENTITY)
