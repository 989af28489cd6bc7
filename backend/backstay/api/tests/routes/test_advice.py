"""Upgrade advice: more capacity, another gateway or other stripes, judged by the same study."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from backstay.api.tests.routes.test_capacity import SENT, Capacity, capacity, measure, study, world
from backstay.api.tests.world import Json, World
from backstay.core.planning.capacity.advice import rounded_up
from backstay.inventory.models import Site
from backstay.policy.capacity_models import CapacityResult
from backstay.rollout.capacity import advice

__all__ = ["capacity", "world"]
pytestmark = pytest.mark.slow
FALLBACK_BPS = 13_450_000
"""Usable rate of the OC-3 on the wire."""


def advised(world: World, capacity: Capacity) -> Json:
    assert advice.refresh(world.site, timezone.now())
    return capacity("advice")


def of_kind(page: Json, kind: str) -> list[Json]:
    return [item for item in page["items"] if item["kind"] == kind]


def test_more_capacity_of_the_full_fabric_eases_every_failure(world: World, capacity: Capacity) -> None:
    study(world)
    page = advised(world, capacity)
    failing = capacity("n-1", verdict="would_not_hold", limit=50)
    overloading = {
        item["name"]
        for item in failing["items"]
        if item["has_fallback"] and (item["worst_utilisation"] or 0) > 1
    }
    best = of_kind(page, "capacity")[0]
    assert best["usable_rate"] >= 3 * SENT > FALLBACK_BPS
    assert overloading
    assert {*best["holds"], *best["eased"]} >= overloading
    assert best["worse_total"] == 0
    assert any("backstay sites import" in step for step in best["steps"])
    assert page["headline"].startswith("With the best single improvement")


def test_with_the_proposed_rate_the_study_agrees(world: World, capacity: Capacity) -> None:
    """The advice is applied, and the study computed again."""
    study(world)
    best = of_kind(advised(world, capacity), "capacity")[0]
    fabric = world.site.fabrics.get(pk=best["fabric_id"])
    fabric.usable_rate = round(best["usable_rate"] / world.site.rate_scale)
    fabric.save()
    Site.objects.update(version=F("version") + 1)
    study(Site.objects.get())
    page = capacity("n-1", limit=50)
    failing = [item for item in page["items"] if item["has_fallback"] and item["verdict"] == "would_not_hold"]
    assert len(failing) == best["remaining"]
    assert not any((item["worst_utilisation"] or 0) > 1 for item in failing)


def test_useless_improvements_are_not_listed_and_order_is_by_use(world: World, capacity: Capacity) -> None:
    study(world)
    page = advised(world, capacity)
    assert page["tried"] >= len(page["items"]) > 0
    use = [(item["holds_total"] - item["worse_total"], item["eased_total"]) for item in page["items"]]
    assert use == sorted(use, reverse=True)
    assert all(item["holds_total"] + item["eased_total"] > item["worse_total"] for item in page["items"])


def test_without_failing_fallbacks_nothing_is_advised(world: World, capacity: Capacity) -> None:
    measure(world, 1000.0)
    study(world)
    failing = CapacityResult.objects.get().counts["fallbacks"]["would_not_hold"]
    if not failing:
        assert not advice.refresh(world.site, timezone.now())
    page = capacity("advice")
    assert page["items"] == []


def test_advice_is_kept_for_a_while_and_then_computed_again(world: World, capacity: Capacity) -> None:
    study(world)
    assert advised(world, capacity)["is_stale"] is False
    assert not advice.refresh(world.site, timezone.now() + timedelta(minutes=5))
    assert advice.refresh(world.site, timezone.now() + timedelta(minutes=11))
    CapacityResult.objects.update(advised_at=timezone.now() - timedelta(hours=1))
    assert capacity("advice")["is_stale"] is True


def test_advice_that_fails_is_recorded_and_does_not_stop_the_study(
    world: World, capacity: Capacity, monkeypatch: pytest.MonkeyPatch
) -> None:
    study(world)

    def broken(*_: Any) -> Any:
        raise ValueError("no option")

    monkeypatch.setattr(advice, "improvements", broken)
    page = advised(world, capacity)
    assert (page["items"], page["error"]) == ([], "ValueError: no option")
    assert capacity("n-1")["status"]["error"] == ""


def test_time_is_limited_and_what_was_left_out_counted(
    world: World, capacity: Capacity, monkeypatch: pytest.MonkeyPatch
) -> None:
    study(world)
    monkeypatch.setattr(advice, "BUDGET_S", -1.0)
    page = advised(world, capacity)
    assert (page["tried"], page["items"]) == (0, [])
    assert page["skipped"] > 0


def test_before_the_first_study(client: Client, world: World, capacity: Capacity) -> None:
    page = capacity("advice")
    assert (page["computed_at"], page["is_stale"], page["items"]) == (None, True, [])


@pytest.mark.parametrize(
    ("rate", "rounded"), [(1.0, 1), (99.0, 99), (101.0, 110), (36_100_000.0, 37_000_000)]
)
def test_proposed_rates_are_rounded_up(rate: float, rounded: int) -> None:
    assert rounded_up(rate) == rounded
