"""On which inputs groups of rules were evaluated last. A new table: without a mark, a group is evaluated."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("alerts", "0023_added_occurrences"), ("inventory", "0015_node_natural_order")]

    operations = [
        migrations.CreateModel(
            name="EvaluationMark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("group", models.CharField(help_text="faults or samples", max_length=16)),
                (
                    "inputs",
                    models.BinaryField(help_text="Digest of everything that their findings depend on"),
                ),
                ("evaluated_at", models.DateTimeField()),
                (
                    "seen_at",
                    models.DateTimeField(help_text="Newest round in which their incidents were seen"),
                ),
                (
                    "settled_at",
                    models.DateTimeField(help_text="Before this, findings may follow by time alone"),
                ),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="evaluation_marks",
                        to="inventory.site",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("site", "group"), name="evaluation_mark_once")
                ],
            },
        ),
    ]
