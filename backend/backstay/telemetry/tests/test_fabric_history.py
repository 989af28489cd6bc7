"""A fabric's traffic is the sum of its ports' at every level, and across them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backstay.intake.site_files import import_text
from backstay.inventory.models import Fabric, Node
from backstay.telemetry import partitions
from backstay.telemetry.selectors.fabric_history import FabricHistory, fabric_history
from backstay.telemetry.tests.test_rollups import DAY, NOW, PORTS, finish, insert, layout_of, steady
from bench.site import switch_site

BPS = 8_000_000
DEVICES = 3
EACH = 3 * BPS
"""Of a device: the second port has double the rate of the first."""


@pytest.fixture
def fabric(db: None) -> Fabric:
    """Two of three devices reported four days; the second one was away for the second day."""
    import_text(switch_site("lab", DEVICES, PORTS, agents=1), "lab.yaml", timezone.now())
    for ahead in range(-1, 5):
        partitions.ensure_day((DAY + timedelta(days=ahead)).date())
    first, second, _ = Node.objects.filter(kind="switch").order_by("name")
    steady(first, DAY, NOW)
    steady(second, DAY, DAY + timedelta(days=1))
    steady(second, DAY + timedelta(days=2), NOW)
    return Fabric.objects.get(name="lan")


def read(fabric: Fabric, hours: float, points: int = 600) -> FabricHistory:
    """Up to `NOW`."""
    return fabric_history(fabric, NOW - timedelta(hours=hours), NOW, points=points, interval_s=60.0)


def rates(history: FabricHistory) -> set[int | None]:
    """Without the bins at both edges, which may be cut."""
    return {value and round(value / BPS) * BPS for value in history.in_mean[1:-1]}


def test_samples_that_are_not_rolled_up_yet_are_summed(fabric: Fabric) -> None:
    history = read(fabric, 1)
    assert (history.level, history.step_s, rates(history)) == ("samples", 60.0, {2 * EACH})
    assert set(history.devices[1:-1]) == {2}
    assert history.devices_total == DEVICES
    assert history.coverage == pytest.approx(2 / 3, abs=0.01)


@pytest.mark.parametrize(("hours", "points", "level"), [(10, 600, "5m"), (76, 60, "1h"), (76, 10, "1h")])
def test_levels_join_with_the_same_sums(fabric: Fabric, hours: int, points: int, level: str) -> None:
    finish()
    history = read(fabric, hours, points)
    assert history.level == level
    assert rates(history) <= {2 * EACH, EACH}
    assert None not in history.in_mean[1:-1]
    by_devices = {
        (count, value and round(value / BPS) * BPS)
        for count, value in zip(history.devices[1:-1], history.in_mean[1:-1], strict=True)
    }
    assert by_devices <= {(2, 2 * EACH), (1, EACH)}
    assert (1, EACH) in by_devices or hours == 10
    assert history.out_mean[1] == pytest.approx(2 * (history.in_mean[1] or 0), rel=0.01)


def test_ports_of_another_fabric_do_not_count(fabric: Fabric) -> None:
    other = Fabric.objects.create(
        site=fabric.site, name="other", kind="ethernet", media_rate=10**10, usable_rate=10**10
    )
    node = Node.objects.filter(kind="switch").order_by("name")[0]
    second = node.ports.order_by("pk")[1]
    second.fabric = other
    second.save()
    assert rates(read(fabric, 1)) == {2 * EACH - 2 * BPS}
    finish()
    assert rates(read(fabric, 10)) == {2 * EACH - 2 * BPS}
    assert rates(read(other, 10)) == {2 * BPS}


def test_fabric_without_devices_has_gaps(fabric: Fabric) -> None:
    empty = Fabric.objects.create(
        site=fabric.site, name="empty", kind="ethernet", media_rate=10**10, usable_rate=10**10
    )
    history = read(empty, 1)
    assert (set(history.in_mean), set(history.devices), history.coverage) == ({None}, {0}, 0.0)


def test_number_of_queries_does_not_depend_on_the_devices(fabric: Fabric) -> None:
    finish()
    with CaptureQueriesContext(connection) as queries:
        read(fabric, 76, 60)
    assert len(queries) <= 7


def test_layouts_that_follow_each_other_within_a_bin_are_one_device(fabric: Fabric) -> None:
    node = Node.objects.filter(kind="switch").order_by("name")[2]
    octets = BPS // 8 * 60
    for backwards, first in ((False, 1), (True, 31)):
        ends = [DAY.timestamp() + 60.0 * number for number in range(first, first + 30)]
        insert(layout_of(node, backwards=backwards), ends, 60.0, [[octets, octets]] * 30)
    finish()
    history = fabric_history(fabric, DAY, DAY + timedelta(days=1), points=24, interval_s=60.0)
    assert (history.level, history.step_s) == ("1h", 3600.0)
    assert round((history.in_mean[0] or 0) / BPS) == 2 * 3 + 2
