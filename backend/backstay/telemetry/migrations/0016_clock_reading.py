"""Every clock in one view, so that lists are sorted and filtered in PostgreSQL.

chrony's tracking is reported as device metrics: `chrony.offset` and `chrony.error` in microseconds against NTP.
"""

from django.db import migrations, models

FORWARD = """
CREATE VIEW telemetry_clockreading AS
    SELECT known.node_id || ' ' || known.source AS id, node.site_id, known.node_id, known.source,
           'backend' AS against, known.at, known.offset_ms, known.error_ms, known.stepped_at, known.step_ms,
           known.step_at_reboot, known.rate_ppm, known.rate_error_ppm, known.recent
    FROM telemetry_clockstate AS known
    JOIN inventory_node AS node ON node.id = known.node_id
    UNION ALL
    SELECT known.node_id || ' chrony', node.site_id, known.node_id, 'chrony', 'ntp', known.at,
           tracking.offset_us / 1000, tracking.error_us / 1000, NULL, NULL, false, tracking.rate_ppm,
           tracking.rate_error_ppm, '[]'
    FROM telemetry_metricset AS known
    JOIN inventory_node AS node ON node.id = known.node_id
    JOIN telemetry_metriclayout AS layout ON layout.id = known.layout_id
    CROSS JOIN LATERAL (
        SELECT max(slot.number) FILTER (WHERE slot.metric = 'chrony.offset') AS offset_us,
               max(slot.number) FILTER (WHERE slot.metric = 'chrony.error') AS error_us,
               max(slot.number) FILTER (WHERE slot.metric = 'chrony.frequency') AS rate_ppm,
               max(slot.number) FILTER (WHERE slot.metric = 'chrony.skew') AS rate_error_ppm
        FROM unnest(layout.metrics, known.numbers) AS slot (metric, number)
    ) AS tracking
    WHERE layout.metrics @> ARRAY['chrony.offset', 'chrony.error']::varchar[]
      AND tracking.offset_us IS NOT NULL AND tracking.error_us IS NOT NULL;
"""


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0015_port_rate")]
    operations = [
        migrations.RunSQL(FORWARD, "DROP VIEW telemetry_clockreading;"),
        migrations.CreateModel(
            name="ClockReading",
            fields=[
                (
                    "id",
                    models.TextField(help_text="Node id and source", primary_key=True, serialize=False),
                ),
                ("source", models.CharField(max_length=128)),
                ("against", models.CharField(help_text="backend: our clock; ntp", max_length=8)),
                ("at", models.DateTimeField()),
                ("offset_ms", models.FloatField()),
                ("error_ms", models.FloatField()),
                ("stepped_at", models.DateTimeField(null=True)),
                ("step_ms", models.FloatField(null=True)),
                ("step_at_reboot", models.BooleanField()),
                ("rate_ppm", models.FloatField(null=True)),
                ("rate_error_ppm", models.FloatField(null=True)),
                ("recent", models.JSONField()),
            ],
            options={"db_table": "telemetry_clockreading", "managed": False},
        ),
    ]
