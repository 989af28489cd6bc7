"""Rules about load and losses: peaks, errors, discards, gateways, metric limits; with real reports."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from backstay.alerts import rule_editing, services
from backstay.alerts.models import Incident, SiteRule
from backstay.alerts.rule_editing import Author
from backstay.alerts.rule_settings import settings_at
from backstay.alerts.rules import RULES
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.tests.world import World
from backstay.core.alerting.metric_limits import MetricLimitSpec
from backstay.core.alerting.overrides import ScopedOverride
from backstay.core.model.progress import Phase
from backstay.telemetry.models import MetricLayout, MetricSet, NodeState

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shown_at_once")]

SOMEBODY = Author(None)


def report(world: World, node: str, changes: Mapping[str, Mapping[str, int]], rates: Any = None) -> None:
    """One interval's samples of every node; of one node with other counters: column -> port -> value."""
    world.forward()
    world.sample(rates, but=[node])
    samples = world.samples(node, (rates or {}).get(node))
    columns = {name: [values.get(port, 0) for port in samples.ports] for name, values in changes.items()}
    world.report([samples.model_copy(update=columns)])
    services.run_round(world.now)


def shown(kind: str) -> list[str]:
    rows = Incident.objects.filter(phase=Phase.OPEN, rule__kind=kind).order_by("subject")
    return list(rows.values_list("title", flat=True))


def numbers(world: World, node: str, metric: str, values: Mapping[str, float]) -> None:
    """The newest values of a metric, by part."""
    row, layout = world.node(node), {"subjects": list(values), "metrics": [metric] * len(values)}
    known, _ = MetricLayout.objects.get_or_create(
        node=row, collector="test", digest=b"%d" % len(values), defaults=layout
    )
    MetricSet.objects.update_or_create(
        node=row,
        collector="test",
        defaults={"layout": known, "at": world.now, "numbers": list(values.values())},
    )


def rounds(world: World, count: int, node: str, metric: str, values: Mapping[str, float]) -> None:
    for _ in range(count):
        world.forward()
        world.sample()
        numbers(world, node, metric, values)
        services.run_round(world.now)


def test_errors_open_after_three_samples_at_their_port_and_direction(world: World) -> None:
    lossy = {"in_errors": {"ga030": 50}, "in_packets": {"ga030": 950}}
    for _ in range(2):
        report(world, "grf1", lossy)
    assert shown("port_errors") == []
    report(world, "grf1", lossy)
    assert shown("port_errors") == ["grf1:ga030: 5 % of received packets have errors"]
    incident = Incident.objects.get(phase=Phase.OPEN)
    assert (incident.link, incident.node) == (world.link("grf1:ga030"), world.node("grf1"))
    for _ in range(3):
        report(world, "grf1", {"in_packets": {"ga030": 950}})
    assert shown("port_errors") == []


def test_few_errors_never_count_however_large_their_share(world: World) -> None:
    for _ in range(4):
        report(world, "grf1", {"in_errors": {"ga030": 5}, "in_packets": {"ga030": 5}})
    assert Incident.objects.filter(rule__kind="port_errors").count() == 0


def test_discards_of_a_full_link_are_part_of_its_saturation(world: World) -> None:
    dropping = {"out_discards": {"ga030": 500}, "out_packets": {"ga030": 500}}
    full = {"grf1": {"ga030": (1e6, 53e6)}, "origin1": {"at0": (53e6, 1e6)}}
    for _ in range(4):
        report(world, "grf1", dropping, full)
    assert (len(shown("saturation")), shown("port_discards")) == (1, [])
    for _ in range(4):
        report(world, "grf1", dropping)
    assert shown("port_discards") == ["grf1:ga030: 50 % of sent packets are discarded"]


def test_losses_of_a_port_without_carrier_are_part_of_its_outage(world: World) -> None:
    dropping = {"out_discards": {"ga030": 500}, "out_packets": {"ga030": 0}}
    world.forward()
    world.down.add("grf1:ga030")
    world.describe()
    for _ in range(5):
        report(world, "grf1", dropping)
    assert (len(shown("port_down")), shown("port_discards")) == (1, [])
    world.down.clear()
    world.describe()
    report(world, "grf1", dropping)
    report(world, "grf1", {})
    assert shown("port_discards") == []
    for _ in range(4):
        report(world, "grf1", dropping)
    assert shown("port_discards") == ["grf1:ga030: 100 % of sent packets are discarded"]


