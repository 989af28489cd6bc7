"""Neighbour tables by port, and addresses with several owners, as rows: lists of them page in SQL."""

from django.db import migrations, models

TABLES = """
CREATE VIEW telemetry_neighbourport AS
SELECT watch.node_id || ':' || counted.port AS id, watch.node_id, counted.port, port.fabric_id, watch.at,
       counts.ipv4 + counts.ipv6 AS entries, counts.*
FROM telemetry_neighbourwatch AS watch
CROSS JOIN LATERAL jsonb_each(watch.ports) AS counted (port, counts)
CROSS JOIN LATERAL jsonb_to_record(counted.counts) AS counts (
    ipv4 integer, ipv6 integer, permanent integer, incomplete integer, top_mac_entries integer
)
LEFT JOIN inventory_port AS port ON port.node_id = watch.node_id AND port.name = counted.port
"""
DUPLICATES = """
CREATE VIEW telemetry_duplicateaddress AS
SELECT host(claim.address) || ' ' || coalesce(claim.fabric_id, 0) AS id, claim.site_id, claim.address,
       claim.fabric_id, (array_agg(claim.since ORDER BY claim.since))[2] AS since
FROM (
    SELECT clash.site_id, clash.address, port.fabric_id, known.mac, min(known.held_since) AS since
    FROM telemetry_neighbourclash AS clash
    JOIN telemetry_neighbour AS known ON known.address = clash.address
    JOIN inventory_node AS node ON node.id = known.node_id AND node.site_id = clash.site_id
    LEFT JOIN inventory_port AS port ON port.node_id = node.id AND port.name = known.port
    WHERE known.mac <> '' AND known.state <> 'failed'
    GROUP BY clash.site_id, clash.address, port.fabric_id, known.mac
) AS claim
GROUP BY claim.site_id, claim.address, claim.fabric_id
HAVING count(*) > 1
"""


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0016_clock_reading")]
    operations = [
        migrations.RunSQL(TABLES, "DROP VIEW telemetry_neighbourport"),
        migrations.RunSQL(DUPLICATES, "DROP VIEW telemetry_duplicateaddress"),
        migrations.CreateModel(
            name="NeighbourPort",
            fields=[
                ("id", models.TextField(help_text="`node id:port`", primary_key=True, serialize=False)),
                ("port", models.CharField(max_length=128)),
                ("at", models.DateTimeField()),
                ("entries", models.IntegerField()),
                ("ipv4", models.IntegerField()),
                ("ipv6", models.IntegerField()),
                ("permanent", models.IntegerField()),
                ("incomplete", models.IntegerField()),
                ("top_mac_entries", models.IntegerField()),
            ],
            options={"managed": False},
        ),
        migrations.CreateModel(
            name="DuplicateAddress",
            fields=[
                (
                    "id",
                    models.TextField(
                        help_text="`address fabric id`: unique per site", primary_key=True, serialize=False
                    ),
                ),
                ("address", models.GenericIPAddressField()),
                ("since", models.DateTimeField(help_text="Since when two of them are reported")),
            ],
            options={"managed": False},
        ),
    ]
