"""Samples that arrive after their hour was rolled up: recorded with them, and only then."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from backstay.core.rollups.levels import GRACE_S, HOUR_S, MARGIN_S
from backstay.inventory.models import Node
from backstay.telemetry.ingest import store
from backstay.telemetry.rollups import execution
from bench.agent_requests import rows, send, value
from bench.site import AgentIdentity, batch, port_samples

SECOND = 10**9


def sampled(client: Client, identity: AgentIdentity, now: int, *ages_s: float) -> None:
    """One-port samples of 30 s that ended so long ago."""
    boot = uuid.uuid4()
    reports = [
        port_samples("sw000", ["Ethernet1/1"], number, boot=boot, at=now - round(age * SECOND))
        for number, age in enumerate(ages_s, 1)
    ]
    reply = send(client, identity, batch(reports, sent=now)).json()
    assert reply["stored"] == len(ages_s), reply


def late_hours() -> list[datetime]:
    return [hour for (hour,) in rows("SELECT hour FROM telemetry_rolluplate ORDER BY hour")]


def test_current_samples_record_nothing(
    client: Client, identity: AgentIdentity, now: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements: list[str] = []
    real = store.query

    def recorded(sql: str, values: Any) -> list[tuple[Any, ...]]:
        statements.append(sql)
        return real(sql, values)

    monkeypatch.setattr(store, "query", recorded)
    sampled(client, identity, now, 5.0, 0.0)
    assert late_hours() == []
    assert store._LATE not in statements
    sampled(client, identity, now, 2 * HOUR_S)
    assert statements.count(store._LATE) == 1


def test_backlog_records_each_hour_that_it_touches_once(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    sampled(client, identity, now, *(age * 60.0 for age in range(300, 400, 2)))
    found = late_hours()
    assert found == sorted(set(found))
    oldest, newest = (datetime.fromtimestamp(now / 1e9 - age, UTC) for age in (398 * 60 + 30, 300 * 60))
    assert found[0] == oldest.replace(minute=0, second=0, microsecond=0)
    assert found[-1] == newest.replace(minute=0, second=0, microsecond=0)


def test_rolled_up_hours_contain_late_samples(client: Client, identity: AgentIdentity, now: int) -> None:
    """From the wire to the row: before, after, and again."""
    sampled(client, identity, now, 5 * HOUR_S)
    while execution.run_round(timezone.now()):
        pass
    sampled(client, identity, now, 5 * HOUR_S - 60, 9 * HOUR_S)
    while execution.run_round(timezone.now()):
        pass
    node = Node.objects.get(name="sw000").pk
    total = "SELECT sum(value) FROM {} CROSS JOIN LATERAL unnest(in_octets) AS value WHERE node_id = %s"
    assert value(total.format("telemetry_samples"), node) == value(total.format("telemetry_rollup_5m"), node)
    assert value("SELECT sum(n) FROM telemetry_rollup_5m, unnest(samples) AS n WHERE node_id = %s", node) == 3
    assert late_hours() == []


@pytest.mark.parametrize("age_s", [0.0, MARGIN_S, GRACE_S, HOUR_S, 2 * HOUR_S + 17])
def test_sample_is_late_exactly_if_its_hour_may_be_complete(
    client: Client, identity: AgentIdentity, now: int, age_s: float
) -> None:
    sampled(client, identity, now, age_s)
    begin = now / 1e9 - age_s - 30
    closed = (now / 1e9 + MARGIN_S - GRACE_S) // HOUR_S * HOUR_S
    assert bool(late_hours()) == (begin < closed)


def reported(
    client: Client, identity: AgentIdentity, now: int, age_s: float, duration_ns: int | None
) -> None:
    """A report of one metric that ended so long ago."""
    report = {
        "kind": "metrics",
        "boot": str(uuid.uuid4()),
        "seq": 1,
        "device": "sw000",
        "at": now - round(age_s * SECOND),
        "collector": "entity",
        "duration_ns": duration_ns,
        "metrics": [{"metric": "host.processor_load", "value": 2.5}],
    }
    assert send(client, identity, batch([report], sent=now)).json()["stored"] == 1


def late_metric_hours() -> list[datetime]:
    return [hour for (hour,) in rows("SELECT hour FROM telemetry_metricrolluplate ORDER BY hour")]


@pytest.mark.parametrize("age_s", [0.0, MARGIN_S, GRACE_S, HOUR_S, 2 * HOUR_S + 17])
def test_metric_report_is_late_exactly_if_its_hour_may_be_complete(
    client: Client, identity: AgentIdentity, now: int, age_s: float
) -> None:
    reported(client, identity, now, age_s, 30 * SECOND)
    closed = (now / 1e9 + MARGIN_S - GRACE_S) // HOUR_S * HOUR_S
    end = now // 1000 / 1e6 - age_s
    expected = [datetime.fromtimestamp((end - 1e-6) // HOUR_S * HOUR_S, UTC)] if end <= closed else []
    assert late_metric_hours() == expected
    assert late_hours() == []


def test_rolled_up_hours_contain_late_metric_reports(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    reported(client, identity, now, 5 * HOUR_S, None)
    while execution.run_round(timezone.now()):
        pass
    for age_s in (5 * HOUR_S - 60, 9 * HOUR_S):
        reported(client, identity, now, age_s, None)
    while execution.run_round(timezone.now()):
        pass
    assert value("SELECT sum(n) FROM telemetry_metricrollup_5m, unnest(total) AS n") == 7.5
    assert late_metric_hours() == []
