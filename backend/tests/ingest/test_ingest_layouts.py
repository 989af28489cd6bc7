"""Sets of ports that a device reports: bounded, and removed once no stored sample has them."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.db import connection, connections, transaction
from django.test import Client
from django.utils import timezone

from backstay.accounts.models import Agent
from backstay.core.retention import BY_NAME
from backstay.inventory.models import Node, Port
from backstay.retention import conditions
from backstay.retention.services import remove_expired
from backstay.telemetry import partitions
from backstay.telemetry.ingest import layouts
from backstay.telemetry.models import MetricLayout, MetricSet, NewestSample, PortLayout, PortState, PortUse
from backstay.telemetry.rollups import partitions as rollup_partitions
from backstay.telemetry.states import metrics
from backstay.telemetry.tasks import maintain_partitions
from bench.agent_requests import rejections, rows, send, value
from bench.site import AgentIdentity, Json, batch, port_samples

RULES = [BY_NAME["layouts"], BY_NAME["ports"]]


@pytest.fixture(autouse=True)
def _fresh_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_caches(monkeypatch)


def forget_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after the time for which they are trusted."""
    monkeypatch.setattr(layouts, "_cache", layouts.LayoutCache())
    metrics.forget_layouts()


def samples(ports: list[str], at: int, device: str = "sw000") -> Json:
    return port_samples(device, ports, 1, boot=uuid.uuid4(), at=at)


def metric_set(collector: str, subject: str, at: int) -> Json:
    head = {"kind": "metrics", "boot": str(uuid.uuid4()), "seq": 1, "device": "sw000", "at": at}
    listed = [{"subject": subject, "metric": "fan.state", "value": "ok"}]
    return {**head, "collector": collector, "metrics": listed}


def stored(client: Client, identity: AgentIdentity, now: int, *reports: Json) -> Any:
    return send(client, identity, batch(reports, sent=now))


def test_device_with_ever_new_sets_of_ports_is_refused_with_the_reason(
    client: Client, identity: AgentIdentity, now: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layouts, "MAX_LAYOUTS_OF_A_NODE", 3)
    for number in range(3):
        reply = stored(client, identity, now, samples(["Ethernet1/1", f"invented{number}"], now))
        assert reply.json()["stored"] == 1
    reply = stored(
        client,
        identity,
        now,
        samples(["invented1", "Ethernet1/1"], now),
        samples(["Ethernet1/1", "invented2"], now),
        samples(["Ethernet1/1"], now, "sw002"),
    )
    assert (reply.json()["stored"], rejections(reply)) == (2, [(0, "malformed")])
    assert reply.json()["rejected"][0]["reason"] == "more than 3 different sets of ports of one device"
    assert PortLayout.objects.filter(node__name="sw000").count() == 3
    assert Agent.objects.get(pk=identity.agent).reports_refused == 1


@pytest.mark.parametrize(
    ("limit", "most", "reason"),
    [
        ("MAX_LAYOUTS", 2, "snmp2: too many different sets of metrics of one device"),
        ("MAX_LAYOUT_BYTES", 100, "snmp2: too many different sets of metrics of one device"),
        ("MAX_COLLECTORS", 2, "snmp2: more than 2 collectors of one device"),
    ],
)
def test_device_with_ever_new_metrics_or_collectors_is_refused_with_the_reason(
    identity: AgentIdentity, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, reason: str
) -> None:
    now = time.time_ns()
    monkeypatch.setattr(metrics, limit, most)
    for number in range(2):
        stored(Client(), identity, now, metric_set(f"snmp{number}", "fan", now))
    reply = stored(Client(), identity, now, metric_set("snmp2", "fan", now), samples(["Ethernet1/1"], now))
    assert (reply.json()["stored"], rejections(reply)) == (1, [(0, "malformed")])
    assert reply.json()["rejected"][0]["reason"] == reason


