"""A real streaming standby answers reads, and whatever happens to it, no answer is older than its request."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client
from django.utils import timezone

from backstay.api.public import ROUTERS
from backstay.api.tests.full_site import full_site
from backstay.api.tests.world import bearer, person
from backstay.core.roles import Role
from backstay.inventory import standby_reads
from backstay.inventory.models import Site
from backstay.inventory.standby_reads import ALIAS, StandbyGate, StandbyStatus, measure, reads_standby
from bench import databases
from bench.databases import PrivateStandby
from bench.servers import environment, server
from config.database_options import standby_options

pytestmark = [pytest.mark.slow, pytest.mark.real_clock, pytest.mark.django_db(transaction=True)]
LIMIT_S = 5.0
"""Generous for a busy machine; tests in which the standby must be late set a short one."""


@pytest.fixture
def standby(transactional_db: None, settings: Any) -> Iterator[PrivateStandby]:
    """In use by this process, which has found it able to serve."""
    settings.READ_DB_LAG_S = LIMIT_S
    primary = Path(connection.settings_dict["HOST"])
    with commits("on"), databases.standby(primary) as running, in_use(running.folder):
        assert probed().serves
        yield running


@contextmanager
def commits(setting: str) -> Iterator[None]:
    """The server of the tests has `off`, which is faster."""
    database = connection.settings_dict["NAME"]
    with connection.cursor() as cursor:
        cursor.execute(f'ALTER DATABASE "{database}" SET synchronous_commit = {setting}')
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    yield
    with connection.cursor() as cursor:
        cursor.execute(f'ALTER DATABASE "{database}" RESET synchronous_commit')
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]


@contextmanager
def in_use(*folders: Path) -> Iterator[None]:
    """These servers are the configured standbys."""
    host = ",".join(map(str, folders))
    known = connections.settings[DEFAULT_DB_ALIAS] | {
        "NAME": connection.settings_dict["NAME"],
        "HOST": host,
        "OPTIONS": standby_options(host, is_pooled=False, statement_s=10),
    }
    usual = BaseDatabaseWrapper.ensure_connection

    def ensure_connection(wrapper: BaseDatabaseWrapper) -> None:
        """Django's refuses databases that the test did not create."""
        if wrapper.alias != ALIAS:
            usual(wrapper)
        elif wrapper.connection is None:
            with wrapper.wrap_database_errors:
                wrapper.connect()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(standby_reads, "gate", StandbyGate(measure))
        patch.setattr(BaseDatabaseWrapper, "ensure_connection", ensure_connection)
        patch.setitem(connections.settings, ALIAS, known)
        try:
            yield
        finally:
            connections[ALIAS].close()
            connections[ALIAS].close_pool()  # type: ignore[attr-defined]
            del connections[ALIAS]


def probed() -> StandbyStatus:
    """What a probe finds now, in its own thread."""
    found: list[StandbyStatus] = []
    thread = threading.Thread(target=lambda: found.append(standby_reads.gate.status()))
    thread.start()
    thread.join(30)
    return found[0]


