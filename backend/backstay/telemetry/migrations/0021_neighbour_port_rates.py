"""Capacity, broadcasts and recent counts of each port's neighbour table, so that lists sort by them in PostgreSQL."""

from django.db import migrations

VIEW = """
CREATE VIEW telemetry_neighbourport AS
SELECT watch.node_id || ':' || counted.port AS id, watch.node_id, counted.port, port.fabric_id, watch.at,
       counts.ipv4 + counts.ipv6 AS entries, counts.*{more}
FROM telemetry_neighbourwatch AS watch
CROSS JOIN LATERAL jsonb_each(watch.ports) AS counted (port, counts)
CROSS JOIN LATERAL jsonb_to_record(counted.counts) AS counts (
    ipv4 integer, ipv6 integer, permanent integer, incomplete integer, top_mac_entries integer{columns}
)
LEFT JOIN inventory_port AS port ON port.node_id = watch.node_id AND port.name = counted.port
"""
DROP = "DROP VIEW telemetry_neighbourport;"
BEFORE = VIEW.format(more="", columns="")
AFTER = VIEW.format(
    more=""",
       (watch.capacity ->> 'ipv4')::float8 AS capacity_ipv4, (watch.capacity ->> 'ipv6')::float8 AS capacity_ipv6""",
    columns=", broadcasts_per_s float8, recent jsonb",
)


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0020_help_texts")]
    operations = [migrations.RunSQL(DROP + AFTER, DROP + BEFORE)]
