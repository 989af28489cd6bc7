"""Manifest of the archive of closed days (telemetry.archive)."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('telemetry', '0028_rollups'),
    ]

    operations = [
        migrations.CreateModel(
            name='ArchiveDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(unique=True)),
                ('planned_at', models.DateTimeField(help_text='Null: its parts are to be planned anew', null=True)),
                ('unreadable_rows', models.PositiveBigIntegerField(default=0, help_text='Rows of devices removed before the day was planned: their ports are unknown')),
                ('verified_at', models.DateTimeField(help_text='Null: not all parts are verified', null=True)),
                ('failing_since', models.DateTimeField(help_text='Null: the last attempt did not fail', null=True)),
                ('failure', models.CharField(blank=True, help_text='Why the last attempt failed', max_length=300)),
            ],
        ),
        migrations.CreateModel(
            name='ArchivePart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.CharField(help_text='samples, ports', max_length=8)),
                ('site', models.CharField(help_text="The site's name, as in the path", max_length=50)),
                ('number', models.PositiveIntegerField()),
                ('path', models.CharField(help_text="Below the archive's root", max_length=200, unique=True)),
                ('first_node', models.BigIntegerField()),
                ('last_node', models.BigIntegerField()),
                ('source_rows', models.PositiveBigIntegerField(default=0, help_text='Rows of the partition; 0 for ports')),
                ('rows', models.PositiveBigIntegerField(default=0)),
                ('totals', models.JSONField(default=dict, help_text='{column: sum}, computed by PostgreSQL')),
                ('sha256', models.CharField(blank=True, max_length=64)),
                ('bytes', models.PositiveBigIntegerField(default=0)),
                ('written_at', models.DateTimeField(null=True)),
                ('verified_at', models.DateTimeField(help_text='When the file read back equalled the partition', null=True)),
                ('released_at', models.DateTimeField(help_text='When the partition was dropped', null=True)),
                ('failure', models.CharField(blank=True, help_text='Why the last verification failed', max_length=300)),
                ('day', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='telemetry.archiveday')),
            ],
            options={
                'indexes': [models.Index(fields=['table', 'first_node', 'last_node'], name='archive_part_nodes')],
                'constraints': [models.UniqueConstraint(fields=('day', 'table', 'site', 'number'), name='archive_part_once')],
            },
        ),
    ]
