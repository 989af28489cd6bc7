"""What the standby answers is what the primary would: operations, exports, a web process while it dies."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.db import DEFAULT_DB_ALIAS, connection
from django.test import Client
from django.utils import timezone

from backstay.api.public import ROUTERS
from backstay.api.tests.full_site import full_site
from backstay.api.tests.world import bearer, person
from backstay.core.roles import Role
from backstay.inventory import standby_reads
from backstay.inventory.models import Site
from backstay.inventory.standby_reads import ALIAS, StandbyGate, measure
from backstay.telemetry import partitions
from backstay.telemetry.export_models import Export
from backstay.telemetry.exports import execution
from backstay.telemetry.exports.sample_tables import sample_tables
from backstay.telemetry.exports.selectors import file_of
from bench.archive_rows import fill_day, make_nodes
from bench.databases import PrivateStandby
from bench.servers import environment, server
from bench.stores.standby_in_use import statements

pytestmark = [pytest.mark.slow, pytest.mark.real_clock, pytest.mark.django_db(transaction=True)]


URLS = {
    "get_capacity_what_if": "capacity/what-if?dead=node:grf1",
    "get_device_metric_history": "nodes/{node}/metrics/history?metric=entity.temperature",
    "get_fabric_history": "fabrics/{fabric}/history",
    "get_link_history": "links/{link}/history?baseline=true",
    "get_neighbour_history": "neighbours/history?address=10.0.0.1",
    "get_overview": "overview",
    "get_past_overview": "overview/past?at=now-1h",
    "get_past_topology": "topology/past?at=now-1h",
    "get_differences": "differences",
    "get_path_timeline": "paths/{path}/timeline",
    "get_port_history": "ports/{port}/history",
    "get_port_trends": "ports/trends?port_id={port}",
    "get_routes_between": "routes/between?source=sp01&destination=origin1&failed=node:grf1&each_failure=true",
    "get_topology": "topology",
    "list_annotations": "annotations",
    "list_circuit_history": "circuits/history",
    "list_deliveries": "deliveries",
    "list_device_metrics": "nodes/{node}/metrics",
    "list_event_groups": "events/groups",
    "list_events": "events",
    "list_incidents": "incidents",
    "list_links": "links",
    "list_neighbours": "neighbours",
    "list_nodes": "nodes",
    "list_path_groups": "paths/groups",
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
        if standby_reads.__file__ in files(operation.view_func)
    }


def files(view: Any) -> Iterator[str]:
    """Of a view and what it wraps."""
    while view is not None:
        yield view.__code__.co_filename
        view = getattr(view, "__wrapped__", None)


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
        "port": fetch_id("SELECT a_id FROM inventory_link LIMIT 1"),
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


def test_an_export_is_the_same_when_the_standby_dies_in_a_step(
    standby: PrivateStandby,
    tmp_path: Path,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    settings.EXPORTS = str(tmp_path)
    monkeypatch.setattr(execution, "STEP_ROWS", 300)
    day = datetime(2002, 4, 1, tzinfo=UTC)
    fill_day(day.date(), make_nodes("lab", nodes=6, ports=2), length_s=3600)
    request.addfinalizer(lambda: partitions._drop(day.date()))
    read: list[str] = []

    def tables(*arguments: Any) -> list[Any]:
        found = list(sample_tables(*arguments))
        read.append(connection.alias)
        if len(read) == 3:
            standby.kill()
            Site.objects.count()
        return found

    monkeypatch.setattr(execution, "sample_tables", tables)
    files = []
    for _ in range(2):
        export = Export.objects.create(
            site=Site.objects.get(),
            person="vera",
            format="csv",
            level="samples",
            start=day,
            end=day + timedelta(days=1),
            created_at=timezone.now(),
        )
        execution.run_round(timezone.now(), round_s=60)
        export.refresh_from_db()
        assert (export.state, export.failure, export.rows) == ("done", "", 6 * 2 * 120)
        files.append(file_of(export).read_bytes())
    assert read[:4] == [ALIAS] * 3 + [DEFAULT_DB_ALIAS]
    assert set(read[4:]) == {DEFAULT_DB_ALIAS}
    assert files[0] == files[1]


def test_no_request_fails_while_the_standby_dies(standby: PrivateStandby) -> None:
    """A web process of its own; health says which server answers."""
    full_site()
    headers = bearer(person("reader", Role.VIEWER))
    more = {
        "BACKSTAY_READ_DB_HOST": str(standby.folder),
        "BACKSTAY_READ_DB_LAG_S": "5",
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
