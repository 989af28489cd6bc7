"""Outcome of the last run of the archive (telemetry.archive.writer); a new table of one row."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('telemetry', '0031_exports'),
    ]

    operations = [
        migrations.CreateModel(
            name='ArchiveState',
            fields=[
                ('id', models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ('ran_at', models.DateTimeField(help_text='End of the last run')),
                ('succeeded_at', models.DateTimeField(help_text='End of the last run without a failure', null=True)),
                ('failure', models.CharField(blank=True, help_text='Of the last run', max_length=300)),
                ('free_bytes', models.BigIntegerField(help_text="Of a folder's disk; null: a bucket, or unknown", null=True)),
            ],
        ),
    ]
