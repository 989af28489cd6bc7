"""`/capacity/track-record`: from reported switches and samples to errors of the predicted loads."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from backstay.api.tests.routes.test_capacity import rates
from backstay.api.tests.world import Json, World, bearer, person
from backstay.core.roles import Role
from backstay.inventory.models import Site
from backstay.policy.capacity_models import CapacityFailure
from backstay.policy.models import Path
from backstay.policy.track_record_models import PredictionCheck
from backstay.rollout.models import Drill, Move
from backstay.rollout.tasks import study_once

FALLBACK = "atmgw:at0-router:at1"
SENT = 4e6
"""bit/s of each of three nodes: the fallback carries 13.45 Mb/s."""


@pytest.fixture
def world(db: None) -> World:
    """Only the nodes' policy routes anything: a failure of grf1 moves three nodes to atmgw."""
    world = World.make(now=timezone.now() - timedelta(hours=1))
    Path.objects.exclude(policy__name="sp-default").delete()
    minute(world, rates(SENT))
    return world


def minute(world: World, load: dict[str, dict[str, tuple[float, float]]], active: str = "grf1") -> None:
    """Samples and paths every minute, then the task of the minute."""
    world.forward(60)
    world.sample(load)
    alive = {"grf1": active == "grf1", "atmgw": True}
    nodes = [name for name in world.devices() if name.startswith("sp")]
    world.report([world.path(node, "sp-default", active, alive=alive) for node in nodes])
    study_once(world.site, world.now)


def moved(sent: float = SENT) -> dict[str, dict[str, tuple[float, float]]]:
    """Loads once the nodes' traffic goes through atmgw."""
    return {
        **rates(sent),
        "grf1": {"gt000": (0, 0), "ga031": (0, 0), "ga030": (0, 0), "gh010": (0, 0)},
        "atmgw": {"css0": (3 * sent, 3e6), "at0": (3e6, 3 * sent)},
        "router": {"at0": (0, 0), "at1": (3 * sent, 3e6), "at2": (0, 0)},
    }


def fail(world: World) -> None:
    """grf1 fails 20 s after the last study."""
    world.forward(20)
    world.fail_over()


def only() -> PredictionCheck:
    return PredictionCheck.objects.get()


def errors(check: PredictionCheck) -> dict[tuple[str, str], float | None]:
    return {(link["name"], link["start"]): link["error_share"] for link in check.links}


def test_a_failover_that_went_as_predicted_has_no_error(world: World) -> None:
    fail(world)
    for _ in range(4):
        minute(world, moved(), "atmgw")
    check = only()
    assert (check.state, check.reason) == ("measured", "")
    assert check.gateway == "grf1"
    assert check.moved_nodes == 3
    assert check.predicted_at is not None
    assert check.predicted_at < check.started_at
    assert check.measured_at is not None
    assert check.measured_at >= check.last_switch_at + timedelta(seconds=60)
    assert errors(check)[FALLBACK, "atmgw"] == pytest.approx(0, abs=1e-3)
    assert check.worst_error == pytest.approx(0, abs=0.005), "who sends to whom is an estimate"


def test_a_full_link_is_compared_with_its_usable_rate(world: World) -> None:
    for _ in range(3):
        minute(world, rates(6e6))
    fail(world)
    full = moved(6e6)
    full["atmgw"] |= {"css0": (13.45e6, 3e6), "at0": (3e6, 13.45e6)}
    full["router"] |= {"at1": (13.45e6, 3e6)}
    for _ in range(4):
        minute(world, full, "atmgw")
    lane = next(link for link in only().links if (link["name"], link["start"]) == (FALLBACK, "atmgw"))
    assert lane["after_bps"] == pytest.approx(18e6, rel=0.01)
    assert lane["carried_bps"] == lane["usable_rate"]
    assert lane["error_share"] == pytest.approx(0, abs=1e-3)


def test_more_load_than_predicted_is_a_positive_error(world: World) -> None:
    fail(world)
    for _ in range(4):
        minute(world, moved(4.4e6), "atmgw")
    check = only()
    assert check.state == "measured"
    lane = next(link for link in check.links if (link["name"], link["start"]) == (FALLBACK, "atmgw"))
    assert lane["measured_bps"] - lane["after_bps"] == pytest.approx(1.2e6, rel=0.02)
    assert lane["error_share"] == pytest.approx(1.2e6 / lane["usable_rate"], rel=0.02)
    assert lane["error_relative"] == pytest.approx(1 / 10, rel=0.02)
    assert check.worst_error == pytest.approx(max(abs(item["error_share"]) for item in check.links), abs=1e-4)


def test_the_prediction_is_that_of_before_and_a_later_study_does_not_change_it(world: World) -> None:
    computed_at = CapacityFailure.objects.get(kind="node", name="grf1").result.computed_at
    fail(world)
    for _ in range(4):
        minute(world, moved(8e6), "atmgw")
    assert only().predicted_at == computed_at


