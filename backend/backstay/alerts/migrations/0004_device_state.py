from django.db import migrations, models


def ensure_rule(apps, schema_editor):
    """Sites that were imported before get the rule as new ones do (alerts/rules.py)."""
    rule, site = apps.get_model("alerts", "Rule"), apps.get_model("inventory", "Site")
    parameters = {"after_s": 5.0, "clear_s": 10.0}
    rule.objects.bulk_create(
        [rule(site=item, kind="device_state", parameters=parameters) for item in site.objects.all()],
        ignore_conflicts=True,
    )


class Migration(migrations.Migration):

    dependencies = [
        ('alerts', '0003_alarms'),
        ('inventory', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='round',
            name='resumed_at',
            field=models.DateTimeField(help_text='When rounds began again after a pause: silence counts from here', null=True),
        ),
        migrations.AlterField(
            model_name='rule',
            name='kind',
            field=models.CharField(choices=[('saturation', 'Saturation'), ('gateway_failed_over', 'Gateway Failed Over'), ('node_stale', 'Node Stale'), ('port_down', 'Port Down'), ('path_dead', 'Path Dead'), ('device_alarm', 'Device Alarm'), ('device_state', 'Device State')], max_length=32),
        ),
        migrations.AlterField(
            model_name='rule',
            name='parameters',
            field=models.JSONField(default=dict, help_text='Of each kind: alerts/rules.py'),
        ),
        migrations.RunPython(ensure_rule, migrations.RunPython.noop),
    ]
