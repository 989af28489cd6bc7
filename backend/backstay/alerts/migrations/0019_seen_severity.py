"""Incidents that are acknowledged already reopen too when they become worse."""

from django.db import migrations

SEEN = "UPDATE alerts_incident SET seen_severity = severity WHERE phase = 'acknowledged'"


class Migration(migrations.Migration):
    dependencies = [("alerts", "0018_windows")]

    operations = [migrations.RunSQL(SEEN, migrations.RunSQL.noop)]
