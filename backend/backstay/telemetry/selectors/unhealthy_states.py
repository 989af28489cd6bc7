"""Unhealthy device states of a site, in one statement that reads only metric sets with any."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from backstay.inventory.models import Site
from backstay.inventory.sql import fetch_rows

# A subject is a port, something on one (`ga030 0/32`), or a host's description of one (HOST-RESOURCES-MIB).
_UNHEALTHY = """
    SELECT node.id, node.name, item.subject, item.metric, known.states[slot], known.at,
           port.id, port.oper_up, port.admin_up
    FROM telemetry_metricset AS known
    JOIN inventory_node AS node ON node.id = known.node_id
    JOIN telemetry_metriclayout AS layout ON layout.id = known.layout_id
    CROSS JOIN LATERAL unnest(known.unhealthy) AS slot
    CROSS JOIN LATERAL (SELECT layout.subjects[slot] AS subject, layout.metrics[slot] AS metric) AS item
    LEFT JOIN LATERAL (
        SELECT port.id, state.oper_up, state.admin_up FROM inventory_port AS port
        LEFT JOIN telemetry_portstate AS state ON state.port_id = port.id
        WHERE port.node_id = node.id AND port.name IN (
            item.subject, split_part(item.subject, ' ', 1),
            substring(item.subject FROM 'network interface ([^ ]+)$')
        )
        ORDER BY length(port.name) DESC LIMIT 1
    ) AS port ON true
    WHERE node.site_id = %s AND known.unhealthy IS NOT NULL
    ORDER BY node.id, item.metric, item.subject
"""


@dataclass(frozen=True, slots=True)
class UnhealthyState:
    """One unhealthy state as last reported, and its port if it concerns one."""

    node_id: int
    node: str
    subject: str
    metric: str
    text: str
    at: datetime
    port_id: int | None
    oper_up: bool | None
    admin_up: bool | None


def unhealthy_states(site: Site) -> list[UnhealthyState]:
    """Unhealthy states by device, metric and part; one query."""
    return [UnhealthyState(*row) for row in fetch_rows(_UNHEALTHY, [site.pk])]
