"""The routes of a node's confirmed routing in a column of their own, without its files."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rollout", "0013_nodes_of_changes")]

    operations = [
        migrations.AddField(
            model_name="intended",
            name="routes",
            field=models.GeneratedField(
                db_persist=True,
                expression=models.Func("routing", template="(%(expressions)s -> 'routes')"),
                help_text="Routes of `routing`, without its files, which a count over all nodes would unpack",
                output_field=models.JSONField(null=True),
            ),
        ),
    ]
