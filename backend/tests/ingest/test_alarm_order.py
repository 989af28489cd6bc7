"""Alarms do not depend on the order in which their notices arrive: a backlog follows the newest ones."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backstay.api.tests.world import World
from backstay.telemetry import partitions
from backstay.telemetry.alarm_models import Alarm, AlarmClearing
from backstay.telemetry.ingest import notices
from backstay.telemetry.ingest.clock import nanoseconds
from backstay.telemetry.ingest.notices import MOST_ALARMS
from backstay_wire import Notice, NoticeReport

NAMES = ("card_down", "card_up", "cold_start")
SUBJECTS = ("card 1", "card 2")


@pytest.fixture
def world(db: None) -> World:
    world = World.make()
    world.describe()
    return world


def notify(world: World, sent: Sequence[tuple[float, str, str]]) -> None:
    """One report of notices: (seconds before now, name, subject)."""
    now = nanoseconds(world.now)
    listed = [
        Notice(
            at=now - round(ago_s * 1e9),
            source="trap",
            name=name,
            severity="critical",
            subject=subject,
            text=name,
        )
        for ago_s, name, subject in sent
    ]
    world.report([NoticeReport(boot=uuid.uuid4(), seq=1, device="grf1", at=now, notices=listed)])


def raised() -> set[str]:
    return set(Alarm.objects.values_list("subject", flat=True))


def test_alarm_that_arrives_after_its_clearing_is_not_raised(world: World) -> None:
    notify(world, [(1, "card_up", "card 1")])
    notify(world, [(60, "card_down", "card 1"), (60, "card_down", "card 2")])
    assert raised() == {"card 2"}
    notify(world, [(0.5, "card_down", "card 1")])
    assert raised() == {"card 1", "card 2"}


def test_alarm_that_arrives_after_a_later_restart_is_not_raised(world: World) -> None:
    notify(world, [(1, "cold_start", "")])
    notify(world, [(60, "card_down", "card 1"), (60, "fan_failure", "fan 1")])
    assert raised() == set()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(SUBJECTS)), min_size=2, max_size=7).flatmap(
        lambda sent: st.tuples(st.just(sent), st.permutations(range(len(sent))))
    )
)
def test_any_order_of_arrival_gives_the_same_alarms(
    world: World, drawn: tuple[list[tuple[str, str]], list[int]]
) -> None:
    sent, order = drawn
    timed = [(float(len(sent) - at), *notice) for at, notice in enumerate(sent)]

    def result(arriving: Sequence[int]) -> set[str]:
        with transaction.atomic():
            for at in arriving:
                notify(world, [timed[at]])
            found = raised()
            transaction.set_rollback(True)
        return found

    assert result(order) == result(range(len(sent)))


def test_clearings_are_limited_and_removed_with_the_reports_of_before_them(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "MOST_ALARMS", 5)
    assert MOST_ALARMS == 500
    for number in range(9):
        world.forward(1)
        notify(world, [(0, "card_up", f"card {number}")])
    kept = AlarmClearing.objects.order_by("at").values_list("subject", flat=True)
    assert list(kept) == [f"card {number}" for number in range(4, 9)]
    world.forward((world.now - partitions.kept_from(world.now)) / timedelta(seconds=1) + 60)
    notify(world, [(0, "card_up", "card 1")])
    assert AlarmClearing.objects.count() == 1
