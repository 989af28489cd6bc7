"""The stored run of a collector has more keys; older ones get them with their next report."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0033_contradicted_speed")]

    operations = [
        migrations.AlterField(
            model_name="nodestate",
            name="collectors",
            field=models.JSONField(
                default=dict,
                help_text="{collector: last run, as `states.tables` stores it}",
            ),
        ),
    ]
