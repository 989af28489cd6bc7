"""Exports of port history (telemetry.exports); a new table, so no row is rewritten."""

import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('inventory', '0012_declared_fault'),
        ('telemetry', '0030_metric_rollups'),
    ]

    operations = [
        migrations.CreateModel(
            name='Export',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('person', models.CharField(help_text='User who asked for it', max_length=150)),
                ('format', models.CharField(help_text='csv, jsonl, parquet', max_length=8)),
                ('level', models.CharField(help_text='auto, samples, 5m, 1h, 1d', max_length=8)),
                ('start', models.DateTimeField()),
                ('end', models.DateTimeField()),
                ('selection', models.JSONField(default=dict, help_text='{links: [id]}, {ports: [id]} or {fabric: name}; empty: the site')),
                ('state', models.CharField(default='queued', help_text='queued, running, done, failed', max_length=8)),
                ('created_at', models.DateTimeField()),
                ('worked_at', models.DateTimeField(help_text='When a worker last began or ended a step', null=True)),
                ('ended_at', models.DateTimeField(help_text='Null: not ended', null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='Attempts since the last progress')),
                ('plan', models.JSONField(help_text='Spans of core.export_plan; null: not begun', null=True)),
                ('position', models.JSONField(default=dict, help_text='{span, at, node}: the next step; bytes written so far belong to it')),
                ('progress', models.FloatField(default=0.0, help_text='0..1')),
                ('rows', models.PositiveBigIntegerField(default=0)),
                ('bytes', models.PositiveBigIntegerField(default=0, help_text='Of the file, or of what is written of it')),
                ('gaps', models.JSONField(default=list, help_text='[{start, end, text}], the first ones')),
                ('gap_count', models.PositiveIntegerField(default=0)),
                ('failure', models.CharField(blank=True, max_length=300)),
                ('file', models.UUIDField(default=uuid.uuid4, help_text='Name of its file, without suffix', unique=True)),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='inventory.site')),
            ],
            options={
                'indexes': [models.Index(fields=['site', 'created_at'], name='export_of_site'), models.Index(fields=['ended_at'], name='export_age'), models.Index(condition=models.Q(('state__in', ('queued', 'running'))), fields=['created_at'], name='export_open')],
            },
        ),
    ]
