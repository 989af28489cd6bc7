"""Room in the pages of the agents' rows, which every request of an agent updates (see telemetry 0036)."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("accounts", "0008_expiry_indexes")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE accounts_agent SET (fillfactor = 40)",
            "ALTER TABLE accounts_agent RESET (fillfactor)",
        )
    ]
