"""Adds the speed that a device states although its counters exceed it; a constant default rewrites no row."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0032_archive_state")]

    operations = [
        migrations.AddField(
            model_name="portstate",
            name="contradicted_speed",
            field=models.BigIntegerField(
                db_default=0,
                default=0,
                help_text="bit/s that the device states although its counters exceed them",
            ),
        ),
    ]
