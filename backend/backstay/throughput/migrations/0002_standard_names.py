from django.db import migrations, models
from django.db.models import CASCADE


class Migration(migrations.Migration):
    dependencies = [("inventory", "0008_node_extension"), ("throughput", "0001_initial")]
    operations = [
        migrations.RenameModel("Turn", "SiteLock"),
        migrations.RenameModel("CellDuty", "TestAssignment"),
        migrations.RenameField("TestAssignment", "told_at", "reported_at"),
        migrations.RenameField("TestAssignment", "told", "report"),
        migrations.RenameIndex("TestAssignment", "test_assignment_open", old_name="test_duty_open"),
        migrations.AlterField(
            "SiteLock", "site", models.OneToOneField("inventory.Site", CASCADE, related_name="test_site_lock")
        ),
        migrations.AlterField(
            "TestAssignment", "cell", models.ForeignKey("throughput.TestCell", CASCADE, related_name="assignments")
        ),
        migrations.AlterField(
            "TestAssignment",
            "node",
            models.ForeignKey("inventory.Node", CASCADE, related_name="test_assignments"),
        ),
        migrations.RunSQL(
            "UPDATE throughput_testcell SET medium = (medium - 'ways')"
            " || jsonb_build_object('paths', medium -> 'ways') WHERE medium ? 'ways'",
            "UPDATE throughput_testcell SET medium = (medium - 'paths')"
            " || jsonb_build_object('ways', medium -> 'paths') WHERE medium ? 'paths'",
        ),
    ]
