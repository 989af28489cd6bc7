"""Nodes of changes as rows: a page reads only its own, and nothing reads all assignments or evidence."""

import django.db.models.deletion
from django.db import migrations, models

KNOWN_BEFORE = """
CREATE FUNCTION rollout_known_before(assignment jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT jsonb_build_object(
    'has_routing', coalesce(assignment->'routing', 'null') <> 'null',
    'has_arp', coalesce(assignment->'arp', 'null') <> 'null',
    'had_arp', coalesce(assignment#>'{earlier,arp}', 'null') <> 'null',
    'has_files', coalesce(assignment#>'{files_before,0}', 'null') <> 'null',
    'prefixes', jsonb_path_query_array(assignment, '$.routing.routes[*].prefix'),
    'earlier_prefixes', jsonb_path_query_array(assignment, '$.earlier.routing.routes[*].prefix'),
    'earlier_policies', jsonb_path_query_array(assignment, '$.earlier.routing.routes[*].policy')
) $$
"""
# Changes that have started have their nodes as rows already.
PLANNED = """
INSERT INTO rollout_plannednode (plan_id, node_id, wave, engine)
SELECT plan.id, node.id, (assigned.value->>'wave')::smallint, assigned.value#>>'{routing,engine,kind}'
FROM rollout_planrecord AS plan
JOIN rollout_change AS change ON change.id = plan.change_id AND change.state IN ('draft', 'planned', 'approved')
CROSS JOIN jsonb_each(plan.assignments) AS assigned
JOIN inventory_node AS node ON node.id = assigned.key::bigint
ORDER BY plan.id, (assigned.value->>'wave')::smallint, node.id
"""


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0015_node_natural_order"),
        ("rollout", "0012_age_indexes"),
    ]

    operations = [
        migrations.CreateModel(
            name="PlannedNode",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("wave", models.PositiveSmallIntegerField()),
                (
                    "engine",
                    models.CharField(
                        help_text="Null: its routing does not change", max_length=16, null=True
                    ),
                ),
                (
                    "node",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="inventory.node"
                    ),
                ),
                (
                    "plan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="planned",
                        to="rollout.planrecord",
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["plan", "wave", "id"], name="planned_by_wave")]},
        ),
        migrations.AddField(
            model_name="planrecord",
            name="head",
            field=models.JSONField(
                help_text="`document` with the first entries of each list; null: it is short, or made before"
                " 0013",
                null=True,
            ),
        ),
        migrations.RunSQL(KNOWN_BEFORE, "DROP FUNCTION rollout_known_before(jsonb)"),
        migrations.AddField(
            model_name="application",
            name="known_before",
            field=models.GeneratedField(
                db_persist=True,
                expression=models.Func("assignment", function="rollout_known_before"),
                help_text="What the assignment records of the node before the change, in brief: the function of"
                " this name in PostgreSQL, so that nobody reads 10,000 assignments to learn that all can be"
                " undone",
                output_field=models.JSONField(),
            ),
        ),
        migrations.AddIndex(
            model_name="application",
            index=models.Index(fields=["change", "wave", "id"], name="application_by_wave"),
        ),
        migrations.AddIndex(
            model_name="application",
            index=models.Index(
                fields=["change", "wave", "state"], include=["guard_until"], name="application_progress"
            ),
        ),
        migrations.RunSQL(PLANNED, migrations.RunSQL.noop),
    ]