def title() -> tuple[bool, str]:
    """Whether a standby was read, and the site's title."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_is_in_recovery()")
        (is_standby,) = cursor.fetchone()
    return is_standby, Site.objects.get(name="lab").title


read_title = reads_standby(title)


def write_title(text: str) -> None:
    now = "2026-11-27T12:00:00Z"
    values = {"title": text, "interval_s": 30, "imported_at": now}
    Site.objects.update_or_create(name="lab", defaults=values)


def statements(work: Callable[..., object], *arguments: object) -> int:
    """How many statements the standby got from this thread."""
    found: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        found.append(sql)
        return execute(sql, *arguments)

    with connections[ALIAS].execute_wrapper(note):
        work(*arguments)
    return len(found)


def test_every_read_sees_the_write_before_it(standby: PrivateStandby) -> None:
    answers = []
    for number in range(100):
        write_title(f"title {number}")
        is_standby, text = read_title()
        assert text == f"title {number}"
        answers.append(is_standby)
    assert all(answers)


def test_writes_of_other_threads_are_seen_once_they_are_known(standby: PrivateStandby) -> None:
    """As after a live message: whoever announces a commit does so after it."""
    known, failed = [0], threading.Event()
    write_title("0")

    def write() -> None:
        for number in range(1, 200):
            write_title(str(number))
            known[0] = number
        connections.close_all()

    writer = threading.Thread(target=write)
    writer.start()
    while writer.is_alive():
        least = known[0]
        if int(read_title()[1]) < least:
            failed.set()
    writer.join()
    assert not failed.is_set()


def test_a_transaction_is_read_where_it_writes(standby: PrivateStandby) -> None:
    with transaction.atomic():
        write_title("not committed")
        assert read_title() == (False, "not committed")


def test_a_late_standby_is_not_waited_for_twice(standby: PrivateStandby, settings: Any) -> None:
    standby.run("SELECT pg_wal_replay_pause()")
    settings.READ_DB_LAG_S = 0.2
    write_title("new")
    assert read_title() == (False, "new")
    assert statements(read_title) == 0
    status = probed()
    assert (status.serves, status.lag_s) == (False, None)
    assert status.reason == "is more than 0.2 s behind"
    assert status.behind_bytes
    standby.run("SELECT pg_wal_replay_resume()")
    settings.READ_DB_LAG_S = LIMIT_S
    assert probed().serves
    assert read_title() == (True, "new")


def test_a_killed_standby_costs_nothing_and_returns(standby: PrivateStandby) -> None:
    write_title("before")
    assert read_title() == (True, "before")
    standby.kill()
    write_title("after")
    assert read_title() == (False, "after")
    assert statements(lambda: [read_title() for _ in range(20)]) == 0
    assert probed().reason.startswith("does not answer")
    standby.restart()
    assert probed().serves
    assert read_title() == (True, "after")


def test_a_read_is_repeated_when_the_standby_dies_in_it(standby: PrivateStandby) -> None:
    write_title("whole")
    calls: list[bool] = []

    @reads_standby
    def read() -> str:
        is_standby, text = title()
        calls.append(is_standby)
        if is_standby:
            standby.kill()
        return text + title()[1]

    assert read() == "wholewhole"
    assert calls == [True, False]
    assert connection.alias == DEFAULT_DB_ALIAS


def test_a_hung_standby_delays_one_read_by_a_second(standby: PrivateStandby) -> None:
    write_title("new")
    read_title()
    pids: list[int] = []

    @reads_standby
    def find() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            pids.append(cursor.fetchone()[0])

    find()
    with stopped(pids[0]):
        began = time.monotonic()
        assert read_title() == (False, "new")
        assert standby_reads.REPLY_S <= time.monotonic() - began < standby_reads.REPLY_S + 3
        assert statements(read_title) == 0


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """A process gets no processor."""
    process = os.pidfd_open(pid)
    signal.pidfd_send_signal(process, signal.SIGSTOP)
    try:
        yield
    finally:
        signal.pidfd_send_signal(process, signal.SIGCONT)
        os.close(process)


def test_a_promoted_standby_is_not_read(standby: PrivateStandby) -> None:
    write_title("common")
    assert read_title() == (True, "common")
    standby.run("SELECT pg_promote()")
    with psycopg.connect(standby.dsn.replace("=postgres", f"={connection.settings_dict['NAME']}")) as other:
        other.execute("UPDATE inventory_site SET title = 'of the other server'")
    write_title("of this server")
    assert read_title() == (False, "of this server")
    assert probed().reason == "is not a standby any more"


def test_a_standby_that_receives_nothing_is_not_read(standby: PrivateStandby) -> None:
    write_title("same")
    with psycopg.connect(standby.dsn, autocommit=True) as own:
        own.execute("ALTER SYSTEM SET primary_conninfo = ''")
        own.execute("SELECT pg_reload_conf()")
        while own.execute("SELECT FROM pg_stat_wal_receiver").fetchone():
            time.sleep(0.02)
    assert read_title() == (False, "same")
    assert probed().reason == "receives nothing from the primary"


def test_of_several_hosts_a_standby_is_read(transactional_db: None, settings: Any) -> None:
    """All hosts may be named: after a promotion, the others are the standbys."""
    settings.READ_DB_LAG_S = LIMIT_S
    primary = Path(connection.settings_dict["HOST"])
    write_title("one")
    with (
        commits("on"),
        databases.standby(primary) as first,
        databases.standby(primary) as second,
        in_use(primary, first.folder, second.folder),
    ):
        assert probed().serves
        assert read_title() == (True, "one")
        first.kill()
        write_title("two")
        assert read_title() == (False, "two")
        assert probed().serves
        assert read_title() == (True, "two")


def test_commits_that_are_not_on_a_disk_are_read_where_they_are(standby: PrivateStandby) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = off")
    write_title("new")
    assert read_title() == (False, "new")
    assert statements(read_title) == 0


def test_another_installations_server_is_not_read(transactional_db: None) -> None:
    servers = databases.start(durable=False)
    try:
        name = connection.settings_dict["NAME"]
        with psycopg.connect(servers.dsn, autocommit=True) as own:
            own.execute(f'CREATE DATABASE "{name}"')
        with commits("on"), in_use(servers.folder):
            assert probed().reason == "is not a copy of the primary"
            write_title("ours")
            assert read_title() == (False, "ours")
    finally:
        servers.stop()


def test_a_read_that_holds_up_replay_moves_to_the_primary(transactional_db: None, settings: Any) -> None:
    settings.READ_DB_LAG_S = LIMIT_S
    primary = Path(connection.settings_dict["HOST"])
    calls: list[bool] = []

    @reads_standby
    def read() -> int:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT pg_is_in_recovery(), count(*) FROM changed_later")
            is_standby, count = cursor.fetchone()
            calls.append(is_standby)
            if is_standby:
                changing = threading.Thread(target=change)
                changing.start()
                changing.join()
            cursor.execute("SELECT pg_sleep(1)" if is_standby else "SELECT 1")
        return int(count)

    def change() -> None:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE changed_later ADD COLUMN more int")
        connections.close_all()

    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE changed_later AS SELECT 1 AS number")
    try:
        with (
            commits("on"),
            databases.standby(primary, "max_standby_streaming_delay=0") as running,
            in_use(running.folder),
        ):
            assert probed().serves
            assert read() == 1
            assert standby_reads.gate.serves
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE changed_later")
    assert calls == [True, False]


def test_a_statement_that_takes_too_long_is_not_repeated(standby: PrivateStandby, settings: Any) -> None:
    settings.DB_STATEMENT_S = 10
    calls = []

    @reads_standby
    def read() -> None:
        calls.append(connection.alias)
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = '50ms'")
            cursor.execute("SELECT pg_sleep(5)")

    with pytest.raises(OperationalError, match="statement timeout"):
        read()
    assert calls == [ALIAS]


URLS = {
    "get_device_metric_history": "nodes/{node}/metrics/history?metric=entity.temperature",
    "get_fabric_history": "fabrics/{fabric}/history",
    "get_link_history": "links/{link}/history?baseline=true",
    "get_neighbour_history": "neighbours/history?address=10.0.0.1",
    "get_overview": "overview",
    "get_path_timeline": "paths/{path}/timeline",
    "get_topology": "topology",
    "list_circuit_history": "circuits/history",
    "list_deliveries": "deliveries",
    "list_device_metrics": "nodes/{node}/metrics",
    "list_event_groups": "events/groups",
    "list_events": "events",
    "list_incidents": "incidents",
    "list_links": "links",
    "list_neighbours": "neighbours",
    "list_nodes": "nodes",
    "list_path_timelines": "paths/timelines?path={path}",
    "list_paths": "paths",
    "list_policy_outages": "failover-policies/{policy}/outages",
    "list_ports": "ports",
}
"""Every operation that the standby may answer."""


def operations() -> set[str]:
    """Ids of the operations that are marked with `reads_standby`."""
    return {
        str(operation.operation_id)
        for router in ROUTERS
        for view in router.path_operations.values()
        for operation in view.operations
        if operation.view_func.__code__.co_filename == standby_reads.__file__
    }


def test_every_marked_operation_reads_the_standby_only(
    standby: PrivateStandby, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None writes, none needs the primary, and both servers' responses are the same."""
    assert operations() == set(URLS)
    world = full_site()
    client = Client(headers=bearer(person("reader", Role.VIEWER)))
    site = world.site
    known = {
        "node": world.node("grf1").pk,
        "fabric": fetch_id(f"SELECT id FROM inventory_fabric WHERE site_id = {site.pk} LIMIT 1"),
        "link": fetch_id("SELECT id FROM inventory_link LIMIT 1"),
        "path": fetch_id("SELECT id FROM policy_path LIMIT 1"),
        "policy": fetch_id("SELECT policy_id FROM policy_path LIMIT 1"),
    }
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    caplog.set_level(logging.INFO, logger=standby_reads.__name__)
    for name, pattern in URLS.items():
        url = f"/api/v1/{pattern.format(**known)}"
        assert statements(client.get, url) > 1, name
        answer = client.get(url)
        assert (answer.status_code, name) == (200, name)
        closed = StandbyGate(measure)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(standby_reads, "gate", closed)
            patch.setattr(closed, "admits", lambda: False)
            other = client.get(url)
        assert answer.content == other.content, name
        assert answer["ETag"] == other["ETag"], name
    assert standby_reads.gate.serves
    assert not [record for record in caplog.records if record.name == standby_reads.__name__]


