from typing import Any

from django.db import migrations, models


def copy_severity(apps: Any, schema_editor: Any) -> None:
    """Incidents from before have the severity of their finding."""
    incidents = apps.get_model("alerts", "Incident").objects
    incidents.update(own_severity=models.F("severity"), peak_title=models.F("title"), peak_value=models.F("value"))


class Migration(migrations.Migration):
    dependencies = [("alerts", "0013_help_texts")]

    operations = [
        migrations.AddField(
            model_name="incident",
            name="own_severity",
            field=models.CharField(default="", help_text="Of the finding alone", max_length=8),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="incident",
            name="severity",
            field=models.CharField(help_text="Of the incident and its effects: the worst", max_length=8),
        ),
        migrations.AddField(
            model_name="incident",
            name="peak_title",
            field=models.CharField(
                blank=True, default="", help_text="Title at the largest value so far", max_length=300
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="incident",
            name="peak_value",
            field=models.FloatField(null=True),
        ),
        migrations.AddField(
            model_name="incident",
            name="affected",
            field=models.JSONField(
                default=dict,
                help_text="{dead_paths, rerouted_paths, standby_paths, links, nodes}: ids; of a root cause",
            ),
        ),
        migrations.AddField(
            model_name="incident",
            name="evidence",
            field=models.JSONField(default=list, help_text="[{source, text, at, by, supports}]"),
        ),
        migrations.RunPython(copy_severity, migrations.RunPython.noop),
    ]
