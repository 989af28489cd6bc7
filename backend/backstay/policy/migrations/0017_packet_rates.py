"""Packet rates of gateways under a failure."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('policy', '0015_track_record'),
    ]

    operations = [
        migrations.AddField(
            model_name='capacityfailure',
            name='worst_gateway',
            field=models.BigIntegerField(help_text='Node that gains traffic and is nearest to its limit of packets/s', null=True),
        ),
        migrations.AddField(
            model_name='capacityfailure',
            name='worst_packet_share',
            field=models.FloatField(help_text='Its packet rate as a share of this limit', null=True),
        ),
    ]
