from typing import Any

from django.db import migrations, models


def ensure_rule(apps: Any, schema_editor: Any) -> None:
    """Sites that were imported before get the rule as new ones do (alerts/rules.py)."""
    rule, site = apps.get_model("alerts", "Rule"), apps.get_model("inventory", "Site")
    rule.objects.bulk_create(
        [
            rule(site=item, kind="other_address", parameters={"after_s": 10.0})
            for item in site.objects.all()
        ],
        ignore_conflicts=True,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("alerts", "0009_extension"),
    ]

    operations = [
        migrations.AlterField(
            model_name="rule",
            name="kind",
            field=models.CharField(
                choices=[
                    ("saturation", "Saturation"),
                    ("gateway_failed_over", "Gateway Failed Over"),
                    ("node_stale", "Node Stale"),
                    ("port_down", "Port Down"),
                    ("path_dead", "Path Dead"),
                    ("device_alarm", "Device Alarm"),
                    ("device_state", "Device State"),
                    ("drift", "Drift"),
                    ("circuit", "Circuit"),
                    ("clock", "Clock"),
                    ("extension", "Extension"),
                    ("other_address", "Other Address"),
                    ("neighbour_table", "Neighbour Table"),
                    ("neighbour_flood", "Neighbour Flood"),
                    ("neighbour_clash", "Neighbour Clash"),
                    ("neighbour_gateway", "Neighbour Gateway"),
                ],
                max_length=32,
            ),
        ),
        migrations.RunPython(ensure_rule, migrations.RunPython.noop),
    ]
