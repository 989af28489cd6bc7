from typing import Any

from django.db import migrations, models

OLD, NEW = "other_address", "address_mismatch"


def rename_kind(apps: Any, schema_editor: Any) -> None:
    """Rules, incidents and events of `other_address` become those of `address_mismatch`."""
    apps.get_model("alerts", "SiteRule").objects.filter(kind=OLD).update(kind=NEW)
    fingerprint = models.functions.Replace("fingerprint", models.Value(f"{OLD}:"), models.Value(f"{NEW}:"))
    incidents = apps.get_model("alerts", "Incident").objects.filter(fingerprint__startswith=f"{OLD}:")
    incidents.update(fingerprint=fingerprint)
    events = apps.get_model("telemetry", "Event").objects.filter(kind__startswith="incident.", data__rule=OLD)
    events.update(data={"rule": NEW})


class Migration(migrations.Migration):
    dependencies = [
        ("alerts", "0011_throughput"),
        ("telemetry", "0001_initial"),
    ]

    operations = [
        migrations.RenameModel("Rule", "SiteRule"),
        migrations.AlterField(
            model_name="siterule",
            name="kind",
            field=models.CharField(help_text="A key of alerts.rules.RULES", max_length=32),
        ),
        migrations.AlterField(
            model_name="siterule",
            name="parameters",
            field=models.JSONField(default=dict, help_text="Override the defaults of the rule"),
        ),
        migrations.AlterField(
            model_name="round",
            name="resumed_at",
            field=models.DateTimeField(
                help_text="When rounds began again after a pause: time without reports counts from here",
                null=True,
            ),
        ),
        migrations.RunPython(rename_kind, migrations.RunPython.noop),
    ]
