"""Renames the collector `snmp-figures` to `snmp-metrics`, so that its metrics keep their history."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

OLD, NEW = "snmp-figures", "snmp-metrics"


def rename(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    for name in ("MetricLayout", "MetricSet"):
        apps.get_model("telemetry", name).objects.filter(collector=OLD).update(collector=NEW)
    for state in apps.get_model("telemetry", "NodeState").objects.filter(collectors__has_key=OLD):
        state.collectors[NEW] = state.collectors.pop(OLD)
        state.save(update_fields=["collectors"])


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0018_host_network")]
    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
