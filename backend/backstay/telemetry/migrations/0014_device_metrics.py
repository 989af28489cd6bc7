"""Devices' metrics as rows, one per slot of the newest metric sets, so that lists of them page in SQL."""

from django.db import migrations, models

METRICS = """
CREATE VIEW telemetry_devicemetric AS
SELECT slot.metric || '|' || slot.subject || '|' || known.collector AS id, known.node_id, known.collector,
       slot.subject, slot.metric, slot.number, slot.state, coalesce(slot.outcome, 0::smallint) AS outcome,
       known.at, known.duration_ns / 1e9::float8 AS duration_s, port.id AS port_id
FROM telemetry_metricset AS known
JOIN telemetry_metriclayout AS layout ON layout.id = known.layout_id
CROSS JOIN LATERAL unnest(layout.subjects, layout.metrics, known.numbers, known.states, known.outcomes)
    AS slot (subject, metric, number, state, outcome)
LEFT JOIN inventory_port AS port ON port.node_id = known.node_id AND port.name = slot.subject
"""


class Migration(migrations.Migration):
    dependencies = [("inventory", "0009_natural_order"), ("telemetry", "0013_descriptions")]
    operations = [
        migrations.RunSQL(METRICS, "DROP VIEW telemetry_devicemetric"),
        migrations.CreateModel(
            name="DeviceMetric",
            fields=[
                (
                    "id",
                    models.TextField(
                        help_text="`metric|subject|collector`: unique per device",
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("collector", models.CharField(max_length=128)),
                ("subject", models.CharField(max_length=128)),
                ("metric", models.CharField(max_length=128)),
                ("number", models.FloatField(null=True)),
                ("state", models.CharField(max_length=256, null=True)),
                ("outcome", models.SmallIntegerField()),
                ("at", models.DateTimeField()),
                ("duration_s", models.FloatField(null=True)),
            ],
            options={"managed": False},
        ),
    ]
