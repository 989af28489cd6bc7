"""Further and moved occurrences of maintenance windows. A constant default: PostgreSQL rewrites no row."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("alerts", "0022_wallboards")]

    operations = [
        migrations.AddField(
            model_name="maintenancewindow",
            name="added",
            field=models.JSONField(
                default=list, help_text="Further occurrences: [{begins_at, duration_s}], RFC 3339 in UTC"
            ),
        ),
    ]
