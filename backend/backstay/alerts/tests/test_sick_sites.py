"""Rules and sites that fail: the others are evaluated, the failure is an incident, silence is noticed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection, connections
from django.utils import timezone

from backstay.alerts import budget, heartbeat, incidents, services
from backstay.alerts.models import EvaluationFailure, Incident, Round, SiteRound
from backstay.alerts.rules import RULES
from backstay.alerts.tasks import evaluate_site
from backstay.api.tests.world import World
from backstay.core.model.progress import Phase
from backstay.inventory.advisory_locks import LockClass
from backstay.inventory.models import Site
from backstay.telemetry.models import Neighbour, NeighbourClash

pytestmark = pytest.mark.slow


@pytest.fixture
def world(own_world: World) -> World:
    return own_world


def current() -> dict[str, Incident]:
    rows = Incident.objects.filter(phase__in=[Phase.OPEN, Phase.ACKNOWLEDGED]).select_related("rule")
    return {incident.rule.kind: incident for incident in rows}


def raising(*_: Any) -> Any:
    raise ValueError("a cable without ends")


def querying(*_: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(60)")


def computing(*_: Any) -> Any:
    while True:
        with suppress(Exception):
            time.sleep(0.01)


@pytest.mark.parametrize(
    ("work", "reason"),
    [
        (raising, "ValueError: a cable without ends"),
        (querying, "took longer than 1 s"),
        (computing, "took longer than 1 s"),
    ],
)
def test_a_sick_rule_is_an_incident_and_costs_no_other_rule_until_it_works_again(
    world: World, monkeypatch: pytest.MonkeyPatch, work: Callable[..., Any], reason: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(budget, "RULE_S", 1.0)
        patch.setitem(RULES, "address_mismatch", replace(RULES["address_mismatch"], evaluate=work))
        for _ in range(3):
            world.forward(3)
            world.fail_over()
            world.sample()
            services.run_round(world.now)
        assert {"gateway_failed_over", "rule_failed"} <= current().keys()
        failed = current()["rule_failed"]
        assert (failed.title, failed.severity) == (f'Rule "address mismatch" fails: {reason}', "critical")
        row = EvaluationFailure.objects.get()
        assert row.retry_at > world.now
        tried = row.failures
        services.run_round(world.now)
        assert EvaluationFailure.objects.get().failures == tried
    world.forward(60)
    world.sample()
    services.run_round(world.now)
    services.run_round(world.now)
    assert "rule_failed" not in current()
    assert not EvaluationFailure.objects.exists()


def test_a_failing_step_is_an_incident_and_rules_are_evaluated(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from backstay.alerts import rounds

    monkeypatch.setitem(rounds.STEPS, "wiring", raising)
    for _ in range(3):
        world.forward(3)
        world.fail_over()
        world.sample()
        services.run_round(world.now)
    assert {"gateway_failed_over", "rule_failed"} <= current().keys()
    assert current()["rule_failed"].title == "Links from evidence fails: ValueError: a cable without ends"


def test_rules_without_time_left_begin_the_next_round(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "ROUND_S", 0.0)
    services.run_round(world.now)
    postponed = SiteRound.objects.get().postponed
    assert set(postponed) == RULES.keys() - {"rule_failed", "evaluation_late"}
    monkeypatch.undo()
    services.run_round(world.now)
    assert SiteRound.objects.get().postponed == []


def test_a_node_that_stops_while_nothing_is_evaluated_is_noticed_at_once(world: World) -> None:
    others = [name for name in world.devices() if name != "onyx1"]
    for _ in range(40):
        world.forward(1)
        heartbeat.beat(world.now)
        world.report([world.samples(name) for name in others])
    services.run_round(world.now)
    assert [incident.subject for incident in current().values()] == ["onyx1"]


def test_three_missed_rounds_raise_an_alarm_outside_celery_and_a_round_ends_it(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    at = SiteRound.objects.get().finished_at
    watch = heartbeat.RoundWatch()
    for second in range(1, 6):
        watch.look(at + timedelta(seconds=second))
    assert current() == {}
    for second in range(7, 30):
        watch.look(at + timedelta(seconds=second))
    assert list(current()) == ["evaluation_late"]
    incident = current()["evaluation_late"]
    assert incident.title == "The alert rules of argonne are not evaluated: the last round ended 10 s ago"
    assert Incident.objects.count() == 1
    world.forward(60)
    world.sample()
    services.run_round(world.now)
    assert "evaluation_late" not in current()


def test_the_alarm_is_raised_although_a_stopped_worker_keeps_the_site_locked(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def locked(*_: Any) -> Iterator[None]:
        raise OperationalError("canceling statement due to lock timeout")
        yield

    at = SiteRound.objects.get().finished_at
    watch = heartbeat.RoundWatch()
    with monkeypatch.context() as patch:
        patch.setattr(incidents, "exclusive", locked)
        for second in range(7, 14):
            watch.look(at + timedelta(seconds=second))
    assert list(current()) == ["evaluation_late"]
    assert Incident.objects.count() == 1


def test_an_alarm_that_failed_is_tried_again_at_the_next_beat(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any) -> None:
        raise DatabaseError("the connection was lost")

    at = SiteRound.objects.get().finished_at
    watch = heartbeat.RoundWatch()
    with monkeypatch.context() as patch:
        patch.setattr(heartbeat, "raise_alarm", failing)
        for second in range(7, 14):
            with suppress(DatabaseError):
                watch.look(at + timedelta(seconds=second))
    watch.look(at + timedelta(seconds=14))
    assert list(current()) == ["evaluation_late"]


def checked(capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        call_command("check_rounds")
    return int(ended.value.code or 0), capsys.readouterr().out


def test_check_rounds_needs_no_worker(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    now = timezone.now()
    Round.objects.filter(name="ingest").delete()
    SiteRound.objects.update(finished_at=now)
    assert checked(capsys) == (0, "The rules of every site are evaluated.\n")
    EvaluationFailure.objects.create(site=world.site, part="cable", text="gone", since=now, retry_at=now)
    assert checked(capsys)[0] == 1
    SiteRound.objects.update(finished_at=now - timedelta(minutes=2))
    code, text = checked(capsys)
    assert (code, text.splitlines()[0][:44]) == (2, "argonne: the rules were last evaluated 2 min")


def test_two_hosts_that_disagree_about_8000_addresses_are_one_incident(world: World) -> None:
    disagree(world, 8000)
    world.forward(11)
    world.sample()
    services.run_round(world.now)
    incident = current()["neighbour_clash"]
    assert Incident.objects.filter(rule__kind="neighbour_clash").count() == 1
    assert incident.title.startswith(
        "8\u202f000 addresses on sp-switch have several hardware addresses: 10.1.1.1"
    )
    assert "sp01 and sp02" in incident.detail
    assert SiteRound.objects.get().postponed == []
    assert not EvaluationFailure.objects.exists()


def disagree(world: World, addresses: int) -> None:
    """Two hosts have different hardware addresses for each of so many addresses."""
    texts = [f"10.1.{n // 250 + 1}.{n % 250 + 1}" for n in range(addresses)]
    at = world.now
    Neighbour.objects.bulk_create(
        Neighbour(
            node=world.node(host),
            port="css0",
            address=text,
            mac=f"02:0{tag}:00:00:{n >> 8:02x}:{n & 255:02x}",
            state="reachable",
            since=at,
            held_since=at,
        )
        for tag, host in ((1, "sp01"), (2, "sp02"))
        for n, text in enumerate(texts)
    )
    NeighbourClash.objects.bulk_create(
        NeighbourClash(site=world.site, address=text, since=at) for text in texts
    )


@contextmanager
def site_lock(site: int) -> Iterator[None]:
    """Another worker runs the round of a site."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s, %s)", [LockClass.ROUND.value, site])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LockClass.ROUND.value, site])


@pytest.mark.django_db(transaction=True)
def test_a_site_that_is_being_evaluated_delays_no_other() -> None:
    sick, well = (
        Site.objects.create(name=name, title=name, interval_s=5.0, imported_at=timezone.now())
        for name in ("sick", "well")
    )
    results: list[bool] = []

    def other_worker() -> None:
        try:
            results.extend(evaluate_site(site.pk) for site in (sick, well))
        finally:
            connections.close_all()

    with site_lock(sick.pk):
        thread = threading.Thread(target=other_worker)
        thread.start()
        thread.join(60)
    assert results == [False, True]
    assert finished(well) is not None
    assert finished(sick) is None
    assert evaluate_site(sick.pk) is True


def finished(site: Site) -> datetime | None:
    return SiteRound.objects.filter(site=site).values_list("finished_at", flat=True).first()
