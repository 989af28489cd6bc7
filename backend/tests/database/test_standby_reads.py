"""A real streaming standby answers reads, and whatever happens to it, no answer is older than its request."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, connections, transaction

from backstay.inventory import standby_reads
from backstay.inventory.models import Site
from backstay.inventory.standby_reads import ALIAS, reads_standby
from bench import databases
from bench.databases import PrivateStandby
from bench.stores.standby_in_use import commits, in_use, probed, statements

pytestmark = [pytest.mark.slow, pytest.mark.real_clock, pytest.mark.django_db(transaction=True)]
LIMIT_S = 5.0
"""Of the lag, on a busy machine."""


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
    # Only a receiver that is at work can end for good: one that reconnects would come back.
    assert read_title() == (True, "same")
    with psycopg.connect(standby.dsn, autocommit=True) as own:
        own.execute("ALTER SYSTEM SET primary_conninfo = ''")
        own.execute("SELECT pg_reload_conf()")
        # One look is not enough: a receiver that was just being replaced is away for a moment, too.
        looks_without = 0
        while looks_without < 50:
            receives = own.execute("SELECT FROM pg_stat_wal_receiver").fetchone()
            looks_without = 0 if receives else looks_without + 1
            time.sleep(0.02)
    assert read_title() == (False, "same")
    assert probed().reason == "receives nothing from the primary"


def test_the_applications_role_may_ask_both_servers(standby: PrivateStandby) -> None:
    """It is no superuser (deploy/roles.sql), and sees of the receiver only that there is one."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE reads_only LOGIN NOSUPERUSER")
    try:
        primary = f"host={connection.settings_dict['HOST']} port=5432 user=reads_only dbname=postgres"
        write_title("after the role")
        assert read_title() == (True, "after the role")
        with psycopg.connect(primary) as own:
            written = own.execute(standby_reads._WRITTEN).fetchone()
        assert written is not None
        with psycopg.connect(standby.dsn.replace("user=backstay", "user=reads_only")) as own:
            replayed = own.execute(standby_reads._REPLAYED, [written[1]]).fetchone()
        assert replayed is not None
        is_standby, receives, behind, cluster = replayed
        assert (is_standby, receives, cluster) == (True, True, written[2])
        assert behind <= 0
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP ROLE reads_only")


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
