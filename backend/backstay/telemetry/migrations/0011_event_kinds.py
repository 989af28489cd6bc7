from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0010_reporter_lease")]

    operations = [
        migrations.RunSQL(
            "UPDATE telemetry_event SET kind = 'node.reporting' WHERE kind = 'node.heard'",
            "UPDATE telemetry_event SET kind = 'node.heard' WHERE kind = 'node.reporting'",
        ),
    ]
