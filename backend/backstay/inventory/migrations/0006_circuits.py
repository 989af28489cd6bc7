import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("inventory", "0005_change_rules"),
    ]

    operations = [
        migrations.CreateModel(
            name="Circuit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=128)),
                ("kind", models.CharField(choices=[("pvc", "pvc"), ("vlan", "vlan")], max_length=8)),
                ("note", models.CharField(blank=True, max_length=2000)),
                (
                    "hops",
                    models.JSONField(
                        default=list,
                        help_text="[{node, in: {port, label}, out: {port, label}, shape}] from end to end",
                    ),
                ),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="circuits", to="inventory.site"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("site", "name"), name="circuit_name_per_site")
                ],
            },
        ),
    ]
