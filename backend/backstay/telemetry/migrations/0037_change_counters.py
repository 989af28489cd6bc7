"""Counters of changes of the tables that large answers of the API depend on: telemetry/change_counters.py.

A trigger for each statement, with the rows that it touched: a statement that touched none counts nothing. Each
trigger needs its table for an instant (SHARE ROW EXCLUSIVE), so each is created in a transaction of its own, and
an interrupted migration can be repeated.
"""

from django.db import migrations

TABLES = (
    "accounts_agent", "accounts_rolegrant", "accounts_user",
    "alerts_incident", "alerts_incident_paths", "alerts_siterule",
    "inventory_fabric", "inventory_link", "inventory_node", "inventory_port", "inventory_site",
    "policy_arppolicy", "policy_decision", "policy_failoverpolicy", "policy_hold", "policy_path",
    "policy_pathoutage", "policy_pathroute", "policy_pathswitch", "policy_policygateway",
    "rollout_application", "rollout_change", "rollout_change_policies", "rollout_drift", "rollout_drill",
    "rollout_intended", "rollout_move", "rollout_nodemanagement", "rollout_plannednode",
    "rollout_planrecord",
    "telemetry_adjacencyset", "telemetry_arpstate", "telemetry_clockstate", "telemetry_metriclayout",
    "telemetry_metricset", "telemetry_newest", "telemetry_nodestate", "telemetry_portlayout",
    "telemetry_portstate", "telemetry_routingstate",
)  # fmt: skip
UNCOUNTED_COLUMNS = {"accounts_user": "last_login", "alerts_incident": "last_seen"}
CREATE = """
CREATE TABLE IF NOT EXISTS telemetry_tablechange (name text NOT NULL, changes bigint NOT NULL);
CREATE OR REPLACE FUNCTION telemetry_count_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM touched) THEN
        INSERT INTO public.telemetry_tablechange (name, changes) VALUES (TG_TABLE_NAME, 1);
    END IF;
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION telemetry_count_other_columns() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM touched FULL JOIN replaced ON replaced.id = touched.id
        WHERE to_jsonb(touched) - TG_ARGV[0] IS DISTINCT FROM to_jsonb(replaced) - TG_ARGV[0]
    ) THEN
        INSERT INTO public.telemetry_tablechange (name, changes) VALUES (TG_TABLE_NAME, 1);
    END IF;
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION telemetry_count_truncation() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO public.telemetry_tablechange (name, changes) VALUES (TG_TABLE_NAME, 1);
    RETURN NULL;
END
$$;
"""
DROP = """
DROP FUNCTION telemetry_count_change();
DROP FUNCTION telemetry_count_other_columns();
DROP FUNCTION telemetry_count_truncation();
DROP TABLE telemetry_tablechange;
"""
TRIGGERS = """
CREATE OR REPLACE TRIGGER count_insert AFTER INSERT ON {table} REFERENCING NEW TABLE AS touched
FOR EACH STATEMENT EXECUTE FUNCTION telemetry_count_change();
CREATE OR REPLACE TRIGGER count_update AFTER UPDATE ON {table} REFERENCING NEW TABLE AS touched OLD TABLE AS replaced
FOR EACH STATEMENT EXECUTE FUNCTION {function};
CREATE OR REPLACE TRIGGER count_delete AFTER DELETE ON {table} REFERENCING OLD TABLE AS touched
FOR EACH STATEMENT EXECUTE FUNCTION telemetry_count_change();
CREATE OR REPLACE TRIGGER count_truncate AFTER TRUNCATE ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION telemetry_count_truncation();
"""
NO_TRIGGERS = "".join(
    f"DROP TRIGGER count_{event} ON {{table}};" for event in ("insert", "update", "delete", "truncate")
)


def _triggers(table: str) -> migrations.RunSQL:
    column = UNCOUNTED_COLUMNS.get(table)
    function = f"telemetry_count_other_columns('{column}')" if column else "telemetry_count_change()"
    return migrations.RunSQL(TRIGGERS.format(table=table, function=function), NO_TRIGGERS.format(table=table))


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        ("telemetry", "0036_unchanged_reports"),
        ("accounts", "0009_agent_room"),
        ("alerts", "0024_evaluation_marks"),
        ("inventory", "0017_import_record"),
        ("policy", "0011_path_room"),
        ("rollout", "0014_confirmed_routes"),
    ]

    operations = [migrations.RunSQL(CREATE, DROP), *(_triggers(table) for table in TABLES)]
