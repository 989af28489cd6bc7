"""Versions of circuits: a new table, with the present circuits as versions whose start is unknown.

A site file has at most 20,000 circuits, so one statement copies them.
"""

import django.db.models.deletion
from django.db import migrations, models

_COPY = """
    INSERT INTO inventory_circuitversion (site_id, name, kind, note, hops)
    SELECT site_id, name, kind, note, hops FROM inventory_circuit
"""


class Migration(migrations.Migration):

    dependencies = [
        ("inventory", "0013_rate_changes"),
    ]

    operations = [
        migrations.CreateModel(
            name="CircuitVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=128)),
                ("kind", models.CharField(choices=[("pvc", "pvc"), ("vlan", "vlan")], max_length=8)),
                ("note", models.CharField(blank=True, max_length=2000)),
                ("hops", models.JSONField(default=list, help_text="As Circuit.hops")),
                (
                    "since",
                    models.DateTimeField(help_text="Import that declared it; null: older than the record", null=True),
                ),
                (
                    "until",
                    models.DateTimeField(help_text="Import that replaced or removed it; null: in force", null=True),
                ),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="circuit_versions",
                        to="inventory.site",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["site", "name", "until"], name="versions_of_circuit"),
                    models.Index(fields=["until"], name="ended_circuit_versions"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("until__isnull", True)),
                        fields=("site", "name"),
                        name="one_circuit_version_in_force",
                    )
                ],
            },
        ),
        migrations.RunSQL(_COPY, migrations.RunSQL.noop),
    ]
