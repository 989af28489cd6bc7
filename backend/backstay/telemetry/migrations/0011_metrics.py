from typing import Any

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

INTO = ("telemetry_figures", "telemetry_metrichistory")


def rename_history(source: str, target: str) -> Any:
    """Rename the partitioned table, its index and its partitions, which are named for it."""

    def run(apps: Any, schema_editor: Any) -> None:
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(
                "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = %s::regclass", [source]
            )
            for (name,) in cursor.fetchall():
                cursor.execute(f"ALTER TABLE {name} RENAME TO {name.replace(source, target)}")
            cursor.execute(f"ALTER TABLE {source} RENAME TO {target}")
            cursor.execute(f"ALTER INDEX {source}_node_ts RENAME TO {target}_node_ts")

    return run


def rename_event_kind(source: str, target: str) -> Any:
    """Give stored events the new kind."""

    def run(apps: Any, schema_editor: Any) -> None:
        apps.get_model("telemetry", "Event").objects.filter(kind=source).update(kind=target)

    return run


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0008_node_extension"),
        ("telemetry", "0010_reporter_lease"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="figurelayout", name="figure_layout_once"),
        migrations.RemoveConstraint(model_name="figureset", name="figures_per_collector"),
        migrations.RenameModel("FigureLayout", "MetricLayout"),
        migrations.RenameModel("FigureSet", "MetricSet"),
        migrations.AddConstraint(
            model_name="metriclayout",
            constraint=models.UniqueConstraint(
                fields=("node", "collector", "digest"), name="metric_layout_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="metricset",
            constraint=models.UniqueConstraint(fields=("node", "collector"), name="metrics_per_collector"),
        ),
        migrations.RenameField("metricset", "words", "states"),
        migrations.RenameField("metricset", "worrying", "unhealthy"),
        migrations.RenameField("portstate", "told_with", "reported_with"),
        migrations.RenameField("nodestate", "heard_at", "last_reported_at"),
        migrations.RunPython(rename_history(*INTO), rename_history(*reversed(INTO))),
        migrations.RunPython(
            rename_event_kind("node.heard", "node.reporting"),
            rename_event_kind("node.reporting", "node.heard"),
        ),
    ]
