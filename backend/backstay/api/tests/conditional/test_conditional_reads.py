"""Answers of 304 that are not computed: never for something that changed, by whatever writer or by time."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from backstay.api.http.caching import etag
from backstay.api.http.conditional_reads import DECLARED, answers
from backstay.api.public import api
from backstay.api.tests.full_site import full_site
from backstay.api.tests.world import World, bearer, kept, person
from backstay.core.roles import Role
from backstay.inventory import snapshot
from backstay.inventory.models import Site
from backstay.policy.models import ArpPolicy, FailoverPolicy, Path
from backstay.rollout.models import Change
from backstay.telemetry import change_counters
from backstay.telemetry.row_cache import new_process

CHANGES = 3
"""Random changes of each table, in each run."""
MOMENTS = 30
NOT_ANSWERED = frozenset(
    {
        "accounts_apitoken",
        "accounts_user_groups",
        "django_session",
        "policy_routeinputs",
        "telemetry_samples",
    }
)
"""Tables of authentication, the version of stored routes, and samples, which are only added."""
_BY_VERSION = frozenset({"policy_failoverpolicy", "policy_policygateway"})
"""Written together with the site's version only (policy.services): processes keep policies by it."""
_VALUES = {
    "boolean": "NOT {column}",
    "integer": "{column} + 1",
    "smallint": "{column} + 1",
    "bigint": "{column} + 1",
    "double precision": "{column} * 1.5 + 1",
    "text": "{column} || 'x'",
    "character varying": "left({column}, 20) || 'x'",
    "timestamp with time zone": "{column} - interval '40 days' * random()",
}
"""Type -> another value of a column."""
_COLUMNS = """
SELECT table_name, column_name, data_type FROM information_schema.columns
WHERE table_schema = 'public' AND table_name = ANY (%s) ORDER BY 1, ordinal_position
"""
_BASES = """
SELECT view.relname, base.relname FROM pg_rewrite AS rule
JOIN pg_depend AS used ON used.objid = rule.oid JOIN pg_class AS view ON view.oid = rule.ev_class
JOIN pg_class AS base ON base.oid = used.refobjid WHERE view.relkind = 'v' AND base.relkind IN ('r', 'p')
"""


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        world = full_site()
        world.sample()
        yield world


@pytest.fixture
def reader(made: World, db: None) -> Iterator[dict[str, str]]:
    answers.clear()
    yield bearer(person("reader", Role.VIEWER))
    answers.clear()


@pytest.fixture
def urls(made: World, db: None) -> dict[str, str]:
    """Declared operation -> a request."""
    site = made.site
    given = {
        "get_node": made.node("sp01").pk,
        "get_port": made.node("grf1").ports.earliest("pk").pk,
        "get_link": made.link("grf1:ga030").pk,
        "get_path": Path.objects.filter(policy__site=site).earliest("pk").pk,
        "get_failover_policy": FailoverPolicy.objects.filter(site=site).earliest("pk").pk,
        "get_arp_policy": ArpPolicy.objects.get(site=site).pk,
        "list_change_nodes": Change.objects.filter(site=site).earliest("pk").pk,
    }
    found = {}
    for path, methods in api.get_openapi_schema()["paths"].items():
        name = methods.get("get", {}).get("operationId")
        if name in DECLARED:
            found[name] = f"{path.format(id=given.get(name))}" + ("" if name in given else "?site=argonne")
    found["get_arp_rule"] += "&fabric=hippi"
    return found


class Browser:
    """Reads with the ETags of the first answers."""

    def __init__(self, client: Client, headers: dict[str, str], urls: Mapping[str, str]) -> None:
        client.raise_request_exception = False
        self._client, self._headers, self._urls = client, headers, urls
        self.tags: dict[str, str] = {}
        self.unchanged = 0

    def read(self, name: str, tag: str | None = None) -> Any:
        headers = self._headers if tag is None else {**self._headers, "if-none-match": tag}
        return self._client.get(self._urls[name], headers=headers)

    def start(self, names: Iterable[str]) -> None:
        """Remember the ETags of these answers."""
        answers.clear()
        for name in names:
            reply = self.read(name)
            assert reply.status_code == 200, (name, reply.content)
            self.tags[name] = reply["ETag"]

    def check(self, name: str, changed: object) -> None:
        """304 only if the whole answer has the same ETag."""
        if self.read(name, self.tags[name]).status_code != 304:
            return
        self.unchanged += 1
        answers.clear()
        with new_process():
            whole = self.read(name)
        if whole.status_code == 200:
            tag = whole["ETag"] if name == "get_topology" else etag(whole.content)
            assert tag == self.tags[name], (name, changed)


@pytest.fixture
def browser(client: Client, reader: dict[str, str], urls: dict[str, str]) -> Browser:
    return Browser(client, reader, urls)


def test_every_counted_table_has_its_triggers(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgrelid::regclass::text, array_agg(tgname::text ORDER BY tgname) FROM pg_trigger"
            " WHERE tgname LIKE 'count\\_%' GROUP BY 1"
        )
        found = dict(cursor.fetchall())
    events = ["count_delete", "count_insert", "count_truncate", "count_update"]
    assert found == dict.fromkeys(change_counters.COUNTED, events)


