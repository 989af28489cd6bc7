"""Adds the verdict on each port's saved state, and computes it for nodes whose boot files are known."""

from django.db import migrations, models

from backstay.core.diagnosis.saved_ports import RunningPort, saved_ports, worst_verdict


def judge(apps, schema_editor):
    texts = {}
    for name in ("RoutingState", "ArpState"):
        rows = apps.get_model("telemetry", name).objects.exclude(files=[])
        for node, files in rows.values_list("node_id", "files").iterator(chunk_size=500):
            texts.setdefault(node, {}).update({file["path"]: file.get("text") or "" for file in files})
    ports, changed = apps.get_model("telemetry", "PortState"), []
    saved = {node: saved_ports(files.values()) for node, files in texts.items()}
    for row in ports.objects.filter(port__node__in=saved).select_related("port").iterator(chunk_size=2000):
        running = RunningPort(row.port.name, row.mtu, row.admin_up, tuple(row.addresses))
        row.saved = worst_verdict(running, saved[row.port.node_id])
        changed.append(row)
    ports.objects.bulk_update(changed, ["saved"], batch_size=1000)


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0022_partition_functions")]

    operations = [
        migrations.AddField(
            model_name="portstate",
            name="saved",
            field=models.CharField(
                db_default="unknown",
                default="unknown",
                help_text="Worst verdict of core.diagnosis.saved_ports on its values; unknown: no boot file is read",
                max_length=8,
            ),
        ),
        migrations.RunPython(judge, migrations.RunPython.noop),
    ]
