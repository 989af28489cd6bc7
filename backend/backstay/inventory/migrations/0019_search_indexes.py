"""Trigram indexes for the search over all objects.

`pg_trgm` is a trusted extension: the owner of the database may create it. Where it is not installed or not
allowed, the search finds text without indexes and does not tolerate typing errors.
"""

from django.db import migrations

_INDEXES = """
DO $$
BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
    RAISE WARNING 'The search tolerates no typing errors: the extension pg_trgm is missing (%).', SQLERRM;
END $$;
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
        CREATE INDEX node_words ON inventory_node USING gin ((name || ' ' || title) gin_trgm_ops);
        CREATE INDEX port_words ON inventory_port USING gin (name gin_trgm_ops);
        CREATE INDEX link_words ON inventory_link USING gin ((label || ' ' || circuit) gin_trgm_ops);
    END IF;
END $$;
CREATE INDEX port_addresses ON inventory_port USING gin (addresses);
"""
_DROP = "DROP INDEX IF EXISTS node_words, port_words, link_words, port_addresses;"


class Migration(migrations.Migration):
    dependencies = [("inventory", "0018_shared_risks")]
    operations = [migrations.RunSQL(_INDEXES, _DROP)]
