"""Whether ports were up at a past moment, from when they changed last and from stored events."""

from __future__ import annotations

from datetime import datetime

from backstay.core.model.event_kinds import EventKind
from backstay.inventory.models import Site
from backstay.inventory.sql import fetch_rows

# A port that has not changed since the moment was as it is. Of another one, the first change after the moment
# says what it was until then; without one that is stored, nothing does. Whether it was down on purpose is not
# in the event: it counts as down.
_PAST = """
    WITH changed AS (
        SELECT DISTINCT ON (subject) subject, kind FROM telemetry_event
        WHERE site_id = %(site)s AND at > %(at)s AND kind = ANY (%(kinds)s)
        ORDER BY subject, at, id
    )
    SELECT port.id,
           CASE WHEN state.since <= %(at)s THEN state.oper_up
                WHEN changed.kind IS NOT NULL THEN changed.kind = %(down)s END,
           CASE WHEN state.since <= %(at)s THEN state.admin_up ELSE true END,
           CASE WHEN state.since <= %(at)s THEN state.since END
    FROM inventory_link AS link
    CROSS JOIN LATERAL (VALUES (link.a_id), (link.b_id)) AS linked (port)
    JOIN inventory_port AS port ON port.id = linked.port
    JOIN inventory_node AS node ON node.id = port.node_id
    LEFT JOIN telemetry_portstate AS state ON state.port_id = port.id
    LEFT JOIN changed ON changed.subject = node.name || ':' || port.name
    WHERE link.site_id = %(site)s
"""


def ports_at(site: Site, at: datetime) -> dict[int, tuple[bool | None, bool | None, datetime | None]]:
    """Port id -> (operationally up, administratively up, since) of the site's linked ports; None: unknown."""
    kinds = [EventKind.PORT_DOWN.value, EventKind.PORT_UP.value]
    values = {"site": site.pk, "at": at, "kinds": kinds, "down": EventKind.PORT_DOWN.value}
    return {port: (up, admin, since) for port, up, admin, since in fetch_rows(_PAST, values)}
