from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("policy", "0013_policy_deployed")]

    operations = [
        migrations.AlterField(
            model_name="capacityfailure",
            name="key",
            field=models.CharField(
                help_text="`node:5`, `link:7`, `fabric:2`, `group:NAME` of a shared risk", max_length=128
            ),
        )
    ]
