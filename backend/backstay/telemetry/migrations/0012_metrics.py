from typing import Any

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


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0008_node_extension"),
        ("telemetry", "0011_event_kinds"),
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
    ]