def fetch_id(statement: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return int(cursor.fetchone()[0])


def test_no_request_fails_while_the_standby_dies(standby: PrivateStandby) -> None:
    """A web process of its own; health says which server answers."""
    full_site()
    headers = bearer(person("reader", Role.VIEWER))
    more = {
        "BACKSTAY_READ_DB_HOST": str(standby.folder),
        "BACKSTAY_READ_DB_LAG_S": str(LIMIT_S),
        "BACKSTAY_HTTPS": "0",
    }
    with (
        server(("asgi", "config.asgi:application"), environment() | more) as web,
        httpx.Client(base_url=f"{web.url}/api/v1/", headers=headers, timeout=30) as client,
    ):

        def answers() -> tuple[str, str | None]:
            found = client.get("health").json()
            parts = [one["message"] for one in found["failures"] if one["part"] == "standby"]
            return found["standby"]["answers"], parts[0] if parts else None

        assert answers() == ("standby", None)
        codes = []
        for number in range(60):
            if number == 20:
                standby.kill()
            if number == 40:
                standby.restart()
            codes.append(client.get("events").status_code)
            if number == 30:
                time.sleep(1.1)
                assert answers()[0] == "primary"
        assert set(codes) == {200}
        time.sleep(1.1)
        assert answers() == ("standby", None)
