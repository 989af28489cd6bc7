import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_enrolment_agent"),
        ("inventory", "0008_node_extension"),
        ("telemetry", "0009_clocks"),
    ]

    operations = [
        migrations.RenameModel("Teller", "ReporterLease"),
        migrations.AlterField(
            model_name="reporterlease",
            name="node",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="reporter_lease", to="inventory.node"
            ),
        ),
        migrations.AlterField(
            model_name="reporterlease",
            name="agent",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="reporter_leases",
                to="accounts.agent",
            ),
        ),
        migrations.AlterField(
            model_name="reporterlease",
            name="at",
            field=models.DateTimeField(help_text="When it last reported the device, by our clock"),
        ),
    ]
