"""Tasks that deliver name no delivery any more."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("alerts", "0024_evaluation_marks")]

    operations = [migrations.RemoveField(model_name="delivery", name="offered_at")]
