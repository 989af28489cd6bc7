from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("policy", "0012_capacity_results")]

    operations = [
        migrations.AddField(
            model_name="failoverpolicy",
            name="is_deployed",
            field=models.BooleanField(
                default=True,
                help_text="Of the site file: its routes and detection run on the nodes, installed outside"
                " Backstay; false: nothing on a node detects a failure until a change deploys it there",
            ),
        )
    ]
