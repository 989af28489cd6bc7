"""Digests of stored reports, and room in the pages of the rows that every request updates.

New columns are NULL, so no row is rewritten. The fill factor applies to pages that are written from now on: a
row whose page has room is updated there, without new entries in its indexes (PostgreSQL manual, "Heap-Only
Tuples"). A group updates all rows of a page in one transaction, so half of the page must be free.
"""

import django.contrib.postgres.fields
from django.db import migrations, models

UPDATED = (
    "telemetry_nodestate",
    "telemetry_reportledger",
    "telemetry_metricset",
    "telemetry_neighbourwatch",
    "telemetry_hostnetwork",
    "telemetry_clockstate",
)
ROOM = [
    (f"ALTER TABLE {table} SET (fillfactor = 40)", f"ALTER TABLE {table} RESET (fillfactor)") for table in UPDATED
]


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0035_recordings")]

    operations = [
        migrations.AddField(
            model_name="nodestate",
            name="described_with",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.UUIDField(),
                help_text="Digests of the device reports that would change nothing",
                null=True,
                size=None,
            ),
        ),
        migrations.AddField(
            model_name="nodestate",
            name="described_version",
            field=models.PositiveBigIntegerField(
                help_text="Version of the site with which the ports were last compared", null=True
            ),
        ),
        migrations.AddField(
            model_name="nodestate",
            name="compared_at",
            field=models.DateTimeField(help_text="When the ports were last compared", null=True),
        ),
        migrations.AddField(
            model_name="nodestate",
            name="collectors_digest",
            field=models.UUIDField(help_text="Digest of the outcomes in `collectors`", null=True),
        ),
        migrations.AddField(
            model_name="nodestate",
            name="collectors_at",
            field=models.DateTimeField(help_text="Newest run of a collector", null=True),
        ),
        migrations.AddField(
            model_name="nodestate",
            name="collectors_runs",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.FloatField(),
                help_text=(
                    "Runs that repeat `collectors`, by name: times, Unix seconds; then durations, milliseconds"
                ),
                null=True,
                size=None,
            ),
        ),
        migrations.AddField(
            model_name="neighbourwatch",
            name="digest",
            field=models.UUIDField(help_text="Of the report; one with the same changes only `at`", null=True),
        ),
        migrations.AddField(
            model_name="hostnetwork",
            name="digest",
            field=models.UUIDField(help_text="Of the report; one with the same changes only `at`", null=True),
        ),
        migrations.AlterField(
            model_name="portstate",
            name="at",
            field=models.DateTimeField(help_text="Time of the report that was last compared with it"),
        ),
        migrations.RunSQL([up for up, _ in ROOM], [down for _, down in ROOM]),
    ]