def test_a_failure_that_ends_before_the_loads_settle_is_not_measured(world: World) -> None:
    fail(world)
    world.forward(25)
    world.fail_back()
    for _ in range(4):
        minute(world, rates(SENT))
    check = only()
    assert (check.state, check.worst_error) == ("not_measured", None)
    assert check.reason.endswith("too short to measure.")


def test_a_return_before_the_samples_that_is_reported_later_undoes_the_measurement(world: World) -> None:
    fail(world)
    while only_measured_at() is None:
        minute(world, moved(), "atmgw")
    check = only()
    assert check.state == "pending"
    assert check.measured_at is not None
    late, now = check.measured_at - timedelta(seconds=5), world.now
    world.now = late
    world.fail_back()
    world.now = now
    minute(world, rates(SENT))
    assert only().state == "not_measured"


def only_measured_at() -> Any:
    return PredictionCheck.objects.values_list("measured_at", flat=True).first()


def test_unknown_loads_are_not_a_good_prediction(world: World) -> None:
    fail(world)
    for _ in range(14):
        world.forward(60)
        world.sample(moved(), but=("atmgw", "router"))
        nodes = [name for name in world.devices() if name.startswith("sp")]
        world.report([world.path(node, "sp-default", "atmgw") for node in nodes])
        study_once(world.site, world.now)
    check = only()
    assert (check.state, check.median_error, check.worst_error) == ("not_measured", None, None)
    assert "is unknown" in check.reason


def test_nodes_that_do_not_move_make_it_another_failure_than_the_predicted_one(world: World) -> None:
    world.forward(20)
    switch = world.switch("grf1", "atmgw")
    world.report([world.path("sp01", "sp-default", "atmgw", switch=switch)])
    for _ in range(14):
        world.forward(60)
        world.sample(rates(SENT))
        world.report([world.path("sp01", "sp-default", "atmgw")])
        study_once(world.site, world.now)
    check = only()
    assert (check.state, check.moved_nodes) == ("not_measured", 1)
    assert check.reason == "2 of 3 nodes that would move did not move."


def test_a_failover_without_an_earlier_study_is_recorded_with_the_reason(world: World) -> None:
    CapacityFailure.objects.all().delete()
    fail(world)
    minute(world, moved(), "atmgw")
    assert (only().state, only().reason) == ("not_measured", "The study has no failure of grf1.")


def test_a_return_is_no_failover_and_the_next_failure_is_another_one(world: World) -> None:
    fail(world)
    for _ in range(4):
        minute(world, moved(), "atmgw")
    world.fail_back()
    for _ in range(3):
        minute(world, rates(SENT))
    assert only().ended_at is not None
    fail(world)
    for _ in range(4):
        minute(world, moved(), "atmgw")
    assert list(PredictionCheck.objects.order_by("pk").values_list("gateway", "state")) == [
        ("grf1", "measured"), ("grf1", "measured"),
    ]  # fmt: skip


def test_a_drill_is_named(world: World) -> None:
    path = Path.objects.get(node__name="sp01")
    now = world.now
    drill = Drill.objects.create(policy=path.policy, seconds=300, at=now, since=now)
    Move.objects.create(path=path, drill=drill, gateway="atmgw", seconds=300, at=now, since=now, moved_at=now)
    world.forward(20)
    world.fail_over()
    minute(world, moved(), "atmgw")
    assert only().drill_id == drill.pk


def test_the_list_has_the_errors_and_counts(world: World, client: Client) -> None:
    headers = bearer(person("vera", Role.VIEWER, "argonne"), Role.VIEWER)

    def read(**query: str) -> Json:
        answer = client.get("/api/v1/capacity/track-record", query, headers=headers)
        assert answer.status_code == 200, answer.content
        found: Json = answer.json()
        return found

    assert read()["status"]["headline"] == "No prediction has been compared with a failover"
    fail(world)
    for _ in range(4):
        minute(world, moved(7e6), "atmgw")
    site = Site.objects.get()
    PredictionCheck.objects.create(
        site=site, gateway="atmgw", started_at=world.now, last_switch_at=world.now, state="not_measured",
        reason="It lasted 12 s: too short to measure.",
    )  # fmt: skip
    page = read(sort="-worst_error")
    status = page["status"]
    assert (status["measured"], status["not_measured"], status["pending"]) == (1, 1, 0)
    assert [item["gateway"] for item in page["items"]] == ["grf1", "atmgw"]
    first, second = page["items"]
    assert first["worst"]["error_share"] == pytest.approx(status["worst_error"], abs=1e-4)
    assert first["cause"] == "failover"
    assert (second["verdict"], second["worst"], second["worst_error"]) == (None, None, None)
    assert [item["gateway"] for item in read(state="measured")["items"]] == ["grf1"]
    assert status["headline"].endswith("1 not measured")
