"""The application's database role on a real PostgreSQL: rows, and nothing more (backend/deploy/roles.sql)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from bench import databases
from bench.databases import PrivateDatabases

BACKEND = Path(__file__).resolve().parent.parent
ROLES = BACKEND / "deploy" / "roles.sql"
PASSWORDS = {
    "BACKSTAY_DB_OWNER_PASSWORD": "an owner's secret",
    "BACKSTAY_DB_PASSWORD": "an application's secret",
}
NOW = datetime(2031, 5, 10, 12, tzinfo=UTC)
FORBIDDEN = (
    "CREATE TABLE mine (id int)",
    "DROP TABLE accounts_user",
    "ALTER TABLE accounts_user ADD COLUMN extra int",
    "TRUNCATE accounts_user",
    "CREATE ROLE other",
    "ALTER ROLE backstay_app SUPERUSER",
    "SET ROLE backstay_owner",
    "COPY accounts_user TO '/tmp/stolen'",
    "COPY accounts_user FROM PROGRAM 'id'",
    "SELECT pg_read_file('postgresql.conf')",
    "ALTER SYSTEM SET log_statement = 'all'",
    "CREATE EXTENSION dblink",
    "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
)


def apply_roles(servers: PrivateDatabases) -> None:
    """Run roles.sql as a deployment does, as the superuser."""
    psql = shutil.which("psql")
    assert psql
    argv = [psql, "-XqAt", "-h", str(servers.folder), "-U", "backstay", "-d", "backstay", "-f", str(ROLES)]
    subprocess.run(argv, env={**os.environ, **PASSWORDS}, check=True, capture_output=True, text=True)


def manage(servers: PrivateDatabases, role: str, *arguments: str) -> str:
    """One management command as a role."""
    environment = {
        **os.environ,
        **servers.environment,
        "BACKSTAY_DB_USER": role,
        "BACKSTAY_SECRET_KEYS": "a key",
    }
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=BACKEND, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def servers() -> Iterator[PrivateDatabases]:
    """A cluster of its own, because roles belong to a whole cluster, migrated by the owner."""
    made = databases.start(durable=False)
    try:
        apply_roles(made)
        manage(made, "backstay_owner", "migrate", "--no-input", "--verbosity", "0")
        yield made
    finally:
        made.stop()


@pytest.fixture
def application(servers: PrivateDatabases) -> Iterator[psycopg.Connection]:
    dsn = servers.dsn.replace("user=backstay", "user=backstay_app")
    with psycopg.connect(dsn, autocommit=True) as connection:
        yield connection


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_the_application_cannot(application: psycopg.Connection, statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        application.execute(statement)


def test_the_application_is_no_superuser_and_owns_nothing(application: psycopg.Connection) -> None:
    flags = "rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls"
    row = application.execute(f"SELECT {flags} FROM pg_roles WHERE rolname = current_user").fetchone()
    assert row == (False,) * 5
    owned = "SELECT count(*) FROM pg_class WHERE relowner = current_user::regrole"
    assert application.execute(owned).fetchone() == (0,)


def test_the_application_reads_and_writes_every_table(application: psycopg.Connection) -> None:
    rights = "has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')"
    rights += " AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')"
    tables = "relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')"
    without = f"SELECT relname FROM pg_class WHERE {tables} AND NOT ({rights})"
    assert application.execute(without).fetchall() == []


def test_the_application_makes_and_drops_days_only(application: psycopg.Connection) -> None:
    day, old = NOW.date(), (NOW - timedelta(days=60)).date()
    for made in (day, old, day):
        application.execute("SELECT telemetry_create_day(%s)", [made])
    partitions = "SELECT count(*) FROM pg_class WHERE relispartition AND relname LIKE '%%'"
    partitions += " || to_char(%s::date, '_YYYYMMDD') AND relkind = 'r'"
    assert application.execute(partitions, [old]).fetchone() == (3,)
    application.execute("SELECT telemetry_drop_day(%s)", [old])
    assert application.execute(partitions, [old]).fetchone() == (0,)
    rows = "SELECT count(*) FROM telemetry_samples"
    assert application.execute(rows).fetchone() == (0,)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        application.execute(f"DROP TABLE telemetry_samples_{day:%Y%m%d}")


def test_management_commands_run_as_the_application(servers: PrivateDatabases, tmp_path: Path) -> None:
    os.environ["BACKSTAY_TEST_PASSWORD"] = "a long password of a person"
    try:
        arguments = ["--user", "admin", "--password-env", "BACKSTAY_TEST_PASSWORD"]
        manage(servers, "backstay_app", "bootstrap", *arguments, "--token-out", str(tmp_path / "token"))
    finally:
        del os.environ["BACKSTAY_TEST_PASSWORD"]
    assert (tmp_path / "token").read_text()
    code = "from backstay.telemetry import partitions; from datetime import datetime, UTC"
    manage(servers, "backstay_app", "shell", "-c", f"{code}; partitions.maintain(datetime.now(UTC))")
    archive = "from django.conf import settings; from backstay.telemetry.archive import writer"
    archive += "; from datetime import date"
    then = "datetime(2001, 5, 20, tzinfo=UTC)"
    steps = f"partitions.ensure_day(date(2001, 5, 1)); writer.run({then}); print(partitions.maintain({then}))"
    where = f"settings.ARCHIVE = {str(tmp_path / 'archive')!r}"
    dropped = manage(servers, "backstay_app", "shell", "-c", f"{code}; {archive}; {where}; {steps}")
    assert "datetime.date(2001, 5, 1)" in dropped
    assert "Removed 0 rows." in manage(servers, "backstay_app", "retention", "--remove")


def test_a_cluster_of_an_older_version_is_taken_over(servers: PrivateDatabases) -> None:
    with psycopg.connect(servers.dsn, autocommit=True) as superuser:
        superuser.execute("CREATE TABLE older (id int); CREATE VIEW older_view AS SELECT * FROM older")
    apply_roles(servers)
    with psycopg.connect(servers.dsn.replace("user=backstay", "user=backstay_app")) as application:
        assert application.execute("SELECT count(*) FROM older_view").fetchone() == (0,)
    with psycopg.connect(servers.dsn.replace("user=backstay", "user=backstay_owner")) as owner:
        owner.execute("DROP VIEW older_view; DROP TABLE older")
