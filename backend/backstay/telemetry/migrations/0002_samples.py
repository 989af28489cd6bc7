"""The sample store: one row a device and interval, one array a metric, native daily partitions.

It has no model: Django cannot express partitions, and no row of it is ever loaded as an object. The columns
are described in `store.py`, which alone writes them. A sample row is never updated nor copied: which row of a
device is the newest stands in `telemetry_newest`, and `telemetry_latest` shows those rows. The free space that
its fill factor leaves on each page keeps an update of `telemetry_newest` inside the page and out of the index
(PostgreSQL manual, "Heap-Only Tuples").
"""

from django.db import migrations

COLUMNS = """
    node_id      bigint      NOT NULL,
    ts           timestamptz NOT NULL,
    duration_ns  bigint      NOT NULL,
    shift_ns     bigint      NOT NULL,
    layout_id    bigint      NOT NULL,
    in_octets    bigint[]    NOT NULL,
    out_octets   bigint[]    NOT NULL,
    in_packets   bigint[]    NOT NULL,
    out_packets  bigint[]    NOT NULL,
    in_errors    bigint[],
    out_errors   bigint[],
    in_discards  bigint[],
    out_discards bigint[],
    in_peak      bigint[],
    out_peak     bigint[],
    outcome      smallint[]
"""

# The view takes node and time from the pointer, so that a condition on them is one look-up there.
MEASURED = ", ".join(line.split()[0] for line in COLUMNS.strip().splitlines()[2:])

TABLES = f"""
CREATE TABLE telemetry_samples ({COLUMNS}) PARTITION BY RANGE (ts);
CREATE INDEX telemetry_samples_node_ts ON telemetry_samples (node_id, ts);
CREATE TABLE telemetry_newest (node_id bigint PRIMARY KEY, ts timestamptz NOT NULL) WITH (fillfactor = 40);
CREATE VIEW telemetry_latest AS
    SELECT pointer.node_id, pointer.ts, newest.*
    FROM telemetry_newest AS pointer
    CROSS JOIN LATERAL (
        SELECT {MEASURED} FROM telemetry_samples AS s
        WHERE s.node_id = pointer.node_id AND s.ts = pointer.ts LIMIT 1
    ) AS newest;
ALTER TABLE telemetry_reportledger ADD COLUMN seqs int8multirange NOT NULL DEFAULT '{{}}';
"""

# A server may be built without lz4; then PostgreSQL's own compression stays in force.
COMPRESSION = """
DO $$
DECLARE
    metric record;
BEGIN
    FOR metric IN
        SELECT attname AS col FROM pg_attribute
        WHERE attrelid = 'telemetry_samples'::regclass
          AND attnum > 0 AND atttypid = 'bigint[]'::regtype
    LOOP
        EXECUTE format('ALTER TABLE telemetry_samples ALTER COLUMN %I SET COMPRESSION lz4', metric.col);
    END LOOP;
EXCEPTION WHEN feature_not_supported THEN
    RAISE NOTICE 'this server has no lz4: samples are stored with pglz';
END
$$;
"""

REVERSE = """
DROP VIEW telemetry_latest;
DROP TABLE telemetry_newest;
DROP TABLE telemetry_samples;
ALTER TABLE telemetry_reportledger DROP COLUMN seqs;
"""


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0001_initial")]

    operations = [
        migrations.RunSQL(TABLES, REVERSE),
        migrations.RunSQL(COMPRESSION, migrations.RunSQL.noop),
    ]
