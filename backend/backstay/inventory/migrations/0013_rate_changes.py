"""Usable rates that imports replace; a new table, so no row is rewritten."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("inventory", "0012_declared_fault"),
    ]

    operations = [
        migrations.CreateModel(
            name="FabricRateChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("before", models.BigIntegerField(help_text="bit/s until then, as Fabric.usable_rate")),
                (
                    "fabric",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rate_changes",
                        to="inventory.fabric",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["fabric", "at"], name="rate_changes_of_fabric")],
            },
        ),
    ]
