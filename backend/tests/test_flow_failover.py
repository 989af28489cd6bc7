"""Many agents report one failover simultaneously: one incident, correct count, every event once."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from django.db import connections

from backstay.alerts import services
from backstay.alerts.evaluation_triggers import evaluations
from backstay.alerts.models import Flip, Incident
from backstay.api.tests.world import World
from backstay.policy.models import Path, PathSwitch
from backstay.telemetry.models import Event

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("shown_at_once")]
NODES = 8


def at_once(calls: list[Any]) -> None:
    """Run every call in its own thread, all released together; wait for evaluations that they trigger.

    Raises the first failure.
    """
    start, failures = threading.Barrier(len(calls)), []

    def run(call: Any) -> None:
        try:
            start.wait(30)
            call()
        except Exception as failure:
            failures.append(failure)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    deadline = time.monotonic() + 120
    while not evaluations.is_idle and time.monotonic() < deadline:
        time.sleep(0.01)
    if failures:
        raise failures[0]


def test_eight_simultaneous_failover_reports_make_one_incident() -> None:
    world = World.make(nodes=NODES)
    world.describe()
    world.all_paths()
    world.forward()
    alive = {"grf1": False, "atmgw": True}
    names = [f"sp{number:02}" for number in range(1, NODES + 1)]
    reports = {
        name: world.path(name, "sp-default", "atmgw", alive=alive, switch=world.switch("grf1", "atmgw"))
        for name in names
    }
    # Each report is sent twice, as after a lost response, with a round in between.
    calls = [lambda name=name: world.report([reports[name]]) for name in names for _ in range(2)]
    at_once([*calls, lambda: services.run_round(world.now)])
    # An evaluation that found the site locked left it to the next round.
    services.run_round(world.now)

    # That the gateway is unreachable may be known by then; this rule's incident is open once in any case.
    opened = Incident.objects.filter(phase="open")
    (incident,) = opened.filter(rule__kind="gateway_failed_over")
    assert incident.title == f"grf1: {NODES} of {NODES} nodes of sp-default are on atmgw"
    assert incident.paths.count() == NODES
    assert Flip.objects.filter(incident=incident).count() == 1
    assert PathSwitch.objects.count() == NODES
    assert Event.objects.filter(kind="path.switched").count() == NODES
    assert Event.objects.filter(kind="incident.opened").count() == opened.count()
    assert set(Path.objects.filter(policy__name="sp-default").values_list("active_text", flat=True)) == {
        "atmgw"
    }


def test_concurrent_rounds_open_nothing_twice() -> None:
    world = World.make(nodes=2)
    world.describe()
    world.all_paths()
    world.forward()
    world.fail_over()
    Incident.objects.all().delete()
    at_once([lambda: services.run_round(world.now) for _ in range(4)])
    assert Incident.objects.filter(phase="open").count() == 1
    assert Flip.objects.count() == 1
