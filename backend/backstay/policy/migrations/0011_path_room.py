"""Room in the pages of the paths' rows, which every request of an agent updates (see telemetry 0036)."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("policy", "0010_path_routes")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE policy_path SET (fillfactor = 40)", "ALTER TABLE policy_path RESET (fillfactor)"
        )
    ]
