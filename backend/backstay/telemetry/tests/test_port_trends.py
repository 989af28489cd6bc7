"""Trends of many ports are the means of each port's own chart, at every level and across them."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backstay.intake.site_files import import_text
from backstay.inventory.models import Node, Port, Site
from backstay.inventory.snapshot import port_of
from backstay.telemetry import partitions
from backstay.telemetry.rollups import port_trends as module
from backstay.telemetry.rollups.port_trends import PortTrends, port_trends
from backstay.telemetry.selectors.history import port_history
from backstay.telemetry.tests.test_rollups import DAY, NOW, PORTS, finish, insert, layout_of, steady
from bench.site import switch_site

BPS = 8_000_000
INTERVAL_S = 60.0


@pytest.fixture
def site(db: None) -> Site:
    """The first of three devices reported for four days, the second one was away for the second day."""
    import_text(switch_site("lab", 3, PORTS, agents=1), "lab.yaml", timezone.now())
    for ahead in range(-1, 5):
        partitions.ensure_day((DAY + timedelta(days=ahead)).date())
    first, second, _ = switches()
    steady(first, DAY, NOW)
    steady(second, DAY, DAY + timedelta(days=1))
    steady(second, DAY + timedelta(days=2), NOW)
    found = Site.objects.get(name="lab")
    Site.objects.filter(pk=found.pk).update(interval_s=INTERVAL_S)
    found.refresh_from_db()
    return found


def switches() -> list[Node]:
    return list(Node.objects.filter(kind="switch").order_by("name"))


def ports_of(node: Node) -> list[Port]:
    return list(node.ports.order_by("pk"))


def everything() -> list[int]:
    return [port.pk for node in switches() for port in ports_of(node)]


def read(site: Site, hours: float, points: int = 60, end: datetime = NOW) -> PortTrends:
    return port_trends(site, everything(), end - timedelta(hours=hours), end, points=points)


def charts_of(site: Site, hours: float, points: int = 60) -> dict[int, tuple[list[int | None], ...]]:
    """Of each port that reported, as its own page reads it."""
    start = NOW - timedelta(hours=hours)
    found: dict[int, tuple[list[int | None], ...]] = {}
    for node in switches()[:2]:
        for port in ports_of(node):
            bins = port_history(port_of(port), start, NOW, points=points, interval_s=INTERVAL_S).bins
            found[port.pk] = (bins.inward.mean, bins.outward.mean)
    return found


@pytest.mark.parametrize(("hours", "points"), [(1, 60), (10, 60), (76, 60), (76, 10)])
@pytest.mark.parametrize("is_rolled_up", [False, True])
def test_trends_are_the_means_of_each_ports_chart(
    site: Site, hours: int, points: int, is_rolled_up: bool
) -> None:
    if is_rolled_up:
        finish()
    trends, charts = read(site, hours, points), charts_of(site, hours, points)
    assert [trend.port_id for trend in trends.ports] == sorted(everything())
    assert all(len(trend.in_mean) == len(trends.at) for trend in trends.ports)
    for trend in trends.ports[: len(charts)]:
        assert trend.in_mean == pytest.approx(charts[trend.port_id][0], nan_ok=True)
        assert trend.out_mean == pytest.approx(charts[trend.port_id][1], nan_ok=True)


def test_a_device_without_reports_has_gaps_and_no_zeros(site: Site) -> None:
    finish()
    trends = read(site, 76)
    *_, third = switches()
    for trend in trends.ports[-len(ports_of(third)) :]:
        assert set(trend.in_mean) == {None}
    second = trends.ports[PORTS]
    assert None in second.in_mean[2:-2]
    assert 0 not in second.in_mean


def test_a_port_without_a_value_is_unknown_while_its_neighbour_is_not(site: Site) -> None:
    *_, third = switches()
    octets = round(BPS / 8 * INTERVAL_S)
    ends = [NOW.timestamp() - INTERVAL_S * number for number in range(30)]
    insert(layout_of(third), ends, INTERVAL_S, [[-1, octets]] * 30)
    known, other = read(site, 0.5).ports[-2:]
    assert set(known.in_mean) == {None}
    assert {value and round(value / BPS) for value in other.in_mean[1:-1]} == {1}


def test_more_samples_than_affordable_are_read_from_roll_ups(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish()
    assert read(site, 3).level == "samples"
    monkeypatch.setattr(module, "MOST_SAMPLES", 10)
    coarse = read(site, 3)
    assert coarse.level == "5m"
    assert None not in coarse.ports[0].in_mean[1:-1]


def test_ports_of_another_site_are_left_out(site: Site) -> None:
    import_text(switch_site("other", 1, PORTS, agents=1), "other.yaml", timezone.now())
    foreign = Port.objects.filter(node__site__name="other").values_list("pk", flat=True)
    trends = port_trends(site, [*foreign, 2**62], NOW - timedelta(hours=1), NOW, points=60)
    assert (trends.ports, len(trends.at) >= 60) == ([], True)


def test_number_of_queries_does_not_depend_on_the_ports(site: Site) -> None:
    finish()
    counts = []
    for ports in (everything()[:1], everything()):
        with CaptureQueriesContext(connection) as queries:
            port_trends(site, ports, NOW - timedelta(hours=76), NOW, points=60)
        counts.append(len(queries))
    assert counts[0] == counts[1]
