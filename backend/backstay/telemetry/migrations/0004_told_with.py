from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('telemetry', '0003_figures'),
    ]

    operations = [
        migrations.AddField(
            model_name='portstate',
            name='told_with',
            field=models.BigIntegerField(default=0, db_default=0, help_text='Id of the first port of its report: several collectors may each tell of some'),
        ),
    ]
