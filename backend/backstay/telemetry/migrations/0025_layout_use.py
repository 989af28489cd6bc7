"""When layouts and undeclared ports were last used, so that retention can remove the others."""

import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('inventory', '0012_declared_fault'),
        ('telemetry', '0024_evidence'),
    ]

    operations = [
        migrations.CreateModel(
            name='NewestSample',
            fields=[
                ('layout', models.OneToOneField(on_delete=django.db.models.deletion.DO_NOTHING, primary_key=True, related_name='+', serialize=False, to='telemetry.portlayout')),
                ('ts', models.DateTimeField()),
                ('duration_ns', models.BigIntegerField()),
            ],
            options={
                'db_table': 'telemetry_newest',
                'managed': False,
            },
        ),
        migrations.CreateModel(
            name='PortUse',
            fields=[
                ('port', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='use', serialize=False, to='inventory.port')),
                ('used_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), default=django.utils.timezone.now, help_text='Up to 36 hours before the real time')),
            ],
        ),
        migrations.RunSQL(
            "INSERT INTO telemetry_portuse (port_id) SELECT id FROM inventory_port WHERE NOT declared",
            migrations.RunSQL.noop,
        ),
        migrations.AddField(
            model_name='metriclayout',
            name='used_at',
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), default=django.utils.timezone.now, help_text='Last use; up to 36 hours before the real one'),
        ),
        migrations.AddField(
            model_name='portlayout',
            name='used_at',
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), default=django.utils.timezone.now, help_text='Last use; up to 36 hours before the real one'),
        ),
        migrations.AddIndex(
            model_name='metriclayout',
            index=models.Index(fields=['used_at'], name='metric_layout_used'),
        ),
        migrations.AddIndex(
            model_name='portlayout',
            index=models.Index(fields=['used_at'], name='layout_used'),
        ),
        migrations.AddIndex(
            model_name='portlayout',
            index=django.contrib.postgres.indexes.GinIndex(fields=['ports'], name='layout_ports'),
        ),
        migrations.AddIndex(
            model_name='portuse',
            index=models.Index(fields=['used_at'], name='port_used'),
        ),
    ]