def age(days: float) -> datetime:
    """Everything was used last so many days ago, and the samples' days are dropped."""
    at = timezone.now() - timedelta(days=days)
    for model in (PortLayout, MetricLayout, PortUse):
        model._default_manager.update(used_at=at)
    PortState.objects.update(at=at)
    rows("UPDATE telemetry_newest SET ts = %s RETURNING 1", at.isoformat())
    rows("DELETE FROM telemetry_samples RETURNING 1")
    return timezone.now()


def test_layouts_and_ports_go_with_their_samples_and_come_back_with_the_next_report(
    client: Client, identity: AgentIdentity, now: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported = samples(["Ethernet1/1", "invented"], now)
    stored(client, identity, now, reported)
    layout, port = PortLayout.objects.get(), Port.objects.get(name="invented")
    age(40)
    assert remove_expired(timezone.now(), rules=RULES) == {
        "telemetry.PortLayout": 0, "telemetry.MetricLayout": 0, "inventory.Port": 0,
    }, "the newest sample refers to it"  # fmt: skip
    maintain_partitions()
    assert not NewestSample.objects.exists()
    removed = remove_expired(timezone.now(), rules=RULES)
    assert removed["telemetry.PortLayout"] == 1
    remove_expired(timezone.now(), rules=RULES)
    assert not PortLayout.objects.exists()
    assert not Port.objects.filter(name="invented").exists()
    assert Port.objects.filter(node__name="sw000", declared=True).count() == 2

    forget_caches(monkeypatch)
    again = samples(["Ethernet1/1", "invented"], now)
    assert stored(client, identity, now, again).json()["stored"] == 1
    new = Port.objects.get(name="invented")
    assert new.pk != port.pk
    assert PortLayout.objects.get().pk != layout.pk
    assert PortLayout.objects.get().ports[1] == new.pk
    assert value("SELECT layout_id FROM telemetry_samples") == PortLayout.objects.get().pk


def test_layout_stays_while_a_day_of_its_samples_is_stored(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    stored(client, identity, now, samples(["Ethernet1/1", "invented"], now))
    oldest = partitions.stored_from()
    partitions.ensure_day((oldest - timedelta(days=60)).date())
    age(40)
    rows("DELETE FROM telemetry_newest RETURNING 1")
    remove_expired(timezone.now(), rules=RULES)
    assert PortLayout.objects.count() == 1
    assert Port.objects.filter(name="invented").exists(), "in a layout"


@pytest.mark.parametrize("days", [1, 29])
def test_ports_that_a_device_names_in_its_description_stay_for_their_days(
    client: Client, identity: AgentIdentity, now: int, days: int
) -> None:
    head = {"kind": "device", "boot": str(uuid.uuid4()), "seq": 1, "device": "sw000", "at": now}
    described = {**head, "ports": [{"name": "invented", "index": 1, "admin_up": True, "oper_up": True}]}
    assert stored(client, identity, now, described).json()["stored"] == 1
    age(days)
    remove_expired(timezone.now(), rules=RULES)
    assert Port.objects.filter(name="invented").exists()
    age(31)
    assert remove_expired(timezone.now(), rules=RULES)["inventory.Port"] == 1
    assert not PortState.objects.filter(port__name="invented").exists()


def test_metric_layouts_go_except_those_of_the_newest_sets(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    for number in range(3):
        at = now + number
        stored(client, identity, now, metric_set("snmp", f"fan {number}", at))
    assert MetricLayout.objects.count() == 3
    age(2)
    remove_expired(timezone.now(), rules=RULES)
    assert MetricLayout.objects.count() == 3
    age(8)
    assert remove_expired(timezone.now(), rules=RULES)["telemetry.MetricLayout"] == 2
    assert MetricLayout.objects.get().pk == MetricSet.objects.get().layout_id


def test_metric_layouts_stay_as_long_as_roll_ups_unless_a_device_has_very_many(
    client: Client, identity: AgentIdentity, now: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        stored(client, identity, now, metric_set("snmp", f"fan {number}", now + number))
    rollup_partitions.ensure_rollups((timezone.now() - timedelta(days=62)).date())
    age(8)
    MetricLayout.objects.update(created_at=timezone.now() - timedelta(days=8, hours=1))
    remove_expired(timezone.now(), rules=RULES)
    assert MetricLayout.objects.count() == 4
    lasting = MetricLayout.objects.earliest("pk")
    MetricLayout.objects.filter(pk=lasting.pk).update(created_at=timezone.now() - timedelta(days=20))
    monkeypatch.setattr(conditions, "MAX_LAYOUTS", 12)
    remove_expired(timezone.now(), rules=RULES)
    assert set(MetricLayout.objects.all()) == {lasting, MetricSet.objects.get().layout}
    rollup_partitions._known.clear()


def test_layouts_that_only_roll_ups_have_leave_room_for_new_ones(
    client: Client, identity: AgentIdentity, now: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "MAX_LAYOUTS", 2)
    for number in range(2):
        stored(client, identity, now, metric_set("snmp", f"fan {number}", now + number))
    reply = stored(client, identity, now, metric_set("snmp", "fan 2", now + 2))
    assert reply.json()["stored"] == 0
    age(9)
    assert stored(client, identity, now, metric_set("snmp", "fan 3", now + 3)).json()["stored"] == 1


def test_use_is_recorded_before_a_cached_layout_may_be_removed(
    client: Client, identity: AgentIdentity, now: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusted = timedelta(seconds=layouts.CACHED_S) + layouts.USE_RESOLUTION
    assert trusted < timedelta(days=min(rule.days for rule in RULES))
    stored(client, identity, now, samples(["invented"], now), metric_set("snmp", "fan", now))
    old = timezone.now() - layouts.USE_RESOLUTION * 2
    for model in (PortLayout, MetricLayout, PortUse):
        model._default_manager.update(used_at=old)
    forget_caches(monkeypatch)
    stored(client, identity, now, samples(["invented"], now), metric_set("snmp", "fan", now))
    for model in (PortLayout, MetricLayout, PortUse):
        assert timezone.now() - model._default_manager.get().used_at < timedelta(minutes=5)
    assert (PortLayout.objects.count(), Port.objects.filter(name="invented").count()) == (1, 1)


@pytest.fixture
def removing(transactional_db: None) -> Iterator[psycopg.Connection[Any]]:
    """A connection of another process that removes rows."""
    known = connection.get_connection_params()
    with psycopg.connect(**{key: known[key] for key in ("host", "port", "user", "dbname")}) as other:
        yield other
        other.rollback()


@pytest.mark.slow
def test_report_that_meets_the_removal_of_its_port_and_layout_creates_them_again(
    removing: psycopg.Connection[Any], client: Client, now: int, request: pytest.FixtureRequest
) -> None:
    identity = request.getfixturevalue("identity")
    stored(client, identity, now, samples(["invented"], now))
    port, layout = Port.objects.get(name="invented").pk, PortLayout.objects.get().pk
    age(40)
    rows("DELETE FROM telemetry_newest RETURNING 1")
    layouts._cache = layouts.LayoutCache()
    removing.execute("DELETE FROM telemetry_portlayout WHERE id = %s", [layout])
    removing.execute("DELETE FROM telemetry_portuse WHERE port_id = %s", [port])
    removing.execute("DELETE FROM inventory_port WHERE id = %s", [port])
    replies: list[Any] = []

    def report() -> None:
        try:
            replies.append(stored(Client(), identity, now, samples(["invented"], now)))
        finally:
            connections.close_all()

    thread = threading.Thread(target=report)
    thread.start()
    own = removing.info.backend_pid
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE %s = ANY(pg_blocking_pids(pid))"
    while thread.is_alive() and value(waiting, own) == 0:
        thread.join(0.02)
    removing.commit()
    thread.join(60)
    assert replies[0].json()["stored"] == 1
    assert PortLayout.objects.get().ports == [Port.objects.get(name="invented").pk]
    assert Port.objects.get(name="invented").pk != port
    assert Node.objects.filter(name="sw000").exists()
    assert not transaction.get_connection().in_atomic_block
    rows("DELETE FROM telemetry_samples RETURNING 1")
    rows("DELETE FROM telemetry_newest RETURNING 1")
