"""Overrides of rules for parts of a site, and limits on device metrics.

A site's rule stored a copy of its defaults; values that equal the defaults of that time are removed, so that only
what somebody changed stays. It touches one row for each rule of each site.
"""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

DEFAULTS: dict[str, dict[str, float]] = {
    "saturation": {"raise_at": 0.9, "clear_at": 0.75, "samples": 3},
    "clock": {"raise_s": 10.0, "clear_s": 5.0},
    "neighbour_flood": {"grown": 64, "per_s": 5.0, "clear_s": 60.0},
    "neighbour_table": {"raise_at": 0.7, "clear_at": 0.6},
    "neighbour_clash": {"after_s": 10.0},
    "neighbour_gateway": {"after_s": 10.0},
    "hippi_blocked": {"every_s": 10.0, "window_s": 60.0, "raise_at": 0.5, "clear_at": 0.25},
    "address_mismatch": {"after_s": 10.0},
    "device_state": {"after_s": 5.0, "clear_s": 10.0},
    "cable": {"every_s": 20.0},
    "path_dead": {"after_s": 3.0},
    "circuit": {"after_s": 5.0},
    "extension": {"after_s": 5.0},
    "rule_failed": {"after_s": 4.0},
    "reporting_lost": {"after_s": 0.0},
    "fabric_down": {"after_s": 1.0},
    "gateway_isolated": {"after_s": 1.0},
    "gateway_unreachable": {"after_s": 0.0},
    "gateway_not_forwarding": {"after_s": 0.0},
    "standby_dead": {"after_s": 20.0},
}


def keep_changes(apps: Any, schema_editor: Any) -> None:
    """Remove copies of defaults."""
    rules = apps.get_model("alerts", "SiteRule")
    changed = []
    for rule in rules.objects.exclude(parameters={}).iterator(chunk_size=1000):
        known = DEFAULTS.get(rule.kind, {})
        kept = {name: value for name, value in rule.parameters.items() if known.get(name) != value}
        if kept != rule.parameters:
            rule.parameters = kept
            changed.append(rule)
    rules.objects.bulk_update(changed, ["parameters"], batch_size=500)
    # The foreign keys that this migration adds come after it: no check of a row may be outstanding.
    schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


PERSON = {
    "null": True,
    "on_delete": django.db.models.deletion.SET_NULL,
    "related_name": "+",
    "to": settings.AUTH_USER_MODEL,
}
ORIGIN = "Who owns it: file (the site file), operator"


class Migration(migrations.Migration):
    dependencies = [
        ("alerts", "0019_seen_severity"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="siterule",
            name="severity",
            field=models.CharField(
                max_length=8,
                blank=True,
                default="",
                db_default="",
                help_text="Of all its incidents; empty: the rule's",
            ),
        ),
        migrations.AddField(
            model_name="siterule",
            name="origin",
            field=models.CharField(
                max_length=8,
                default="operator",
                db_default="operator",
                help_text="Who changed it last: file, operator",
            ),
        ),
        migrations.AddField(model_name="siterule", name="changed_at", field=models.DateTimeField(null=True)),
        migrations.AddField(model_name="siterule", name="changed_by", field=models.ForeignKey(**PERSON)),
        migrations.AlterField(
            model_name="siterule",
            name="parameters",
            field=models.JSONField(
                default=dict, help_text="{name: value}, where they differ from the defaults"
            ),
        ),
        migrations.CreateModel(
            name="RuleOverride",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("scope", models.CharField(max_length=8, help_text="fabric, role, label or port")),
                ("match", models.CharField(max_length=300, help_text="`css`, `compute`, `rack=a1`, `grf1:ga030`")),
                ("enabled", models.BooleanField(null=True, help_text="null: as the less specific")),
                ("severity", models.CharField(max_length=8, blank=True, help_text="Empty: as the less specific")),
                (
                    "parameters",
                    models.JSONField(default=dict, help_text="{name: value}; missing: as the less specific"),
                ),
                ("origin", models.CharField(max_length=8, default="operator", help_text=ORIGIN)),
                ("changed_at", models.DateTimeField()),
                ("changed_by", models.ForeignKey(**PERSON)),
                (
                    "rule",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="overrides",
                        to="alerts.siterule",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("rule", "scope", "match"), name="one_override_per_match")
                ]
            },
        ),
        migrations.CreateModel(
            name="MetricLimit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.SlugField(max_length=50)),
                (
                    "metric",
                    models.CharField(max_length=128, help_text="A name of backstay_wire.METRICS with numbers"),
                ),
                (
                    "subject",
                    models.CharField(
                        max_length=128, blank=True, help_text="Shell pattern of ports or parts; empty: all"
                    ),
                ),
                (
                    "role",
                    models.CharField(max_length=32, blank=True, help_text="Only nodes of this role; empty: all"),
                ),
                (
                    "labels",
                    models.JSONField(default=dict, help_text="{name: value}: only nodes with all of them"),
                ),
                (
                    "above",
                    models.BooleanField(
                        help_text="Whether a value above the limit is wrong; otherwise one below it"
                    ),
                ),
                (
                    "raise_at",
                    models.FloatField(help_text="In the metric's unit; of a counter per second"),
                ),
                (
                    "clear_at",
                    models.FloatField(
                        help_text="An incident resolves once the value is on the other side of this"
                    ),
                ),
                (
                    "for_s",
                    models.FloatField(
                        help_text="The value is beyond the limit for so long before an incident opens"
                    ),
                ),
                ("severity", models.CharField(max_length=8)),
                ("enabled", models.BooleanField(default=True)),
                ("origin", models.CharField(max_length=8, default="operator", help_text=ORIGIN)),
                ("changed_at", models.DateTimeField()),
                ("changed_by", models.ForeignKey(**PERSON)),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="metric_limits",
                        to="inventory.site",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("site", "name"), name="metric_limit_name_per_site")
                ]
            },
        ),
        migrations.RunPython(keep_changes, migrations.RunPython.noop),
    ]
