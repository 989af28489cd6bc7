"""The stored run of a collector also has `since`, `answered_at` and `agent`; older ones get them when reported next."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0035_contradicted_speed")]

    operations = [
        migrations.AlterField(
            model_name="nodestate",
            name="collectors",
            field=models.JSONField(
                default=dict,
                help_text=(
                    "{collector: {outcome, detail, duration_ms, at, since, answered_at, agent}}, last run of each"
                ),
            ),
        ),
    ]
