"""Saved views of lists."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0009_agent_room")]

    operations = [
        migrations.CreateModel(
            name="SavedView",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("site", models.SlugField()),
                (
                    "list_name",
                    models.CharField(help_text="Path of the list in the API, such as `links`", max_length=100),
                ),
                ("name", models.CharField(max_length=100)),
                (
                    "is_shared",
                    models.BooleanField(default=False, help_text="Everybody who may see the site may use it"),
                ),
                (
                    "filters",
                    models.JSONField(default=dict, help_text="Query parameters of the list, without the sort"),
                ),
                ("sort", models.CharField(blank=True, max_length=100)),
                (
                    "columns",
                    models.JSONField(default=list, help_text="Ids of columns; empty: those of the page"),
                ),
                ("created_at", models.DateTimeField()),
                ("changed_at", models.DateTimeField()),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_views",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(is_shared=True),
                        fields=("site", "list_name", "name"),
                        name="one_shared_view_per_name",
                    ),
                    models.UniqueConstraint(
                        fields=("owner", "site", "list_name", "name"), name="one_view_per_owner_and_name"
                    ),
                ]
            },
        )
    ]
