"""Several sources of one device's samples, and which of its figures say that a part is not well.

`telemetry_newest` has a row for each source: a source is known by the layout of its ports, the kernel's and an
InfiniBand adapter's are different ones. A port that two of them have is shown from one alone: the newest layout
whose samples still come, or else the source that spoke last. `telemetry_latest` says of each row which ports are
shown from elsewhere, so that readers need no sorting; nearly always it is NULL.

"Still come": no further behind the device's newest sample than two of the source's own intervals, and five
seconds at least (core/model/freshness.py has the same rule for devices).
"""

import django.contrib.postgres.fields
from django.db import migrations, models

COLUMNS = (
    "duration_ns, shift_ns, layout_id, in_octets, out_octets, in_packets, out_packets, in_errors, out_errors,"
    " in_discards, out_discards, in_peak, out_peak, outcome"
)
TABLE = """
CREATE TABLE telemetry_newest (
    node_id bigint, layout_id bigint, ts timestamptz NOT NULL, duration_ns bigint NOT NULL,
    PRIMARY KEY (node_id, layout_id)
) WITH (fillfactor = 40);
"""
# The order of a device's sources, a whole one: first those that still come, the newest layout first.
RANKED = """
    SELECT source.node_id, source.layout_id, row_number() OVER (
        ORDER BY source.late DESC, CASE WHEN source.late THEN source.ts END,
                 source.layout_id
    ) AS place
    FROM (
        SELECT known.*, known.ts + greatest(known.duration_ns / 1000 * 2, 5000000) * interval '1 microsecond'
            < max(known.ts) OVER () AS late
        FROM telemetry_newest AS known WHERE known.node_id = pointer.node_id
    ) AS source
"""
VIEW = f"""
CREATE VIEW telemetry_latest AS
    SELECT pointer.node_id, pointer.ts, newest.*, CASE WHEN EXISTS (
        SELECT FROM telemetry_newest AS more
        WHERE more.node_id = pointer.node_id AND more.layout_id <> pointer.layout_id
    ) THEN (
        WITH ranked AS ({RANKED})
        SELECT array_agg(port) FROM ranked
        JOIN ranked AS own ON own.layout_id = pointer.layout_id AND ranked.place > own.place
        JOIN telemetry_portlayout AS layout ON layout.id = ranked.layout_id
        CROSS JOIN LATERAL unnest(layout.ports) AS port
    ) END AS elsewhere
    FROM telemetry_newest AS pointer
    CROSS JOIN LATERAL (
        SELECT {COLUMNS} FROM telemetry_samples AS s
        WHERE s.node_id = pointer.node_id AND s.ts = pointer.ts AND s.layout_id = pointer.layout_id LIMIT 1
    ) AS newest;
"""  # noqa: S608 - only constants of this module are put in
FORWARD = f"""
DROP VIEW telemetry_latest;
ALTER TABLE telemetry_newest RENAME TO telemetry_newest_before;
ALTER TABLE telemetry_newest_before RENAME CONSTRAINT telemetry_newest_pkey TO telemetry_newest_before_pkey;
{TABLE}
INSERT INTO telemetry_newest (node_id, layout_id, ts, duration_ns)
    SELECT before.node_id, sample.layout_id, before.ts, sample.duration_ns
    FROM telemetry_newest_before AS before
    CROSS JOIN LATERAL (
        SELECT layout_id, duration_ns FROM telemetry_samples AS s
        WHERE s.node_id = before.node_id AND s.ts = before.ts LIMIT 1
    ) AS sample;
DROP TABLE telemetry_newest_before;
{VIEW}
"""  # noqa: S608
REVERSE = f"""
DROP VIEW telemetry_latest;
CREATE TABLE telemetry_newest_before (node_id bigint PRIMARY KEY, ts timestamptz NOT NULL) WITH (fillfactor = 40);
INSERT INTO telemetry_newest_before SELECT node_id, max(ts) FROM telemetry_newest GROUP BY node_id;
DROP TABLE telemetry_newest;
ALTER TABLE telemetry_newest_before RENAME TO telemetry_newest;
ALTER TABLE telemetry_newest RENAME CONSTRAINT telemetry_newest_before_pkey TO telemetry_newest_pkey;
CREATE VIEW telemetry_latest AS
    SELECT pointer.node_id, pointer.ts, newest.*
    FROM telemetry_newest AS pointer
    CROSS JOIN LATERAL (
        SELECT {COLUMNS} FROM telemetry_samples AS s
        WHERE s.node_id = pointer.node_id AND s.ts = pointer.ts LIMIT 1
    ) AS newest;
"""  # noqa: S608


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0004_told_with")]

    operations = [
        migrations.RunSQL(FORWARD, REVERSE),
        migrations.AddField(
            model_name="figureset",
            name="worrying",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.IntegerField(),
                help_text="Slots, from 1, of states that are not well; NULL: none",
                null=True,
                size=None,
            ),
        ),
    ]
