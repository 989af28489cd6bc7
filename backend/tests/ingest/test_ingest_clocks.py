"""Times of reports from hosts with wrong clocks, and late reports."""

from __future__ import annotations

import pytest
from django.test import Client

from backstay.accounts.models import Agent
from bench.agent_requests import rejections, rows, send, value
from bench.device_reports import SECOND, report
from bench.site import AgentIdentity, batch

YEAR = 365 * 86_400 * SECOND


@pytest.mark.parametrize("offset", [YEAR, -YEAR, 3600 * SECOND, -3600 * SECOND, 5 * SECOND])
def test_samples_of_a_host_with_a_wrong_clock_are_dated_by_ours(
    client: Client, identity: AgentIdentity, now: int, offset: int
) -> None:
    reports = [report(1, now + offset - 30 * SECOND), report(2, now + offset)]
    assert send(client, identity, batch(reports, sent=now + offset)).status_code == 200
    ages = rows("SELECT extract(epoch FROM now() - ts)::float, shift_ns FROM telemetry_samples ORDER BY ts")
    assert [round(age, -1) for age, _ in ages] == [30, 0]
    assert all(abs(shift - offset) < 5 * SECOND for _, shift in ages)
    stored = Agent.objects.get().clock_offset_ms
    assert stored is not None
    assert abs(stored * 1e6 - offset) < 5 * SECOND


def test_small_clock_offset_is_not_corrected(client: Client, identity: AgentIdentity, now: int) -> None:
    sent = now + SECOND // 2
    send(client, identity, batch([report(1, sent)], sent=sent))
    assert value("SELECT shift_ns FROM telemetry_samples") == 0
    assert value("SELECT extract(epoch FROM ts) * 1000000 FROM telemetry_samples") == sent // 1000


def test_report_far_ahead_of_its_batch_is_refused(client: Client, identity: AgentIdentity, now: int) -> None:
    reports = [report(1, now + 601 * SECOND), report(2, now + 599 * SECOND)]
    reply = send(client, identity, batch(reports, sent=now))
    assert (reply.status_code, rejections(reply)) == (422, [(0, "future")])


def test_backlog_keeps_its_times_and_does_not_revive_an_unreachable_device(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    old = now - 3600 * SECOND
    send(client, identity, batch([report(1, old)], sent=now))
    reported = "FROM telemetry_nodestate WHERE last_reported_at IS NOT NULL"
    age_s = value(f"SELECT extract(epoch FROM now() - last_reported_at)::float {reported}")
    assert 3590 < age_s < 3620


def test_clock_step_is_reported(client: Client, identity: AgentIdentity, now: int) -> None:
    for seq, offset in ((1, 0), (2, SECOND), (3, 60 * SECOND)):
        clock = {"offset_ns": offset, "error_ns": 1_000_000}
        send(client, identity, batch([report(seq, now + offset)], sent=now + offset, clock=clock))
    assert value("SELECT subject FROM telemetry_event WHERE kind = 'clock.stepped'") == "mgmt0"


def test_slow_connection_is_not_a_wrong_clock(client: Client, identity: AgentIdentity, now: int) -> None:
    sent = now - 8 * SECOND
    assert send(client, identity, batch([report(1, sent)], sent=sent)).status_code == 200
    assert value("SELECT shift_ns FROM telemetry_samples") == 0
    assert Agent.objects.get().clock_offset_ms is None


def test_lost_reports_are_recorded(client: Client, identity: AgentIdentity, now: int) -> None:
    spool = {"waiting": 3, "dropped": 12}
    send(client, identity, batch([report(1, now)], sent=now, spool=spool))
    agent = Agent.objects.get()
    assert (agent.spool_waiting, agent.spool_dropped) == (3, 12)
    assert value("SELECT data->>'dropped' FROM telemetry_event WHERE kind = 'spool.dropped'") == "12"
