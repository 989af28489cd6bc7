"""Detection of unreachable nodes: one compare-and-set statement per round, one event per node.

The next report of a stale node clears the mark in the ingest transaction; the round clears it too, so that
no outdated mark remains.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db import connection, transaction

from backstay.core.formatting import duration
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.freshness import max_age_s
from backstay.inventory.models import Site
from backstay.live import publish
from backstay.telemetry import events
from backstay.telemetry.events import Occurrence

_STALE = """
    UPDATE telemetry_nodestate AS state SET stale_since = %(now)s, changed_at = %(now)s
    FROM inventory_node AS node
    WHERE node.id = state.node_id AND node.site_id = %(site)s AND state.stale_since IS NULL
      AND state.last_reported_at < %(silent)s
    RETURNING node.id, node.name, node.kind, state.last_reported_at
"""
_REPORTING = """
    UPDATE telemetry_nodestate AS state SET stale_since = NULL, changed_at = %(now)s
    FROM inventory_node AS node, telemetry_nodestate AS before
    WHERE node.id = state.node_id AND before.id = state.id AND node.site_id = %(site)s
      AND state.stale_since IS NOT NULL AND state.last_reported_at >= %(cutoff)s
    RETURNING node.id, node.name, node.kind, before.stale_since
"""


def mark_stale_nodes(site: Site, now: datetime, listening_since: datetime | None = None) -> None:
    """Mark the nodes of a site that missed two intervals, and unmark those reporting since.

    `listening_since`: no report could arrive before it, so no node is newly stale until two intervals later.
    """
    age = timedelta(seconds=max_age_s(site.interval_s))
    cutoff = now - age
    since = (
        cutoff if listening_since is None or now - listening_since > age else datetime.min.replace(tzinfo=UTC)
    )
    known: dict[str, datetime | int] = {"now": now, "site": site.pk, "cutoff": cutoff, "silent": since}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_STALE, known)
        silent = cursor.fetchall()
        cursor.execute(_REPORTING, known)
        reporting = cursor.fetchall()
        happened = [_silence((node, name, kind), at, now) for node, name, kind, at in silent]
        happened += [_sound(site, (node, name), stale_since, now) for node, name, _, stale_since in reporting]
        events.record_all(site, happened)
        if silent or reporting:
            publish.changed(site.name, {"nodes", "ports", "links", "topology", "agents"})


def _silence(node: tuple[int, str, str], last_reported_at: datetime, now: datetime) -> Occurrence:
    node_id, name, kind = node
    silent_s = (now - last_reported_at).total_seconds()
    return Occurrence(
        EventKind.NODE_STALE,
        f"{name} has not reported for {duration(silent_s)}",
        at=now,
        subject=name,
        severity="critical" if kind == "gateway" else "warning",
        node_id=node_id,
        data={"last_reported_at": last_reported_at.isoformat(), "silent_s": round(silent_s, 1)},
    )


def _sound(site: Site, node: tuple[int, str], stale_since: datetime, now: datetime) -> Occurrence:
    node_id, name = node
    after = duration((now - stale_since).total_seconds() + max_age_s(site.interval_s))
    message = f"{name} is reporting again after {after}"
    return Occurrence(EventKind.NODE_REPORTING, message, at=now, subject=name, node_id=node_id)
