"""Stored clock readings: steps, reboots, drift, and readings with a large error."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from backstay.api.tests.world import World
from backstay.telemetry.facts import Facts
from backstay.telemetry.ingest.clock import DAY, SECOND, Correction, nanoseconds
from backstay.telemetry.ingest.senders import Sender
from backstay.telemetry.models import ClockState
from backstay.telemetry.states.clocks import Look, observe, observe_agents

START = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def world(db: None) -> World:
    return World.make()


def look(world: World, at_s: float, offset_s: float, *, booted_s: float | None = None) -> Facts:
    facts = Facts(site_id=world.site.pk)
    at = START + timedelta(seconds=at_s)
    booted = None if booted_s is None else START + timedelta(seconds=booted_s)
    node = world.node("grf1").pk
    observe([Look(node, "hrSystemDate", at, int(offset_s * SECOND), SECOND // 2, booted)], facts)
    return facts


def state(source: str = "hrSystemDate") -> ClockState:
    return ClockState.objects.get(source=source)


def test_clock_step_at_a_reboot_is_reported_as_such(world: World) -> None:
    assert look(world, 0, 0.2, booted_s=-500).clocks == []
    (fact,) = look(world, 60, -31 * DAY / SECOND, booted_s=30).clocks
    assert (fact.at_reboot, fact.source, fact.before_ms) == (True, "hrSystemDate", 200.0)
    assert (state().step_at_reboot, state().stepped_at) == (True, START + timedelta(seconds=60))
    (back,) = look(world, 120, 0.1, booted_s=30).clocks
    assert not back.at_reboot
    assert back.offset_ms == 100


def test_older_reading_changes_nothing(world: World) -> None:
    look(world, 60, 0)
    assert look(world, 0, 500).clocks == []
    assert state().offset_ms == 0


def test_drift_since_the_last_step_is_stored_with_its_error(world: World) -> None:
    look(world, 0, 900)
    for minute in range(1, 15):
        look(world, minute * 60, 100e-6 * minute * 60)
    assert state().rate_ppm == pytest.approx(100, abs=0.5)
    assert state().rate_error_ppm == pytest.approx(1 / 780 * 1e6)
    assert len(state().recent) == 15


def sender(world: World, kept: ClockState | None) -> Sender:
    return Sender(
        agent=uuid4(),
        generation=1,
        clock_offset_ms=None,
        spool_dropped=0,
        site="argonne",
        site_id=world.site.pk,
        site_version=1,
        interval_s=5.0,
        host=world.node("sp01").pk,
        clock_kept_at=None if kept is None else kept.at,
        clock_kept_ms=None if kept is None else kept.offset_ms,
        has_drift=kept is not None and kept.rate_ppm is not None,
    )


def batch(world: World, at_s: float, offset_s: float, error_s: float) -> Facts:
    facts = Facts(site_id=world.site.pk)
    received = nanoseconds(START + timedelta(seconds=at_s))
    correction = Correction(received, int(offset_s * SECOND), int(error_s * SECOND))
    agent = sender(world, ClockState.objects.filter(source="agent").first())
    observe_agents([(agent, correction)], facts)
    return facts


def test_agent_clock_is_stored_once_a_minute_but_always_checked_for_steps(world: World) -> None:
    batch(world, 0, 0.01, 0.002)
    batch(world, 5, 0.012, 0.002)
    assert state("agent").at == START
    assert batch(world, 61, 0.02, 0.002).clocks == []
    assert len(state("agent").recent) == 2
    (fact,) = batch(world, 66, 8.0, 0.002).clocks
    assert fact.offset_ms == 8000


def test_agent_clock_is_stored_less_often_once_its_drift_is_known(world: World) -> None:
    for minute in range(12):
        batch(world, 60 * minute, 1e-4 * minute, 0.002)
    known = state("agent")
    assert known.rate_ppm is not None
    kept = len(known.recent)
    for minute in range(12, 12 + 10):
        batch(world, 60 * minute, 1e-4 * minute, 0.002)
    assert len(state("agent").recent) == kept + 2
    (fact,) = batch(world, 60 * 22 + 5, 8.0, 0.002).clocks
    assert fact.offset_ms == 8000


def test_imprecise_reading_is_not_stored_and_the_next_one_reports_the_step(world: World) -> None:
    batch(world, 0, 0.0, 0.002)
    assert batch(world, 5, 10.0, 15.0).clocks == []
    assert state("agent").offset_ms == 0
    (fact,) = batch(world, 7, 10.0, 0.002).clocks
    assert fact.offset_ms == 10_000


def test_step_beyond_a_large_error_is_reported_once(world: World) -> None:
    batch(world, 0, 0.0, 0.002)
    assert len(batch(world, 5, 3600.0, 15.0).clocks) == 1
    assert batch(world, 70, 3601.0, 0.002).clocks == []
