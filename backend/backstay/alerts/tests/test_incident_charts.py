"""What the page of an incident draws: metrics of its rule, its link or its node's, its paths."""

from __future__ import annotations

import pytest

from backstay.alerts import rule_editing, services
from backstay.alerts.models import Incident
from backstay.alerts.rule import MetricSeries
from backstay.alerts.selectors.incident_charts import (
    MOST_METRICS,
    MOST_PATHS,
    IncidentCharts,
    incident_charts,
)
from backstay.alerts.selectors.incident_context import incident_context
from backstay.alerts.selectors.muted_incidents import muted
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.tests.rules.test_load_rules import SOMEBODY, numbers, report, rounds
from backstay.api.incidents.present import IncidentView, incident_detail
from backstay.api.tests.world import World
from backstay.core.alerting.metric_limits import MetricLimitSpec
from backstay.core.model.progress import Phase

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shown_at_once")]

HOT = MetricLimitSpec(
    "hot", "entity.temperature", above=True, raise_at=60.0, clear_at=55.0, subject="temp*", for_s=0.0
)


def charts(world: World, kind: str) -> IncidentCharts:
    incident = Incident.objects.exclude(phase=Phase.RESOLVED).get(rule__kind=kind)
    return incident_charts(incident, SiteSnapshot(world.site, world.now))


def test_metric_limit_has_the_metric_of_its_part_with_the_limit_and_not_the_links_of_the_device(
    world: World,
) -> None:
    row = rule_editing.set_limit(world.site, HOT, SOMEBODY, world.now)
    rounds(world, 1, "grf1", "entity.temperature", {"temp1": 61.0, "temp2": 50.0, "other": 99.0})
    node = world.node("grf1").pk
    found = charts(world, "metric_limit")
    assert found == IncidentCharts([MetricSeries(node, "entity.temperature", "temp1", 60.0)], [], [])
    incident = Incident.objects.get(rule__kind="metric_limit")
    view = IncidentView(muted(world.site, world.now), incident_context(incident, world.now), found, ())
    (metric,) = incident_detail(incident, SiteSnapshot(world.site, world.now), view).charts.metrics
    assert (metric.name, metric.threshold) == ("Temperature of temp1", 60.0)
    rule_editing.delete_limit(row)
    assert charts(world, "metric_limit").metrics == []


def test_parts_that_share_an_incident_are_drawn_the_worst_first_and_the_others_counted(world: World) -> None:
    rule_editing.set_limit(world.site, HOT, SOMEBODY, world.now)
    parts = {f"temp{number}": 61.0 + number for number in range(1, 13)}
    rounds(world, 1, "grf1", "entity.temperature", {**parts, "other": 99.0})
    found = charts(world, "metric_limit")
    assert [item.subject for item in found.metrics] == ["temp12", "temp11", "temp10", "temp9"]
    assert found.more == len(parts) - MOST_METRICS


def test_busy_gateway_has_its_processors_the_busiest_first(world: World) -> None:
    for wait in (0, 300, 0):
        world.forward(wait)
        rounds(world, 1, "grf1", "host.processor_load", {"1": 95.0, "2": 99.0})
    found = charts(world, "gateway_cpu")
    assert [(item.subject, item.threshold) for item in found.metrics] == [("2", 90.0), ("1", 90.0)]


def test_port_has_its_link_and_failover_the_links_of_its_gateway_and_its_paths(world: World) -> None:
    for _ in range(3):
        report(world, "grf1", {"in_errors": {"ga030": 50}, "in_packets": {"ga030": 950}})
    assert charts(world, "port_errors") == IncidentCharts([], [world.link("grf1:ga030").pk], [])
    world.forward()
    world.describe()
    world.fail_over()
    services.run_round(world.now)
    found = charts(world, "gateway_failed_over")
    incident = Incident.objects.get(rule__kind="gateway_failed_over")
    assert [path.pk for path in found.paths] == sorted(path.pk for path in incident.paths.all())
    assert world.link("grf1:ga030").pk in found.links
    assert len(found.paths) == 3 < MOST_PATHS


def test_worst_paths_come_first(world: World) -> None:
    world.forward()
    world.describe()
    world.fail_over()
    services.run_round(world.now)
    incident = Incident.objects.get(rule__kind="gateway_failed_over")
    first, second, third = sorted(path.pk for path in incident.paths.all())
    incident.affected = {"rerouted_paths": [first, second], "dead_paths": [third]}
    found = incident_charts(incident, SiteSnapshot(world.site, world.now))
    assert [path.pk for path in found.paths] == [third, first, second]


def test_values_of_other_devices_are_not_drawn(world: World) -> None:
    rule_editing.set_limit(world.site, HOT, SOMEBODY, world.now)
    numbers(world, "atmgw", "entity.temperature", {"temp1": 40.0})
    rounds(world, 1, "grf1", "entity.temperature", {"temp1": 61.0})
    assert {item.node_id for item in charts(world, "metric_limit").metrics} == {world.node("grf1").pk}
