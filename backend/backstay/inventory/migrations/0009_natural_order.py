"""A collation for names: `sp2` comes before `sp10`, and case counts last."""

from django.contrib.postgres.operations import CreateCollation
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("inventory", "0008_node_extension")]
    operations = [CreateCollation("natural_order", provider="icu", locale="und-u-kn-true")]
