from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("rollout", "0007_wave_size")]
    operations = [
        migrations.RenameModel("Told", "PendingNodeReport"),
        migrations.RenameField("PlanRecord", "duties", "assignments"),
        migrations.RenameField("Application", "duty", "assignment"),
    ]