def test_every_table_that_a_declared_operation_reads_is_declared_and_counted(browser: Browser) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_BASES)
        bases: dict[str, set[str]] = {}
        for view, base in cursor.fetchall():
            bases.setdefault(view, set()).add(base)
        known = set(connection.introspection.table_names(cursor)) | set(bases)
    pattern = re.compile(r"\b(" + "|".join(sorted(known, key=len, reverse=True)) + r")\b")
    assert set(browser._urls) == set(DECLARED)
    for name, declared in DECLARED.items():
        answers.clear()
        snapshot._newest.clear()
        with new_process(), CaptureQueriesContext(connection) as queries:
            assert browser.read(name).status_code == 200
        read = {table for query in queries for table in pattern.findall(query["sql"])}
        tables = {base for table in read for base in bases.get(table, {table})}
        ours = tables - NOT_ANSWERED - {"telemetry_tablechange"}
        assert ours <= declared, (name, ours - declared)
        assert declared <= change_counters.COUNTED


def test_no_change_of_a_row_is_answered_with_304(browser: Browser) -> None:
    tables = sorted(frozenset().union(*DECLARED.values()))
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS, [tables])
        columns: dict[str, list[tuple[str, str]]] = {}
        for table, column, kind in cursor.fetchall():
            columns.setdefault(table, []).append((column, kind))
    seed = random.randrange(2**32)
    draw, changes = random.Random(seed), 0
    for table in tables:
        for _ in range(CHANGES):
            with transaction.atomic():
                names = draw.sample(sorted(DECLARED), 4)
                browser.start(names)
                change = _change(draw, table, columns[table])
                if change:
                    changes += 1
                    for name in names:
                        browser.check(name, (seed, change))
                transaction.set_rollback(True)
    assert changes > len(tables)
    assert browser.unchanged > changes / 2, "other tables are not read"


def _change(draw: random.Random, table: str, columns: list[tuple[str, str]]) -> str | None:
    """Another value in a random column of a random row, or one row fewer; None: neither is possible."""
    usable = [(name, kind) for name, kind in columns if kind in _VALUES and name != "id"]
    some = f"WHERE ctid = (SELECT ctid FROM {table} ORDER BY random() LIMIT 1)"
    column, kind = draw.choice(usable or [("", "")])
    if not column or draw.random() < 0.2:
        statement = f"DELETE FROM {table} {some}"
    else:
        value = _VALUES[kind].format(column=f'"{column}"')
        statement = f'UPDATE {table} SET "{column}" = {value} {some}'
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
            touched = cursor.rowcount
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            if table in _BY_VERSION or draw.random() < 0.5:
                cursor.execute("UPDATE inventory_site SET version = version + 1")
    except DatabaseError:
        return None
    return statement if touched else None


def test_state_that_changes_with_time_is_not_answered_with_304(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = random.randrange(2**32)
    draw, real, passed = random.Random(seed), timezone.now, timedelta()

    def later() -> datetime:
        return real() + passed

    monkeypatch.setattr(timezone, "now", later)
    for moment in range(MOMENTS):
        passed = timedelta(seconds=draw.choice([0, 1, 10, 100]) * draw.random() * moment)
        names = draw.sample(sorted(DECLARED), 6)
        browser.start(names)
        passed += timedelta(seconds=draw.choice([1, 10, 60, 3600, 86_400, 700_000]) * draw.random())
        for name in names:
            browser.check(name, (seed, passed))
    assert browser.unchanged > MOMENTS / 4


def test_unchanged_answer_costs_two_queries(browser: Browser) -> None:
    browser.start(DECLARED)
    for name, tag in browser.tags.items():
        browser.read(name, tag)  # Finds the moment until which it holds.
        with CaptureQueriesContext(connection) as queries:
            reply = browser.read(name, tag)
        if name in {"list_paths", "list_path_groups", "get_path"}:  # Of the switches of the last day.
            continue
        assert (reply.status_code, len(queries)) == (304, 2), (name, [query["sql"] for query in queries])


def test_withdrawn_permission_is_not_answered_with_304(browser: Browser, made: World) -> None:
    browser.start(DECLARED)
    assert browser.read("list_nodes", browser.tags["list_nodes"]).status_code == 304
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM accounts_rolegrant")
    assert browser.read("list_nodes", browser.tags["list_nodes"]).status_code == 404
    assert browser.read("get_node", browser.tags["get_node"]).status_code == 404


def test_merged_counters_are_the_same(db: None) -> None:
    for _ in range(3):
        Site.objects.create(name=f"site {random.random()}", interval_s=30, imported_at=timezone.now())
    before = change_counters.read(change_counters.COUNTED)
    change_counters.merge()
    assert change_counters.read(change_counters.COUNTED) == before
    assert dict(before)["inventory_site"] >= 3


def test_statement_that_touches_no_row_is_not_counted(db: None) -> None:
    before = change_counters.read(change_counters.COUNTED)
    Site.objects.filter(name="none").update(title="x")
    Site.objects.filter(name="none").delete()
    assert change_counters.read(change_counters.COUNTED) == before


def test_each_reader_has_answers_of_their_own(client: Client, browser: Browser) -> None:
    browser.start(DECLARED)
    other = bearer(person("other", Role.VIEWER, "elsewhere"))
    reply = client.get(
        "/api/v1/nodes?site=argonne", headers={**other, "if-none-match": browser.tags["list_nodes"]}
    )
    assert reply.status_code == 404
