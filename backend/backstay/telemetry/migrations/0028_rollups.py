"""Roll-ups of port samples: one row a device, layout and hour (5-minute bins) or day (the coarser levels).

An array has the shape [slot][bin]; NULL: zero for every port, or not measured. Each small array is compressed and stays in its
row while that fits a page (storage MAIN). The functions run with the owner's rights, as those of 0022.
"""

import django.db.models.deletion
from django.db import migrations, models

DIRECTION = """
    {0}_missing real[],
    {0}_octets bigint[] NOT NULL,
    {0}_packets real[],
    {0}_errors bigint[],
    {0}_discards bigint[],
    {0}_min real[] NOT NULL,
    {0}_max real[] NOT NULL,
    {0}_peak real[]{1}
"""
COLUMNS = """
    node_id bigint NOT NULL,
    at timestamptz NOT NULL,
    layout_id bigint NOT NULL,
    seconds double precision[] NOT NULL,
    samples integer[] NOT NULL,
    resets integer[],
"""
LEVELS = {"5m": "month", "1h": "month", "1d": "year"}
TABLES = "".join(
    f"""
CREATE TABLE telemetry_rollup_{level} (
    {COLUMNS}
    {DIRECTION.format("in", extra.format("in"))},
    {DIRECTION.format("out", extra.format("out"))},
    PRIMARY KEY (node_id, at, layout_id)
) PARTITION BY RANGE (at);
"""
    for level in LEVELS
    for extra in ["" if level == "5m" else ",\n    {0}_p95 real[] NOT NULL"]
) + """
CREATE TABLE telemetry_rolluplate (node_id bigint NOT NULL, hour timestamptz NOT NULL);
"""
STORAGE = """
DO $$
DECLARE
    item record;
BEGIN
    FOR item IN
        SELECT attrelid::regclass AS rel, attname AS col FROM pg_attribute
        WHERE attrelid IN ('telemetry_rollup_5m'::regclass, 'telemetry_rollup_1h'::regclass,
                           'telemetry_rollup_1d'::regclass)
          AND attnum > 0 AND attndims > 0
    LOOP
        EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STORAGE MAIN', item.rel, item.col);
        BEGIN
            EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET COMPRESSION lz4', item.rel, item.col);
        EXCEPTION WHEN feature_not_supported THEN
            NULL;  -- This server has no lz4: pglz stays in force.
        END;
    END LOOP;
END
$$;
"""
FUNCTIONS = """
CREATE FUNCTION telemetry_create_rollups(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part record;
    child text;
    start date;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('telemetry partitions', 0));
    FOR part IN SELECT * FROM (VALUES
        ('telemetry_rollup_5m', 'month', '_YYYYMM'), ('telemetry_rollup_1h', 'month', '_YYYYMM'),
        ('telemetry_rollup_1d', 'year', '_YYYY')) AS known (parent, period, suffix)
    LOOP
        child := part.parent || to_char(day, part.suffix);
        start := date_trunc(part.period, day::timestamp)::date;
        IF to_regclass('public.' || child) IS NULL THEN
            EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING ALL) WITH (toast_tuple_target = 128)',
                child, part.parent);
            EXECUTE format(
                'ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
                part.parent, child, start::timestamp AT TIME ZONE 'UTC',
                (start + ('1 ' || part.period)::interval) AT TIME ZONE 'UTC');
        END IF;
    END LOOP;
END
$$;
CREATE FUNCTION telemetry_drop_rollup(level text, day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF level NOT IN ('5m', '1h', '1d') THEN
        RAISE EXCEPTION 'no level %', level;
    END IF;
    EXECUTE format('DROP TABLE IF EXISTS public.%I',
        'telemetry_rollup_' || level || to_char(day, CASE level WHEN '1d' THEN '_YYYY' ELSE '_YYYYMM' END));
END
$$;
REVOKE ALL ON FUNCTION telemetry_create_rollups(date), telemetry_drop_rollup(text, date) FROM PUBLIC;
"""
REVERSE = """
DROP FUNCTION telemetry_create_rollups(date);
DROP FUNCTION telemetry_drop_rollup(text, date);
DROP TABLE telemetry_rolluplate, telemetry_rollup_5m, telemetry_rollup_1h, telemetry_rollup_1d;
"""


class Migration(migrations.Migration):
    dependencies = [("inventory", "0012_declared_fault"), ("telemetry", "0027_attach_partitions")]

    operations = [
        migrations.RunSQL(TABLES + STORAGE + FUNCTIONS, REVERSE),
        migrations.CreateModel(
            name="RollupMark",
            fields=[
                ("node", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name="+", serialize=False, to="inventory.node")),
                ("since", models.DateTimeField(help_text="Start of the oldest row")),
                ("fine_until", models.DateTimeField(help_text="End of the newest row of 5-minute bins")),
                ("coarse_until", models.DateTimeField(help_text="End of the newest rows of 1 h and 1 d")),
            ],
        ),
    ]
