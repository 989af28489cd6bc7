"""Roll-ups of device metrics, with partitions as those of ports (0028), which are created and dropped with them.

One row a device, metric layout and hour (5-minute bins) or day. `places` names the slots of the layout that are not zero,
as in `telemetry_metrichistory`; their arrays have the shape [place][bin]. Only tables without rows are created, so that it
takes a moment on a filled database too.
"""

import django.db.models.deletion
from django.db import migrations, models

LEVELS = {"5m": "month", "1h": "month", "1d": "year"}
TABLES = "".join(
    f"""
CREATE TABLE telemetry_metricrollup_{level} (
    node_id bigint NOT NULL,
    at timestamptz NOT NULL,
    layout_id bigint NOT NULL,
    seconds double precision[] NOT NULL,
    samples integer[] NOT NULL,
    places integer[] NOT NULL,
    total double precision[],
    unknown integer[],
    missing real[],
    min real[],
    max real[]{"" if level == "5m" else ", p95 real[]"},
    PRIMARY KEY (node_id, at, layout_id)
) PARTITION BY RANGE (at);
"""
    for level in LEVELS
) + """
CREATE TABLE telemetry_metricrolluplate (node_id bigint NOT NULL, hour timestamptz NOT NULL);
"""
STORAGE = """
DO $$
DECLARE
    item record;
BEGIN
    FOR item IN
        SELECT attrelid::regclass AS rel, attname AS col FROM pg_attribute
        WHERE attrelid IN ('telemetry_metricrollup_5m'::regclass, 'telemetry_metricrollup_1h'::regclass,
                           'telemetry_metricrollup_1d'::regclass)
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
PORTS, METRICS = "telemetry_rollup_", "telemetry_metricrollup_"


def functions(prefixes: tuple[str, ...]) -> str:
    """Create and drop the partitions of these tables."""
    parents = ", ".join(
        f"('{prefix}{level}', '{period}', '{'_YYYY' if period == 'year' else '_YYYYMM'}')"
        for prefix in prefixes
        for level, period in LEVELS.items()
    )
    return f"""
CREATE OR REPLACE FUNCTION telemetry_create_rollups(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part record;
    child text;
    start date;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('telemetry partitions', 0));
    FOR part IN SELECT * FROM (VALUES {parents}) AS known (parent, period, suffix)
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
CREATE OR REPLACE FUNCTION telemetry_drop_rollup(level text, day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    prefix text;
BEGIN
    IF level NOT IN ('5m', '1h', '1d') THEN
        RAISE EXCEPTION 'no level %', level;
    END IF;
    FOREACH prefix IN ARRAY ARRAY[{", ".join(f"'{prefix}'" for prefix in prefixes)}] LOOP
        EXECUTE format('DROP TABLE IF EXISTS public.%I',
            prefix || level || to_char(day, CASE level WHEN '1d' THEN '_YYYY' ELSE '_YYYYMM' END));
    END LOOP;
END
$$;
"""


REVERSE = """
DROP TABLE telemetry_metricrolluplate, telemetry_metricrollup_5m, telemetry_metricrollup_1h, telemetry_metricrollup_1d;
"""


class Migration(migrations.Migration):
    dependencies = [("inventory", "0012_declared_fault"), ("telemetry", "0029_archive")]

    operations = [
        migrations.RunSQL(
            TABLES + STORAGE + functions((PORTS, METRICS)), functions((PORTS,)) + REVERSE
        ),
        migrations.CreateModel(
            name="MetricRollupMark",
            fields=[
                ("node", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name="+", serialize=False, to="inventory.node")),
                ("since", models.DateTimeField(help_text="Start of the oldest row")),
                ("fine_until", models.DateTimeField(help_text="End of the newest row of 5-minute bins")),
                ("coarse_until", models.DateTimeField(help_text="End of the newest rows of 1 h and 1 d")),
            ],
        ),
    ]
