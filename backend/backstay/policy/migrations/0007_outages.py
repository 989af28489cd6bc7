"""Outages and observed periods of paths, filled from recorded switches and events."""

import django.db.models.deletion
from django.db import migrations, models

OBSERVED_FROM = """
    UPDATE policy_path AS path
    SET observed_from = least(path.at, path.since,
                              (SELECT min(at) FROM policy_pathswitch AS switch WHERE switch.path_id = path.id))
    WHERE path.at IS NOT NULL
"""
FROM_SWITCHES = """
    INSERT INTO policy_pathoutage
        (path_id, uid, start, "end", duration_ms, cause, measured_by, probe_interval_ms, lost_probes, at)
    SELECT switch.path_id, switch.uid, span.start, span.start + span.length, switch.outage_ms,
           CASE WHEN switch.from_gateway = '' OR switch.to_gateway = '' THEN 'no_route' ELSE 'switch' END,
           CASE WHEN switch.outage_ms BETWEEN 10000 AND 10100 + switch.probe_interval_ms
                THEN 'reports' ELSE 'probes' END,
           switch.probe_interval_ms, switch.lost_probes, span.start + span.length
    FROM policy_pathswitch AS switch
    CROSS JOIN LATERAL (
        SELECT make_interval(secs => switch.outage_ms / 1000.0) AS length,
               switch.at - CASE WHEN switch.to_gateway = '' THEN interval '0'
                                ELSE make_interval(secs => switch.outage_ms / 1000.0) END AS start) AS span
    WHERE switch.outage_ms > 0
"""
"""Agents stored an outage of ten seconds while it lasted: such a value may be a lower bound, not a measurement."""
_OTHERS = """
    INSERT INTO policy_pathoutage
        (path_id, uid, start, "end", duration_ms, cause, measured_by, probe_interval_ms, lost_probes, at)
    SELECT found.path_id, gen_random_uuid(), found.start, found.finish,
           extract(epoch FROM found.finish - found.start) * 1000, found.cause, found.measured_by,
           policy.probe_interval_ms, NULL, coalesce(found.finish, path.at, found.start)
    FROM ({found}) AS found (path_id, start, finish, is_dead, cause, measured_by)
    JOIN policy_path AS path ON path.id = found.path_id
    JOIN policy_failoverpolicy AS policy ON policy.id = path.policy_id
    WHERE (found.finish > found.start OR found.finish IS NULL AND found.is_dead)
      AND NOT EXISTS (
          SELECT FROM policy_pathoutage AS other
          WHERE other.path_id = found.path_id
            AND other.start <= coalesce(found.finish, 'infinity') AND other."end" >= found.start)
"""
FROM_ROUTES = _OTHERS.format(
    found="""
        SELECT switch.path_id, switch.at, switch.following, path.active_text = '', 'no_route', 'route'
        FROM (SELECT path_id, at, to_gateway, lead(at) OVER (PARTITION BY path_id ORDER BY at, id) AS following
              FROM policy_pathswitch) AS switch
        JOIN policy_path AS path ON path.id = switch.path_id
        WHERE switch.to_gateway = ''"""
)
FROM_EVENTS = _OTHERS.format(
    found="""
        SELECT event.path_id, event.at, event.following, path.target_alive IS FALSE, 'target_dead', 'reports'
        FROM (SELECT (data ->> 'path_id')::bigint AS path_id, kind, at,
                     lead(at) OVER (PARTITION BY data ->> 'path_id' ORDER BY at, id) AS following
              FROM telemetry_event
              WHERE kind IN ('path.dead', 'path.restored', 'path.switched', 'path.lost')
                AND data ->> 'path_id' ~ '^[0-9]{1,18}$') AS event
        JOIN policy_path AS path ON path.id = event.path_id
        WHERE event.kind = 'path.dead'"""
)
FILL = [OBSERVED_FROM, FROM_SWITCHES, FROM_ROUTES, FROM_EVENTS]


class Migration(migrations.Migration):

    dependencies = [
        ("policy", "0006_help_texts"),
        ("telemetry", "0019_snmp_metrics"),
    ]

    operations = [
        migrations.AddField(
            model_name="path",
            name="observed_from",
            field=models.DateTimeField(help_text="Time of the oldest report", null=True),
        ),
        migrations.CreateModel(
            name="PathGap",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("start", models.DateTimeField()),
                ("end", models.DateTimeField()),
                (
                    "path",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="gaps", to="policy.path"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["path", "-start"], name="gap_newest")],
            },
        ),
        migrations.CreateModel(
            name="PathOutage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uid", models.UUIDField(help_text="The agent's id of the outage", unique=True)),
                ("start", models.DateTimeField()),
                ("end", models.DateTimeField(help_text="Null: ongoing", null=True)),
                ("duration_ms", models.FloatField(help_text="As measured; null: ongoing", null=True)),
                (
                    "cause",
                    models.CharField(
                        choices=[
                            ("target_dead", "target_dead"),
                            ("switch", "switch"),
                            ("no_route", "no_route"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "measured_by",
                    models.CharField(
                        choices=[("probes", "probes"), ("route", "route"), ("reports", "reports")],
                        max_length=8,
                    ),
                ),
                ("probe_interval_ms", models.PositiveIntegerField()),
                ("lost_probes", models.PositiveIntegerField(null=True)),
                (
                    "at",
                    models.DateTimeField(
                        help_text="Newest report of it as ongoing; of a measured one, its end"
                    ),
                ),
                (
                    "event_id",
                    models.BigIntegerField(help_text="The event that states its duration", null=True),
                ),
                (
                    "path",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="outages", to="policy.path"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["path", "-start"], name="outage_newest"),
                    models.Index(condition=models.Q(("end", None)), fields=["path"], name="outage_ongoing"),
                ],
            },
        ),
        *(migrations.RunSQL(statement, migrations.RunSQL.noop) for statement in FILL),
    ]
