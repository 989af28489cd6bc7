"""The label of a link as a column with an index: a page of links is not sorted by a join over all of them."""

from django.db import migrations, models
from django.db.models.functions import Collate

TRIGGERS = """
CREATE FUNCTION inventory_label_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.label := (
        SELECT node.name || ':' || port.name
        FROM inventory_port AS port JOIN inventory_node AS node ON node.id = port.node_id
        WHERE port.id = NEW.a_id
    ) || '-' || CASE WHEN NEW.b_id IS NULL
        THEN (SELECT fabric.name FROM inventory_fabric AS fabric WHERE fabric.id = NEW.fabric_id)
        ELSE (
            SELECT node.name || ':' || port.name
            FROM inventory_port AS port JOIN inventory_node AS node ON node.id = port.node_id
            WHERE port.id = NEW.b_id
        ) END;
    NEW.label := coalesce(NEW.label, '');
    RETURN NEW;
END $$;
CREATE TRIGGER label_link BEFORE INSERT ON inventory_link
    FOR EACH ROW EXECUTE FUNCTION inventory_label_link();
CREATE TRIGGER relabel_link BEFORE UPDATE ON inventory_link FOR EACH ROW
    WHEN ((OLD.a_id, OLD.b_id, OLD.fabric_id, OLD.label) IS DISTINCT FROM
        (NEW.a_id, NEW.b_id, NEW.fabric_id, NEW.label))
    EXECUTE FUNCTION inventory_label_link();

CREATE FUNCTION inventory_relabel_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_TABLE_NAME = 'inventory_fabric' THEN
        UPDATE inventory_link SET label = '' WHERE fabric_id = NEW.id AND b_id IS NULL;
    ELSIF TG_TABLE_NAME = 'inventory_port' THEN
        UPDATE inventory_link SET label = '' WHERE a_id = NEW.id OR b_id = NEW.id;
    ELSE
        UPDATE inventory_link SET label = '' WHERE
            a_id IN (SELECT id FROM inventory_port WHERE node_id = NEW.id)
            OR b_id IN (SELECT id FROM inventory_port WHERE node_id = NEW.id);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER relabel_links AFTER UPDATE OF name ON inventory_node
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION inventory_relabel_links();
CREATE TRIGGER relabel_links AFTER UPDATE OF name, node_id ON inventory_port
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.node_id IS DISTINCT FROM NEW.node_id)
    EXECUTE FUNCTION inventory_relabel_links();
CREATE TRIGGER relabel_links AFTER UPDATE OF name ON inventory_fabric
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION inventory_relabel_links();
"""
NO_TRIGGERS = """
DROP TRIGGER label_link ON inventory_link;
DROP TRIGGER relabel_link ON inventory_link;
DROP TRIGGER relabel_links ON inventory_node;
DROP TRIGGER relabel_links ON inventory_port;
DROP TRIGGER relabel_links ON inventory_fabric;
DROP FUNCTION inventory_label_link();
DROP FUNCTION inventory_relabel_links();
"""
# In one statement over all links, not by the trigger of each.
FILL = """
UPDATE inventory_link AS link SET label = named.label
FROM (
    SELECT link.id, near_node.name || ':' || near.name || '-'
        || CASE WHEN link.b_id IS NULL THEN fabric.name ELSE far_node.name || ':' || far.name END AS label
    FROM inventory_link AS link
    JOIN inventory_port AS near ON near.id = link.a_id
    JOIN inventory_node AS near_node ON near_node.id = near.node_id
    JOIN inventory_fabric AS fabric ON fabric.id = link.fabric_id
    LEFT JOIN inventory_port AS far ON far.id = link.b_id
    LEFT JOIN inventory_node AS far_node ON far_node.id = far.node_id
) AS named
WHERE named.id = link.id
"""


class Migration(migrations.Migration):
    dependencies = [("inventory", "0015_node_natural_order")]

    operations = [
        migrations.AddField(
            model_name="link",
            name="label",
            field=models.TextField(
                default="",
                editable=False,
                help_text="`sp01:css0-switch:p1`, by which lists are sorted: triggers in PostgreSQL keep it"
                " equal to the names of both ends, whatever writes them",
            ),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.RunSQL(TRIGGERS, NO_TRIGGERS),
        migrations.AddIndex(
            model_name="link",
            index=models.Index("site", Collate("label", "natural_order"), "id", name="link_natural_order"),
        ),
    ]
