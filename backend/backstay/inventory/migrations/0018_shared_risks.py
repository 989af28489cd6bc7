import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inventory", "0017_import_record")]

    operations = [
        migrations.CreateModel(
            name="SharedRisk",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.SlugField()),
                (
                    "kind",
                    models.CharField(
                        max_length=8,
                        choices=[
                            ("chassis", "chassis"),
                            ("power", "power"),
                            ("fibre", "fibre"),
                            ("card", "card"),
                        ],
                    ),
                ),
                (
                    "members",
                    models.JSONField(
                        default=list,
                        help_text="[`node:grf1`, `link:grf1:ga030`, `fabric:sp-switch`], as in the site file",
                    ),
                ),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shared_risks",
                        to="inventory.site",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("site", "name"), name="risk_name_per_site")
                ],
            },
        )
    ]
