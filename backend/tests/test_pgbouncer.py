"""Everything that needs more than one transaction works behind PgBouncer in transaction mode."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection, connections, transaction
from django.test import Client
from django.utils import timezone

from backstay.accounts.models import User
from backstay.alerts.selectors.health import last_evaluation
from backstay.intake.site_files import import_text
from backstay.inventory.advisory_locks import LockClass, run_in_one_process
from backstay.telemetry.ingest import limits, store
from bench.agent_requests import enrolled, send, value
from bench.pgbouncer import PORT, pgbouncer
from bench.site import batch, port_samples, switch_site
from config.database_options import SESSION, database_options
from config.postgresql.base import connection_class

pytestmark = [pytest.mark.slow]
ROLES = Path(__file__).resolve().parent.parent / "deploy/roles.sql"
SESSIONS = 3
LOCKS = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
NAME = "behind_pgbouncer"


@pytest.fixture
def direct(transactional_db: None) -> dict[str, Any]:
    """Parameters of a connection to PostgreSQL itself."""
    known = connection.get_connection_params()
    return {key: known[key] for key in ("host", "port", "user", "dbname")}


@pytest.fixture
def pooled(direct: dict[str, Any]) -> Iterator[None]:
    """Django's connections lead through PgBouncer, which has SESSIONS sessions and takes them in turn."""
    folder = Path(tempfile.mkdtemp(prefix="backstay-pgbouncer-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    settings = connection.settings_dict
    before = {
        key: settings[key] for key in ("NAME", "HOST", "PORT", "OPTIONS", "DISABLE_SERVER_SIDE_CURSORS")
    }
    options = database_options("", is_pooled=True, is_per_thread=False, statement_s=10)
    target = " ".join(f"{key}={setting}" for key, setting in (direct | {"pool_size": SESSIONS}).items())
    assignments = "; ".join(f"SET {name} = {setting}" for name, setting in SESSION.items())
    with pgbouncer(folder, NAME, f"{target} connect_query='{assignments}'", "server_round_robin = 1"):
        _forget_connections()
        settings.update(
            NAME=NAME, HOST=str(folder), PORT=str(PORT), OPTIONS=options, DISABLE_SERVER_SIDE_CURSORS=True
        )
        options["pool"]["connection_class"] = connection_class(options["reply_s"])
        yield
        _forget_connections()
        settings.update(before)
    shutil.rmtree(folder)


def _forget_connections() -> None:
    connections.close_all()
    connection.close_pool()  # type: ignore[attr-defined]


def in_threads(work: Any, count: int = 8) -> None:
    """Run it in threads at once; raises what one of them raises."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            for _ in range(10):
                work()
        except BaseException as problem:
            failed.append(problem)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    if failed:
        raise failed[0]


def test_one_process_at_a_time_and_no_lock_is_left(pooled: None, direct: dict[str, Any]) -> None:
    ran: list[bool] = []

    def others() -> None:
        in_threads(lambda: ran.append(run_in_one_process(LockClass.RETENTION, lambda: None)), count=2)

    assert run_in_one_process(LockClass.RETENTION, others)
    assert ran == [False] * 20
    assert run_in_one_process(LockClass.RETENTION, lambda: None)
    with psycopg.connect(**direct) as own:
        assert own.execute(LOCKS).fetchone() == (0,)


def test_lock_of_a_vanished_host_ends(pooled: None) -> None:
    with pytest.raises(psycopg.Error):
        run_in_one_process(LockClass.RETENTION, lambda: time.sleep(1.0), longest_s=0.2)
    assert run_in_one_process(LockClass.RETENTION, lambda: None)


def test_statements_of_the_ingest_work_on_any_session(pooled: None) -> None:
    def statements() -> None:
        with transaction.atomic():
            assert store.query("SELECT %s::int + 1", [1]) == [(2,)]
        assert store.query("SELECT count(*) FROM pg_prepared_statements WHERE name LIKE %s", ["_pg3%"]) == [
            (0,)
        ]

    in_threads(statements)


def test_reports_are_stored(pooled: None) -> None:
    import_text(switch_site("lab", devices=2, ports=1, agents=1), "lab.yaml", timezone.now())
    identity, boot = enrolled(Client(), "lab", "mgmt0"), uuid.uuid4()
    before = value("SELECT count(*) FROM telemetry_samples")  # Emptying the database leaves this table.
    for seq in range(1, 11):
        sample = port_samples("sw000", ["Ethernet1/1"], seq, boot=boot, at=time.time_ns())
        assert send(Client(), identity, batch([sample], sent=time.time_ns())).status_code == 200
    assert value("SELECT count(*) FROM telemetry_samples") == before + 10
    with transaction.atomic():
        store.query("DELETE FROM telemetry_samples RETURNING 1", [])


def test_second_request_of_an_agent_leaves_no_lock(
    pooled: None, direct: dict[str, Any], monkeypatch: Any
) -> None:
    monkeypatch.setattr(limits, "WAIT_MS", 100)
    agent = uuid.uuid4()
    with psycopg.connect(**direct) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s, %s)", [limits._AGENT, limits._key(agent)])
        with pytest.raises(limits.BusyError), limits.limited(agent, 1, 5.0):
            raise AssertionError
        other.rollback()
        assert other.execute(LOCKS).fetchone() == (0,)


def test_health_check_changes_no_session(pooled: None) -> None:
    for _ in range(SESSIONS * 2):
        last_evaluation(timezone.now())
    found = set()
    in_threads(lambda: found.add(value("SELECT current_setting('statement_timeout')")))
    assert found == {"0"}


def test_rows_are_read_in_pieces(pooled: None) -> None:
    User.objects.bulk_create(User(username=f"u{number}") for number in range(50))
    for _ in User.objects.order_by("pk").iterator(chunk_size=10):
        value("SELECT 1")


def test_check_names_settings_that_sessions_lack(pooled: None, settings: Any) -> None:
    settings.DB_STATEMENT_S = 10
    found = [item.msg for item in connection.validation.check()]
    assert found == ["statement_timeout is 0, not 10000."]


def test_roles_have_the_settings_of_sessions() -> None:
    lines = ROLES.read_text().splitlines()
    assert {f"ALTER ROLE backstay_app SET {name} = {setting};" for name, setting in SESSION.items()} <= set(
        lines
    )


def test_connection_to_a_server_that_became_a_standby_is_closed(direct: dict[str, Any]) -> None:
    hosts = direct | {"host": f"/nowhere,{direct['host']}"}
    leaving = connection_class(5.0, True).connect(**hosts, options="-c default_transaction_read_only=on")
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        leaving.execute("CREATE TABLE other (id int)")
    assert leaving.closed


def test_every_host_that_accepts_no_writes_is_named(direct: dict[str, Any]) -> None:
    with pytest.raises(psycopg.OperationalError, match=r"(?s)/nowhere: .*; /elsewhere: "):
        connection_class(5.0, True).connect(**direct | {"host": "/nowhere,/elsewhere"})
