"""The newest sample of every port as rates: a view, so that lists are sorted and filtered in PostgreSQL.

The sample arrays of each device are unrolled; a negative value means that the source had none for that interval.
"""

import django.db.models.deletion
from django.db import migrations, models

FORWARD = """
CREATE VIEW telemetry_portrate AS
    SELECT place.port_id, latest.node_id, node.site_id, latest.ts AS at,
           (latest.duration_ns / 1e9)::float8 AS seconds,
           (nullif(place.in_octets, -1) * 8 / (latest.duration_ns / 1e9))::bigint AS in_bps,
           (nullif(place.out_octets, -1) * 8 / (latest.duration_ns / 1e9))::bigint AS out_bps,
           (nullif(place.in_packets, -1) / (latest.duration_ns / 1e9))::float8 AS in_pps,
           (nullif(place.out_packets, -1) / (latest.duration_ns / 1e9))::float8 AS out_pps,
           CASE WHEN latest.in_errors IS NULL THEN 0
                ELSE nullif(place.in_errors, -1) / (latest.duration_ns / 1e9) END::float8 AS in_errors_ps,
           CASE WHEN latest.out_errors IS NULL THEN 0
                ELSE nullif(place.out_errors, -1) / (latest.duration_ns / 1e9) END::float8 AS out_errors_ps
    FROM telemetry_latest AS latest
    JOIN inventory_node AS node ON node.id = latest.node_id
    JOIN telemetry_portlayout AS layout ON layout.id = latest.layout_id
    CROSS JOIN LATERAL (SELECT latest.elsewhere AS ports OFFSET 0) AS other  -- once a device, not once a port
    CROSS JOIN LATERAL unnest(
        layout.ports, latest.in_octets, latest.out_octets, latest.in_packets, latest.out_packets,
        latest.in_errors, latest.out_errors
    ) AS place (port_id, in_octets, out_octets, in_packets, out_packets, in_errors, out_errors)
    WHERE (place.port_id = ANY (other.ports)) IS NOT TRUE;
"""


class Migration(migrations.Migration):

    dependencies = [
        ("inventory", "0009_natural_order"),
        ("telemetry", "0014_device_metrics"),
    ]

    operations = [
        migrations.RunSQL(FORWARD, "DROP VIEW telemetry_portrate;"),
        migrations.CreateModel(
            name="PortRate",
            fields=[
                (
                    "port",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="rate",
                        serialize=False,
                        to="inventory.port",
                    ),
                ),
                ("at", models.DateTimeField(help_text="End of the interval")),
                ("seconds", models.FloatField(help_text="Length of the interval")),
                ("in_bps", models.BigIntegerField(null=True)),
                ("out_bps", models.BigIntegerField(null=True)),
                ("in_pps", models.FloatField(null=True)),
                ("out_pps", models.FloatField(null=True)),
                ("in_errors_ps", models.FloatField(null=True)),
                ("out_errors_ps", models.FloatField(null=True)),
            ],
            options={
                "db_table": "telemetry_portrate",
                "managed": False,
            },
        ),
    ]
