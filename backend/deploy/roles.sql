-- The roles of Backstay's database; run by psql(1) as a superuser, on the database itself, as often as wanted.
--
--   backstay_owner  owns every table and function; migrations use it
--   backstay_app    the application: reads and writes rows; cannot change tables, roles, settings or files
--
-- Days of samples are partitions: the owner's functions telemetry_create_day and telemetry_drop_day make and drop
-- them for the application. Passwords come from BACKSTAY_DB_OWNER_PASSWORD and BACKSTAY_DB_PASSWORD.
\set ON_ERROR_STOP on
\getenv owner_password BACKSTAY_DB_OWNER_PASSWORD
\getenv app_password BACKSTAY_DB_PASSWORD

SELECT format('CREATE ROLE %I', name) FROM unnest(ARRAY['backstay_owner', 'backstay_app']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE backstay_owner LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'owner_password';
ALTER ROLE backstay_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'app_password';

-- What an older version created as a superuser becomes the owner's.
SELECT format('ALTER DATABASE %I OWNER TO backstay_owner', current_database()) \gexec
ALTER SCHEMA public OWNER TO backstay_owner;
SELECT format('ALTER %s %s OWNER TO backstay_owner',
              CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END, oid::regclass)
FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
  AND relowner <> 'backstay_owner'::regrole \gexec
SELECT format('ALTER ROUTINE %s OWNER TO backstay_owner', p.oid::regprocedure)
FROM pg_proc p
WHERE pronamespace = 'public'::regnamespace AND proowner <> 'backstay_owner'::regrole
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') \gexec

SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database()) \gexec
SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO backstay_app', current_database()) \gexec
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO backstay_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO backstay_app;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO backstay_app;
GRANT EXECUTE ON ALL ROUTINES IN SCHEMA public TO backstay_app;
-- The same for what migrations and telemetry_create_day will create.
ALTER DEFAULT PRIVILEGES FOR ROLE backstay_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO backstay_app;
ALTER DEFAULT PRIVILEGES FOR ROLE backstay_owner IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO backstay_app;
ALTER DEFAULT PRIVILEGES FOR ROLE backstay_owner IN SCHEMA public GRANT EXECUTE ON ROUTINES TO backstay_app;

-- Settings of the application's sessions, which PgBouncer lets no client set: config/database_options.py.
ALTER ROLE backstay_app SET plan_cache_mode = force_generic_plan;
ALTER ROLE backstay_app SET jit = off;
