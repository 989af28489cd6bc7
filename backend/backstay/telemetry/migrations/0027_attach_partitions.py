"""A day's partitions are attached instead of created in place.

`CREATE TABLE ... PARTITION OF` locks the parent exclusively: behind one open reader, such as a dump, it waits, and behind
it every insert. `ATTACH PARTITION` lets readers and inserts go on (PostgreSQL manual, "ALTER TABLE").
"""

from django.db import migrations

PARENTS = "ARRAY['telemetry_samples', 'telemetry_metrichistory', 'telemetry_neighbourpast']"
# TOAST from half a page instead of a quarter: a switch's row stays inline.
STORAGE = "WITH (toast_tuple_target = 4080)"
IN_PLACE = f"""
            EXECUTE format(
                'CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L) {STORAGE}',
                child, parent, day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
"""
ATTACHED = f"""
            EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING ALL) {STORAGE}', child, parent);
            EXECUTE format(
                'ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
                parent, child, day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
"""


def create_day(statements: str) -> str:
    """The function that creates a day, with these statements for each table."""
    return f"""
CREATE OR REPLACE FUNCTION telemetry_create_day(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    parent text;
    child text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('telemetry partitions', 0));
    FOREACH parent IN ARRAY {PARENTS} LOOP
        child := parent || to_char(day, '_YYYYMMDD');
        IF to_regclass('public.' || child) IS NULL THEN{statements}        END IF;
    END LOOP;
END
$$;
"""


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0026_alarm_clearings")]

    operations = [migrations.RunSQL(create_day(ATTACHED), create_day(IN_PLACE))]
