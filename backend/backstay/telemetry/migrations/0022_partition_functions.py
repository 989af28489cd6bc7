"""Days are created and dropped by functions of the tables' owner.

The application's role owns no table, so it can neither create nor drop a partition by itself. These functions run with
their owner's rights and can do nothing else.
"""

from django.db import migrations

PARENTS = "ARRAY['telemetry_samples', 'telemetry_metrichistory', 'telemetry_neighbourpast']"
# TOAST from half a page instead of a quarter: a switch's row stays inline.
STORAGE = "WITH (toast_tuple_target = 4080)"

FUNCTIONS = f"""
CREATE FUNCTION telemetry_create_day(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    parent text;
    child text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('telemetry partitions', 0));
    FOREACH parent IN ARRAY {PARENTS} LOOP
        child := parent || to_char(day, '_YYYYMMDD');
        IF to_regclass('public.' || child) IS NULL THEN
            EXECUTE format(
                'CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L) {STORAGE}',
                child, parent, day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
        END IF;
    END LOOP;
END
$$;
CREATE FUNCTION telemetry_drop_day(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    parent text;
BEGIN
    FOREACH parent IN ARRAY {PARENTS} LOOP
        EXECUTE format('DROP TABLE IF EXISTS public.%I', parent || to_char(day, '_YYYYMMDD'));
    END LOOP;
END
$$;
REVOKE ALL ON FUNCTION telemetry_create_day(date), telemetry_drop_day(date) FROM PUBLIC;
"""
REVERSE = "DROP FUNCTION telemetry_create_day(date); DROP FUNCTION telemetry_drop_day(date);"


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0021_neighbour_port_rates")]

    operations = [migrations.RunSQL(FUNCTIONS, REVERSE)]
