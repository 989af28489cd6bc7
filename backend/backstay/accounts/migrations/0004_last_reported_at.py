from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_enrolment_agent")]

    operations = [migrations.RenameField("agent", "heard_at", "last_reported_at")]
