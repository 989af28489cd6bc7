"""Reported addresses and hardware addresses of ports, for the search."""

from django.db import migrations

_INDEXES = """
CREATE INDEX port_state_addresses ON telemetry_portstate USING gin (addresses);
CREATE INDEX port_state_mac ON telemetry_portstate (mac text_pattern_ops);
"""


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0037_change_counters")]
    operations = [migrations.RunSQL(_INDEXES, "DROP INDEX IF EXISTS port_state_addresses, port_state_mac;")]