def test_busiest_second_opens_only_where_it_is_measured_and_enabled(world: World) -> None:
    peaks = {"out_peak": {"css0": 10**8}, "in_peak": {"css0": 0}}
    for _ in range(4):
        report(world, "sp01", peaks)
    assert shown("saturation_peak") == []
    SiteRule.objects.filter(kind="saturation_peak").update(enabled=True)
    for _ in range(4):
        report(world, "sp01", peaks)
    (title,) = shown("saturation_peak")
    assert title.startswith("sp01:css0 -> sp-switch: busiest second at ")
    spec, snapshot = RULES["saturation_peak"], SiteSnapshot(world.site, world.now)
    row = SiteRule.objects.get(kind="saturation_peak")
    assert spec.unmeasured is not None
    missing = {item.name for item in spec.unmeasured(snapshot, settings_at(spec, row, snapshot))}
    assert "sp02:css0-sp-switch" in missing
    assert "sp01:css0-sp-switch" not in missing


def test_gateway_without_a_known_packet_rate_is_listed_and_never_alarms(world: World) -> None:
    spec = RULES["gateway_packets"]
    packets = {"in_packets": {"ga030": 20_000, "gt000": 20_000}}

    def missing() -> list[str]:
        snapshot = SiteSnapshot(world.site, world.now)
        row = SiteRule.objects.get(kind="gateway_packets")
        assert spec.unmeasured is not None
        return [item.name for item in spec.unmeasured(snapshot, settings_at(spec, row, snapshot))]

    report(world, "grf1", packets)
    assert "grf1" in missing()
    wanted = ScopedOverride("role", "gateway", parameters={"capacity": 10_000, "after_s": 0})
    rule_editing.set_override(world.site, "gateway_packets", wanted, SOMEBODY, world.now)
    report(world, "grf1", packets)
    assert "grf1" not in missing()
    (title,) = shown("gateway_packets")
    assert title.startswith("grf1 forwards ")


def test_busy_processors_of_a_gateway_open_after_five_minutes(world: World) -> None:
    busy = {"1": 99.0, "2": 95.0}
    rounds(world, 2, "grf1", "host.processor_load", busy)
    assert shown("gateway_cpu") == []
    world.forward(300)
    rounds(world, 1, "grf1", "host.processor_load", busy)
    assert shown("gateway_cpu") == ["grf1: processors at 97 %"]
    rounds(world, 1, "grf1", "host.processor_load", {"1": 80.0, "2": 80.0})
    assert len(shown("gateway_cpu")) == 1, "it resolves below 75 %"
    rounds(world, 1, "grf1", "host.processor_load", {"1": 10.0, "2": 70.0})
    assert shown("gateway_cpu") == []


def test_metric_limit_opens_for_matching_parts_and_follows_its_changes(world: World) -> None:
    limit = MetricLimitSpec(
        "hot", "entity.temperature", above=True, raise_at=60.0, clear_at=55.0, subject="temp*", for_s=0.0
    )
    row = rule_editing.set_limit(world.site, limit, SOMEBODY, world.now)
    rounds(world, 1, "grf1", "entity.temperature", {"temp1": 61.0, "temp2": 50.0, "other": 99.0})
    assert shown("metric_limit") == ["grf1:temp1: Temperature is 61 °C"]
    assert Incident.objects.get(phase=Phase.OPEN).own_severity == "warning"
    rounds(world, 1, "grf1", "entity.temperature", {"temp1": 57.0, "temp2": 50.0, "other": 99.0})
    assert len(shown("metric_limit")) == 1, "it resolves at 55"
    rounds(world, 1, "grf1", "entity.temperature", {"temp1": 54.0, "temp2": 50.0, "other": 99.0})
    assert shown("metric_limit") == []
    below = MetricLimitSpec(
        "hot", "entity.temperature", above=False, raise_at=50.5, clear_at=52.0, role="gateway", for_s=0.0
    )
    rule_editing.set_limit(world.site, below, SOMEBODY, world.now, row)
    rounds(world, 1, "grf1", "entity.temperature", {"temp1": 54.0, "temp2": 50.0, "other": 99.0})
    assert shown("metric_limit") == ["grf1:temp2: Temperature is 50 °C"]
    rule_editing.delete_limit(row)
    rounds(world, 1, "grf1", "entity.temperature", {"temp1": 54.0, "temp2": 50.0, "other": 99.0})
    assert shown("metric_limit") == []


def test_collector_that_fails_for_minutes_opens_one_incident_per_node_or_one_for_many(world: World) -> None:
    def fail(*nodes: str) -> None:
        since = (world.now - timedelta(seconds=200)).isoformat()
        run = {"outcome": "timeout", "detail": "no answer", "at": since, "since": since}
        for name in nodes:
            NodeState.objects.filter(node=world.node(name)).update(
                collectors={"snmp": run}, collector_outcome="timeout", collector_detail="no answer"
            )
        services.run_round(world.now)

    fail("grf1")
    assert shown("collector_failed") == ["grf1: collector snmp times out: no answer"]
    wanted = ScopedOverride("site", parameters={"nodes": 3})
    rule_editing.set_site_rule(world.site, "collector_failed", wanted, SOMEBODY, world.now)
    fail("sp01", "sp02", "sp03")
    assert shown("collector_failed") == ["Collector snmp fails at 4 nodes"]
