"""Recordings of devices; creates one empty table."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0014_circuit_versions"),
        ("telemetry", "0034_collector_runs"),
    ]

    operations = [
        migrations.CreateModel(
            name="DeviceRecording",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("person", models.CharField(help_text="User who asked for it", max_length=150)),
                ("asked_at", models.DateTimeField()),
                ("until", models.DateTimeField(help_text="The agent is asked until then")),
                (
                    "state",
                    models.CharField(default="asked", help_text="asked, recorded, failed", max_length=8),
                ),
                (
                    "ended_at",
                    models.DateTimeField(help_text="When its result arrived; null: not yet", null=True),
                ),
                (
                    "detail",
                    models.CharField(
                        blank=True, help_text="Why it failed, or what is not whole", max_length=1024
                    ),
                ),
                ("objects_read", models.PositiveIntegerField(default=0)),
                ("size", models.PositiveIntegerField(default=0, help_text="Bytes of the file")),
                ("data", models.BinaryField(default=b"", help_text="The file, gzip")),
                (
                    "node",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recordings",
                        to="inventory.node",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["node", "-asked_at"], name="recording_newest"),
                    models.Index(
                        condition=models.Q(("state", "asked")), fields=["node"], name="recording_asked"
                    ),
                    models.Index(fields=["asked_at"], name="recording_age"),
                ]
            },
        ),
    ]
